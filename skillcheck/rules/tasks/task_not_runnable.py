"""A task can be run, but not here.

In the environment `local` a task has this machine's programs and a folder to work in. What needs an image of its own,
a GPU, a closed network or a download to be verified is left out, with the reason; the others are run. With
`--environment docker` an image must be named by its digest, since a tag can name another one tomorrow.

## Bad
````dockerfile tasks/count-stars/environment/Dockerfile
FROM ubuntu:24.04
RUN apt-get install -y telescope
WORKDIR /root
COPY . /root/
````

## Good
````dockerfile tasks/count-stars/environment/Dockerfile
FROM ubuntu:24.04
WORKDIR /root
COPY . /root/
````
"""

from __future__ import annotations

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.WARNING, __doc__)
