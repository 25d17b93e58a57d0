"""Which skill a prompt routes to, lexically: rankings, their quality, collisions, advice and the frozen floor.

Pure functions of values. The router compares words: it measures whether descriptions share the vocabulary of the
prompts, which is not what a model would choose.
"""

from skillcheck.router.advice import Advice, Missing, advise
from skillcheck.router.collisions import Collision, collisions
from skillcheck.router.quality import Outcome, Quality, Query, judge, quality
from skillcheck.router.ranking import Router, router
from skillcheck.router.ratchet import Floor

__all__ = [
    "Advice",
    "Collision",
    "Floor",
    "Missing",
    "Outcome",
    "Quality",
    "Query",
    "Router",
    "advise",
    "collisions",
    "judge",
    "quality",
    "router",
]
