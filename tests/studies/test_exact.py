import itertools
from math import comb

import pytest
from scipy import stats

from skillcheck.studies.exact import Chance, Counts, difference, fall
from skillcheck.studies.several import found


@pytest.mark.parametrize("counts", [(3, 1, 9, 8), (5, 0, 5, 5), (1, 0, 20, 20), (4, 4, 4, 2), (2, 1, 0, 0)])
def test_the_fall_of_one_task_is_fishers_one_sided_test(counts):
    new, new_held, old, old_held = counts
    table = [[new_held, new - new_held], [old_held, old - old_held]]
    assert fall([Counts(*counts)]).p == pytest.approx(stats.fisher_exact(table, alternative="less").pvalue)


def test_the_fall_over_tasks_counts_all_ways_to_choose_the_new_trials():
    tasks = [Counts(2, 0, 3, 2), Counts(1, 1, 3, 2), Counts(2, 0, 2, 2)]

    def ways(task):
        trials = [1] * (task.new_held + task.old_held) + [0] * (task.new + task.old - task.new_held - task.old_held)
        return [sum(each) for each in itertools.combinations(trials, task.new)]

    sums = [sum(each) for each in itertools.product(*map(ways, tasks))]
    assert len(sums) == comb(5, 2) * comb(4, 1) * comb(4, 2)
    test = fall(tasks)
    assert test.p == pytest.approx(sum(each <= 1 for each in sums) / len(sums))
    assert test.least == pytest.approx(sums.count(min(sums)) / len(sums))


def test_tasks_that_were_run_on_one_side_only_tell_nothing():
    alone = [Counts(5, 0, 0, 0), Counts(0, 0, 5, 5)]
    assert fall(alone) == (1.0, 1.0)
    assert fall([*alone, Counts(3, 1, 9, 8)]) == fall([Counts(3, 1, 9, 8)])
    assert fall([]) == (1.0, 1.0)


def test_more_that_hold_are_no_fall():
    assert fall([Counts(5, 5, 5, 0)]).p == 1.0


def test_a_difference_is_fishers_two_sided_test_and_knows_what_it_can_reach():
    assert difference(Counts(4, 0, 4, 4)) == pytest.approx((0.02857, 0.02857), abs=1e-5)
    assert difference(Counts(3, 1, 3, 2)) == pytest.approx((1.0, 0.1))


def test_tests_that_can_not_reach_the_level_do_not_count():
    able, unable = Chance(0.004, 0.001), Chance(0.03, 0.02)
    assert found([unable, able, unable], 0.01) == {1: 0.004}
    assert found([able, able, able], 0.01) == {}
    assert found([], 0.01) == {}
