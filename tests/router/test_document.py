import pytest

from skillcheck.router.document import clauses, described, document, handed_off, surfaces, terms, weighted
from skillcheck.router.tokens import tokens


@pytest.mark.parametrize(
    "clause",
    [
        "Not for glazing windows, broken panes or frames",
        "NOT for glazing (use window-fitter)",
        "Do not use for glazing, e.g. panes",
        "Don't use when panes are broken",
        "Don\u2019t use it on panes v1.2 of glass",
        "Never use this for panes",
        "Skip when the pane is broken",
        "Does not cover panes",
        "For panes, use the window-fitter skill instead",
        "If panes break use `window-fitter` instead",
        "Use window-fitter instead for panes",
        "Out of scope: panes",
        "It isn't for panes",
        "This is not a tool for panes",
        "Never for panes",
        "For broken panes see window-fitter",
        "If panes break, use `fitter`",
        "不要用于窗户",
        "不适用于窗户",
        "Does NOT glaze panes",
        "This skill doesn't glaze",
        "It cannot glaze panes",
        "Excludes panes and frames",
        "Anti-triggers: panes, frames",
        "Non-goals: panes",
        "When not to use: panes and frames",
        "Panes and frames are out of scope",
        "Glazing is not supported",
        "Broken panes belong to `fitter`",
        "Panes are handled by window-fitter",
        "Hand broken panes off to window-fitter",
        "Defer to window-fitter for panes",
        "Do not load for panes",
        "Not for U.S. panes",
        "Non usare per vetri rotti",
        "Não usar para vidros",
        "Nicht geeignet für Scheiben",
        "\u041d\u0435 использовать для окон",
        "窓には使用しないでください",
        "창문에는 사용하지 마세요",
    ],
)
def test_a_hand_off_is_cut_to_the_end_of_its_sentence(clause):
    kept, cut = clauses(f"Paints doors. {clause}. Use when paint peels.")
    assert tokens(" ".join(kept)) == tokens("Paints doors. Use when paint peels.")
    assert len(cut) == 1


@pytest.mark.parametrize(
    "description",
    [
        "Paints doors. Use when paint peels.",
        "Answers why a tool is not only fast but right.",
        "Explains why teams use paint instead of paper.",
        "For doors and gates. Use when they need paint.",
        "Finds code that nobody owns.",
        "Use when images do not load or changes do not apply.",
        "Writes positive and negative trigger prompts. Use when paint peels.",
        "Use when it compiles but does not run.",
        "Use when the app cannot start and this is not working.",
        "Explains when not to use global state.",
        "Excludes files from backups. For tapes, use this skill too.",
        "It is not always clear why tests fail: finds out.",
        "Lists features that are not supported, or are handled by end-to-end tests.",
        "Creates agents that delegate to sub-agents. Use when images do not load for users.",
        "Paints doors. If paint peels, use this skill. Use this instead of paper.",
        "窓を拭く。窓が汚れたときに使う。",
        "说明两者的区别在哪里。写出清晰而非冗长的文档。",
    ],
)
def test_claims_are_left_alone(description):
    assert clauses(description) == ((description,), ())


@pytest.mark.parametrize(
    ("before", "cut", "after"),
    [
        ("Paints doors.", "Not for panes", "but for gates"),
        ("Paints doors.", "Do not use for panes", "; use for gates"),
        ("Paints doors.", "Not when panes break", ", only use it when paint peels"),
        ("Paints doors \u2014", "not for panes", "\u2014 and gates"),
        ("整理笔记。", "不用于审查", "\uff0c当用户要整理时使用"),
        ("- Paints doors\n-", "Not for panes", "\n- Use for gates"),
        ("Paints doors.", "Don't use when: panes", "\nOutput: gates"),
    ],
)
def test_a_hand_off_leaves_the_claim_behind_it(before, cut, after):
    kept, handed = clauses(f"{before} {cut} {after}.")
    assert tokens(" ".join(kept)) == tokens(f"{before} {after}")
    assert tokens(" ".join(handed)) == tokens(cut)


def test_a_hand_off_in_parentheses_ends_with_them():
    assert clauses("Paints doors (not for panes (or frames)) and gates.")[0] == ("Paints doors (", ") and gates.")


@pytest.mark.parametrize("opening", ["Do not use for:", "# When not to use\n", "Not for these:"])
def test_a_hand_off_list_is_cut_whole(opening):
    kept, cut = clauses(f"Paints doors. {opening}\n- panes\n- frames\n\nUse when paint peels.")
    assert tokens(" ".join(kept)) == tokens("Paints doors. Use when paint peels.")
    assert "frames" in cut[0]


def test_a_description_of_nothing_but_a_hand_off_leaves_the_name():
    only = document("door-painter", "Not for panes.")
    assert only.claims == ()
    assert set(weighted(only)) == set(terms(only.title))


def test_terms_are_words_and_pairs_of_neighbours():
    assert terms(("a", "b", "a")) == {"a": 2, "b": 1, "a b": 1, "b a": 1}


def test_pairs_do_not_reach_across_a_cut():
    assert "door gate" not in described(document("x", "Paints doors (not for panes) gates"))


def test_a_name_counts_twice():
    assert weighted(document("door", "door"))["door"] == 3


def test_the_first_spelling_is_the_surface():
    assert surfaces(document("doors", "A Door, doors."))["door"] == "Door"


def test_words_only_in_a_hand_off_are_told():
    assert handed_off(document("door-painter", "Paints doors. Not for broken panes or doors.")) == {
        "break": "broken",
        "pane": "panes",
    }
