"""Route synthetic catalogs of 1,000 and 10,000 skills: `python tests/benchmarks/route_scale.py [SKILLS ...]`.

Prints seconds and peak memory, and both as multiples of `python -c pass` on the same machine. Each catalog runs in a
process of its own. Words follow Zipf's law over 20,000 words, descriptions have 34 of them, each skill has three
prompts made of its own words and others'.
"""

import random
import resource
import subprocess
import sys
import time
from itertools import accumulate, pairwise

from skillcheck.router import Query, collisions, judge, quality, router

SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "en", "or", "al", "ist", "un")]
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in one unit of ru_maxrss."""


def main(sizes: list[int]) -> None:
    """Measure each size and print one line for it."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    base = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * UNIT
    print(f"python -c pass: {base:.3f} s, {memory / 1e6:.0f} MB")
    for size in sizes:
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, __file__, "--child", str(size)], check=True, capture_output=True, text=True
        )
        seconds = time.perf_counter() - start
        parts, peak = done.stdout.rsplit(maxsplit=1)
        ratios = f"{seconds:.1f} s ({seconds / base:.0f}x), {int(peak) / 1e6:.0f} MB ({int(peak) / memory:.0f}x)"
        print(f"{size} skills: {ratios}: {parts}")


def child(size: int) -> None:
    """Build, judge and compare one catalog; print what each took and the peak memory in bytes."""
    skills, queries = catalog(size)
    times = [time.perf_counter()]
    made = router(skills)
    times.append(time.perf_counter())
    found = quality(judge(made, [Query(skill, text) for skill, text in queries]))
    times.append(time.perf_counter())
    pairs = collisions(skills, 0.5)
    times.append(time.perf_counter())
    build, rank, compare = (after - before for before, after in pairwise(times))
    print(f"build {build:.2f} s, {len(queries)} prompts {rank:.2f} s, rank-1 {found.rank1.hits},", end=" ")
    print(f"collisions {compare:.2f} s ({len(pairs)} pairs)", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT)


def catalog(size: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(name, description) of each skill and (skill, prompt) of each query, the same for the same size."""
    chance = random.Random(size)  # noqa: S311 - a seeded catalog, not a secret
    vocabulary = sorted({"".join(chance.choices(SYLLABLES, k=chance.choice((2, 2, 3)))) for _ in range(20_000)})
    chance.shuffle(vocabulary)
    weights = list(accumulate(1 / rank for rank in range(10, 10 + len(vocabulary))))
    skills, queries = [], []
    for number in range(size):
        own = chance.choices(vocabulary, cum_weights=weights, k=34)
        if number % 50 == 49:  # a near copy of the one before
            own = [*skills[-1][1].rstrip(".").lower().split()[:30], *own[:4]]
        name = f"{'-'.join(chance.sample(own, 2))}-{number}"
        skills.append((name, " ".join(own).capitalize() + "."))
        for _ in range(3):
            words = [*chance.sample(own, 5), *chance.choices(vocabulary, cum_weights=weights, k=4)]
            queries.append((name, " ".join(words)))
    return skills, queries


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(int(sys.argv[2]))
    else:
        main([int(size) for size in sys.argv[1:]] or [1_000, 10_000])
