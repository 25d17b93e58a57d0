"""What is said of prompts that go astray, with its place."""

import json

import pytest
from catalogs import cases, git, skill, write

from skillcheck import api
from skillcheck.errors import UsageError

SKILLS = {
    "skills/bread/SKILL.md": skill("bread", "Bakes loaves of rye. Use when dough has risen."),
    "skills/piano/SKILL.md": skill("piano", "Tunes strings of a grand. Use when keys sound flat."),
}
ROUTING = ("ignore=['missing-cases', 'insufficient-cases']",)


def route(root, *overrides, **options):
    config = api.configure(base=root, overrides=(*ROUTING, *overrides))
    return api.route(api.routed(api.load((), config, root), **options))


def found(report):
    return [(d.path, d.span.line, d.rule, d.severity.label, d.message) for d in report.diagnostics]


def bread(root, positives=(), negatives=(), **files):
    text = json.dumps(json.loads(cases("bread", positives, negatives)), indent=1)
    return write(root, {**SKILLS, "evals/cases/bread.json": text, **files})


@pytest.mark.parametrize(
    ("positives", "negatives", "rule", "severity", "message"),
    [
        (["tune the strings"], [], "unmatched-skill", "error", "bread: 0 of 1 positive prompts score above zero"),
        ([""], [], "unscoreable-prompt", "error", "the prompt is empty"),
        (["help me"], [], "unscoreable-prompt", "error", "the prompt 'help me' has no scoreable tokens"),
        ([], ["paint it"], "vacuous-negative", "warning", "negative prompt 'paint it' matches nothing (vacuous)"),
        ([], ["help me"], "vacuous-negative", "warning", "negative prompt 'help me' matches nothing (vacuous)"),
        ([], ["bake"], "triggered-negative", "error", "negative prompt 'bake' ranks bread first with 0.319"),
    ],
    ids=["nothing shared", "empty", "stop words", "vacuous", "vacuous stop words", "triggered"],
)  # fmt: skip
def test_one_prompt_astray(positives, negatives, rule, severity, message, tmp_path):
    report = route(bread(tmp_path, positives, negatives))
    assert (rule, severity, message) in [entry[2:] for entry in found(report)]


def test_a_skill_that_nothing_reaches_is_told_once_beside_its_prompts(tmp_path):
    report = route(bread(tmp_path, ["tune strings", "flat keys"]), "ignore=['cases', 'stolen-prompts']")
    assert [entry[1:3] for entry in found(report)] == [
        (4, "unmatched-skill"),
        (5, "unmatched-prompt"),
        (8, "unmatched-prompt"),
    ]


def test_an_owner_must_score_more(tmp_path):
    report = route(bread(tmp_path, [], [("bake rye for the piano", "piano"), ("flat keys", "piano")]))
    (entry,) = found(report)
    assert entry[:4] == ("evals/cases/bread.json", 6, "outranked-owner", "error")
    assert entry[4].startswith(
        "owner piano does not outrank bread for the negative prompt 'bake rye for the piano': 0."
    )


def test_ties_are_told_and_not_won(tmp_path):
    same = {f"skills/{name}/SKILL.md": skill(name, "Sorts drafts. Use when papers pile.") for name in ("ab", "cd")}
    write(tmp_path, {**same, "evals/cases/ab.json": cases("ab", ["drafts"])})
    report = route(tmp_path, "select=['tied-prompt', 'misrouted-prompt']")
    assert [entry[2] for entry in found(report)] == ["tied-prompt"]
    assert report.metrics["rank1"] == 0
    assert report.records["prompts"][0]["rank"] == 2
    assert report.records["prompts"][0]["tied"] == ["ab", "cd"]


def test_unscoreable_prompts_are_left_out_of_the_rate(tmp_path):
    report = route(bread(tmp_path, ["bake rye", "help me"]))
    assert (report.metrics["rank1"], report.metrics["positives"], report.metrics["unscoreable"]) == (1, 2, 1)
    assert report.metrics["rank1_percent"] == 100


def test_a_skill_that_the_model_may_not_invoke_takes_no_part(tmp_path):
    hidden = SKILLS["skills/piano/SKILL.md"].replace("---\n\n", "disable-model-invocation: true\n---\n\n", 1)
    report = route(bread(tmp_path, [], ["tune strings"], **{"skills/piano/SKILL.md": hidden}))
    assert [entry[2] for entry in found(report)] == ["vacuous-negative"]


def test_what_cannot_be_read_is_told_by_route_too(tmp_path):
    report = route(bread(tmp_path, ["bake rye"], **{"skills/odd/SKILL.md": "---\nname: odd\ndescription: a: b\n---\n"}))
    assert [entry[:3] for entry in found(report)] == [("skills/odd/SKILL.md", 3, "unquoted-colon")]


def test_a_case_file_may_be_called_by_its_skills_folder(tmp_path):
    renamed = SKILLS["skills/bread/SKILL.md"].replace("name: bread", "name: loaf-baker")
    report = route(bread(tmp_path, ["bake rye"], **{"skills/bread/SKILL.md": renamed}), "select=['routing']")
    assert report.metrics["rank1"] == 1


TWINS = {f"skills/{n}/SKILL.md": skill(n, "Sorts old notes. Use when papers pile up.") for n in ("alpha", "beta")}


class TestCollisions:
    def test_each_pair_is_told_once_in_name_order(self, tmp_path):
        report = route(write(tmp_path, TWINS))
        assert found(report) == [
            (
                "skills/alpha/SKILL.md",
                3,
                "colliding-descriptions",
                "error",
                "descriptions of alpha and beta are 100 % similar",
            )
        ]
        assert report.diagnostics[0].related[0].path == "skills/beta/SKILL.md"

    def test_an_accepted_pair_is_silent_but_recorded(self, tmp_path):
        accept = "accepted-collisions=[{skills=['beta', 'alpha'], reason='halves'}]"
        report = route(write(tmp_path, TWINS), accept)
        assert found(report) == []
        assert report.records["collisions"][0]["accepted"] is True

    def test_an_accepted_pair_must_exist(self, tmp_path):
        accept = "accepted-collisions=[{skills=['betta', 'alpha'], reason='halves'}]"
        with pytest.raises(UsageError, match="no skill 'betta'; did you mean 'beta'"):
            route(write(tmp_path, TWINS), accept)

    def test_thresholds_are_settings(self, tmp_path):
        assert found(route(write(tmp_path, TWINS), "rules.colliding-descriptions='off'")) == []

    def test_a_pair_is_reported_where_either_skill_is_named(self, tmp_path):
        write(tmp_path, TWINS)
        config = api.configure(("skills/beta",), tmp_path, ROUTING)
        report = api.route(api.routed(api.load(("skills/beta",), config, tmp_path)))
        assert len(report.diagnostics) == 1


def test_thieves_are_told_from_two_prompts_on(tmp_path):
    broad = skill("piano", "Tunes rye, dough and loaves. Use when rye bakes.")
    thin = skill("bread", "Bakes. Use when risen.")
    files = {"skills/piano/SKILL.md": broad, "skills/bread/SKILL.md": thin}
    report = route(bread(tmp_path, ["rye dough", "loaves", "bake"], **files), "select=['stolen-prompts']")
    assert [entry[1:] for entry in found(report)] == [
        (4, "stolen-prompts", "warning", "piano takes 2 of 3 positive prompts of bread")
    ]


def test_a_pair_that_settings_call_colliding_steals_nothing(tmp_path):
    broad = skill("piano", "Tunes rye, dough and loaves. Use when rye bakes.")
    files = {"skills/piano/SKILL.md": broad, "skills/bread/SKILL.md": skill("bread", "Bakes. Use when risen.")}
    collide = "rules.colliding-descriptions.threshold=0.05"
    report = route(bread(tmp_path, ["rye dough", "loaves", "bake"], **files), "select=['stolen-prompts']", collide)
    assert found(report) == []


class TestFloor:
    RATCHET = "evals/ratchet.json"

    def floor(self, root, catalog, **skills):
        text = json.dumps({"schema_version": 1, "catalog": catalog, "skills": skills})
        return write(root, {self.RATCHET: text})

    @pytest.mark.parametrize(
        ("least", "message"),
        [(50, None), (50.01, "rank-1 is 50.00 %, below the 50.01 % that --min-rank1 asks for")],
        ids=["reached", "missed"],
    )
    def test_the_rate_asked_for(self, least, message, tmp_path):
        report = route(bread(tmp_path, ["bake rye", "flat rye keys"]), "select=['below-floor']", least=least)
        assert [entry[4] for entry in found(report)] == ([message] if message else [])

    def test_no_prompt_reaches_no_floor(self, tmp_path):
        report = route(write(tmp_path, SKILLS), least=0)
        assert [entry[2:3] for entry in found(report)] == [("below-floor",)]

    def test_the_frozen_floor_of_catalog_and_skill(self, tmp_path):
        bread(tmp_path, ["bake rye", "flat rye keys"])
        report = route(self.floor(tmp_path, 60, bread=50.0, gone=100), "select=['below-floor']")
        assert found(report) == [
            (self.RATCHET, 1, "below-floor", "error", "rank-1 is 50.00 %, below the frozen floor of 60.00 %")
        ]

    def test_raising_only_raises(self, tmp_path):
        bread(tmp_path, ["bake rye"])
        self.floor(tmp_path, 20, bread=100)
        config = api.configure(base=tmp_path, overrides=ROUTING)
        routing = api.routed(api.load((), config, tmp_path))
        assert api.raise_ratchet(routing, api.route(routing)) is True
        assert json.loads((tmp_path / self.RATCHET).read_text("utf-8"))["catalog"] == 100
        again = api.routed(api.load((), config, tmp_path))
        assert api.raise_ratchet(again, api.route(again)) is False

    @pytest.mark.parametrize(
        ("paths", "prompts", "reason"),
        [
            (("skills/bread",), ["bake rye"], "name no PATHS"),
            ((), ["tune strings"], "the catalog has errors"),
            ((), [], "there is no positive prompt"),
        ],
        ids=["a part", "errors", "no prompts"],
    )
    def test_what_keeps_it_from_being_raised(self, paths, prompts, reason, tmp_path):
        bread(tmp_path, prompts)
        config = api.configure(paths, tmp_path, ROUTING)
        routing = api.routed(api.load(paths, config, tmp_path))
        with pytest.raises(UsageError, match=reason):
            api.raise_ratchet(routing, api.route(routing))

    def test_outside_of_git_there_is_no_revision(self, tmp_path):
        with pytest.raises(UsageError, match="no revision 'HEAD': this is no git repository"):
            route(bread(tmp_path), against="HEAD")

    def test_an_empty_revision_is_none(self, tmp_path):
        git(bread(tmp_path), "init", "-q")
        with pytest.raises(UsageError, match="git knows no revision ''"):
            route(tmp_path, against="")

    def test_a_vacuous_negative_is_no_failed_one(self, tmp_path):
        report = route(bread(tmp_path, [], [("paint a fence", "piano"), ("flat keys", "piano")]))
        assert (report.metrics["failed_negatives"], report.metrics["vacuous_negatives"]) == (0, 1)
        assert [prompt["passed"] for prompt in report.records["prompts"]] == [False, True]

    @pytest.mark.parametrize(
        ("now", "messages"),
        [
            ({"catalog": 80, "bread": 90}, ["the catalog's floor falls to 80.00 %; it was 90.00 %"]),
            ({"catalog": 95}, ["the floor of bread is gone; it was 90.00 %"]),
            ({"catalog": 90, "bread": 90}, []),
        ],
        ids=["lower", "gone", "same"],
    )
    def test_a_change_may_not_lower_it(self, now, messages, tmp_path):
        self.floor(bread(tmp_path, ["bake rye"]), 90, bread=90, long_gone=50)
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "-q", "-m", "before")
        self.floor(tmp_path, now.pop("catalog"), **now)
        report = route(tmp_path, "select=['lowered-floor']", against="HEAD")
        assert [entry[4] for entry in found(report)] == messages

    def test_an_unknown_revision_is_told(self, tmp_path):
        git(bread(tmp_path), "init", "-q")
        with pytest.raises(UsageError, match="git knows no revision 'nope'"):
            route(tmp_path, against="nope")
