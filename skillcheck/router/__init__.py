"""Which skill a prompt routes to, lexically: rankings, their quality, collisions, advice and the frozen floor.

Pure functions of values. The router compares words; it measures whether descriptions share the vocabulary of the prompts, not what a
model would choose.
"""

from skillcheck.router.quality import Outcome, Quality, Query, Rate, Theft, judge, quality
from skillcheck.router.ranking import Ranking, Router, router
from skillcheck.router.tokens import tokens

__all__ = ["Outcome", "Quality", "Query", "Ranking", "Rate", "Router", "Theft", "judge", "quality", "router", "tokens"]
