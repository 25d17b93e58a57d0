"""Which skill a prompt routes to, lexically: rankings, their quality, collisions, advice and the frozen floor.

Pure functions of values. The router compares words: it measures whether descriptions share the vocabulary of the
prompts, which is not what a model would choose.
"""

from skillcheck.router.advice import Advice, Missing, Pull, advise
from skillcheck.router.collisions import Collision, collisions
from skillcheck.router.quality import Outcome, Quality, Query, Rate, judge, quality
from skillcheck.router.ranking import Ranking, Router, router
from skillcheck.router.ratchet import Floor, Lowering, Shortfall

__all__ = [
    "Advice",
    "Collision",
    "Floor",
    "Lowering",
    "Missing",
    "Outcome",
    "Pull",
    "Quality",
    "Query",
    "Ranking",
    "Rate",
    "Router",
    "Shortfall",
    "advise",
    "collisions",
    "judge",
    "quality",
    "router",
]
