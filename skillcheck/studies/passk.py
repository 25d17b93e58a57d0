"""What several tries are worth, estimated without bias from the passes among a task's trials."""

from __future__ import annotations

from scipy.special import comb


def pass_at_k(trials: int, passes: int, k: int) -> float | None:
    """pass@k: the chance that at least one of k tries passes (Chen et al. 2021); None unless 1 <= k <= trials.

    With k = trials it only tells whether any passed; take more trials than k.
    """
    return 1 - _share(trials, trials - passes, k) if 1 <= k <= trials else None


def pass_hat_k(trials: int, passes: int, k: int) -> float | None:
    """pass^k: the chance that all of k tries pass (Yao et al. 2024); None unless 1 <= k <= trials."""
    return _share(trials, passes, k) if 1 <= k <= trials else None


def _share(trials: int, chosen: int, k: int) -> float:
    """Of all sets of k trials, the share that holds none but chosen ones."""
    return float(comb(chosen, k, exact=True) / comb(trials, k, exact=True))
