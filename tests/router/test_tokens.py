import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.router.tokens import tokens, words


@pytest.mark.parametrize(
    "text",
    [
        "code-review",
        "code_review",
        "codeReview",
        "code\u2011review",
        "Code Review",
        "CODE-REVIEW",
        "".join(chr(ord(letter) + 0xFEE0) if letter != " " else letter for letter in "code review"),
    ],
)
def test_spellings_of_two_words_meet(text):
    assert tokens(text) == ("code", "review")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GitHub", "github"),
        ("JavaScript", "javascript"),
        ("PostgreSQL", "postgresql"),
        ("iOS", "ios"),
        ("OAuth2", "oauth2"),
        ("gRPC", "grpc"),
        ("APIs", "api"),
        ("Node.js", "nodejs"),
        ("NodeJS", "node.js"),
        ("dotnet", ".NET"),
        ("résumé", "resume"),
        ("user\u2019s guide", "users guides"),
        ("parseJSON", "parse json"),
        ("HTMLParser", "HTMLParser"),
        ("de\u00adploy", "deploy"),
        ("e-mail", "email"),
        ("E-commerce", "ecommerce"),
        ("ещё", "еще"),
        ("l\u2019image d'un", "image un"),
        ("dell'utente", "utente"),
    ],
)
def test_spellings_of_a_name_meet(one, other):
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(("one", "other"), [("Python3", "python"), ("utf8", "UTF-8"), ("vue3", "Vue.js")])
def test_a_numbered_name_meets_the_name(one, other):
    assert set(tokens(one)) & set(tokens(other))


@pytest.mark.parametrize("text", ["O'Reilly", "aujourd'hui", "rock'n'roll"])
def test_an_apostrophe_within_a_name_joins(text):
    assert len(tokens(text)) == 1


def test_a_name_unknown_to_us_matches_whole_and_in_parts():
    assert {"databoard", "data", "board"} == set(tokens("DataBoard"))
    assert set(tokens("databoard")) < set(tokens("DataBoard"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++, C# and F#", ("c++", "c#", "f#")),
        ("C#/.NET on ASP.NET", ("c#", ".net", "asp", ".net")),
        ("Go, R, k8s", ("go", "r", "k8s")),
        ("CI/CD, UI & DB", ("ci", "cd", "ui", "db")),
        ("N+1 in v1.2.3", ("n+1", "v1.2.3")),
        ("I/O, A/B and Q&A", ("i/o", "a/b", "q&a")),
        ("C/C++", ("c", "c++")),
        ("plan-e-mails", ("plan", "e", "mail")),
        ("e.g. Python 3.12", ("python", "3.12")),
    ],
)
def test_names_with_signs_stay_whole(text, expected):
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("清洗表格", ("清洗", "洗表", "表格")),
        ("茶", ("茶",)),
        ("用pandas清洗", ("用", "pandas", "清洗")),
        ("한국어 문서", ("한국", "국어", "문서")),
        ("カタカナ", ("カタ", "タカ", "カナ")),
        ("поиск Новостей", ("поиск", "новост")),
        ("отчёты отчетами", ("отчет", "отчет")),
        ("مستندات والمستندات", ("مستندات", "مستندات")),
        ("Αθήνα", ("αθηνα",)),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("مُدَرِّس", ("مدرس",)),
        ("ข่าว", ("ข่า", "าว")),
    ],
)
def test_other_scripts_have_tokens(text, expected):
    assert tokens(text) == expected


@pytest.mark.parametrize("text", ["", "   ", "?!", "help me with this", "I don't", "do it for me"])
def test_nothing_to_score_is_no_token(text):
    assert tokens(text) == ()


def test_words_come_as_they_were_written():
    assert tuple(words("Caching of Résumés")) == (("cach", "Caching"), ("resum", "Résumés"))


@given(st.text(max_size=80))
def test_any_text_has_tokens_without_spaces(text):
    found = tokens(text)
    assert all(token and not token[:1].isspace() and " " not in token for token in found)
    assert tokens(text) == found


@given(st.lists(st.sampled_from(["deploy", "C++", "数据", "tests", "review"]), max_size=6))
def test_tokens_of_a_text_are_those_of_its_words(parts):
    assert tokens(" ".join(parts)) == tuple(token for part in parts for token in tokens(part))


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a." * 50_000 + "b", "1." * 50_000, "aB" * 50_000, "茶" * 50_000, "'s" * 50_000]
)
def test_long_runs_take_linear_time(text):
    tokens(text)
