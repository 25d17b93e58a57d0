"""Words of a text as the router compares them: one rule for prompts, names and descriptions.

A token is a stemmed word in lower case without accents. What people write in several ways meets: code-review,
code_review, codeReview and "code review"; GitHub and github; résumé and resume; Node.js and nodejs. Names with signs
stay whole: C++, C#, .NET, N+1, I/O, v1.2.3. Scripts written without spaces become overlapping pairs of characters,
since no dictionary is at hand. Tokens match whole or not at all.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from skillcheck.router.stemming import stem

# Frequent words without a topic. Few on purpose: longer lists measured worse, and words like "go" and "r" are names.
_STOP_TEXT = """
a about all also an and any are as at be been before both but by can could did do does each eg etc for from had has have
help how i ie if in into is it its just let like may me more most must my need needs no not of off on one only or other
our out please should so some than that the their them then there these they this those through to too up us use used
uses using via want wants was we were what when where which while who why will with would you your
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())

# Names whose inner capitals mark no word boundary. Words in PascalCase that are not here count both ways, see `_humps`.
_NAMES_TEXT = """
bigquery chatgpt clickhouse cloudformation couchdb deepseek devops devsecops dynamodb facebook fastapi finops github
gitlab gitops graphql hubspot huggingface influxdb javascript langchain langgraph latex linkedin llamaindex macos
mariadb mlops mongodb mysql nosql numpy onedrive openai openapi opensuse opentelemetry paypal postgresql powerpoint
powershell pytorch quickbooks rabbitmq scipy secops servicenow sharepoint sqlite stackoverflow tensorflow tiktok tvos
typescript webassembly webgl webgpu webrtc websocket whatsapp wordpress youtube
"""
_NAMES = frozenset(_NAMES_TEXT.split())

# Han, kana, Hangul (spaced, but its particles are attached), Thai, Lao, Burmese, Khmer.
_SPACELESS = (
    "\u1000-\u103f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3031-\u3035\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u0e01-\u0e2e\u0e30-\u0e46\u0e81-\u0ec6\U00020000-\U0003ffff"
)


@cache
def _marks() -> str:
    """Signs that belong to the letter before them: accents, vowel signs, tones; no pattern counts them as letters."""
    return "".join(chr(code) for code in range(0x300, 0x1100) if unicodedata.category(chr(code)).startswith("M"))


# What only texts beyond Latin letters and common punctuation need: compiling the classes above takes a while.
_FAR = re.compile("[^\x00-\u024f\u2000-\u206f\u2190-\u21ff]")


@cache
def _pattern(spaceless: str, marks: str) -> re.Pattern[str]:
    """Words of a text, given the letters that stand without spaces and the marks that belong to letters."""
    run = f"[{spaceless}][{spaceless}{marks}]*" if spaceless else "(?!)"
    mark = f"[{marks}]" if marks else "(?!)"
    return re.compile(
        rf"""
        (?P<sign> \.[nN][eE][tT](?![A-Za-z_]) | [vV]?\d+(?:\.\d+)+ | [A-Za-z][A-Za-z0-9]*\+\+ | [A-Za-z]\#(?![A-Za-z_])
                | [A-Za-z]\+\d+ | [A-Za-z][/&][A-Za-z](?![\w+#/&]) )
        | (?P<initials> (?:[A-Za-z]\.){{2,9}}(?!\w) )
        | (?P<run> {run} )
        | (?P<word> (?:(?<![\w-])[eE]-(?=[A-Za-z]{{3}}))?
                    [^\W_{spaceless}](?:[^\W_{spaceless}]|{mark}|['\u2019](?=[^\W\d_]))* )
        """,
        re.VERBOSE,
    )


# l'image, d'un, qu'on; dell'utente
_ELIDED = re.compile(
    r"\A(?:[cdjlmnst]|qu|(?:lors|puis|jus|quel)qu|(?:a|da|de|ne|su)ll|un|quest)'(?=[aeiouyh\u00e0-\u00ff\u0153])",
    re.IGNORECASE,
)
_CONTRACTED = re.compile("'(?:d|ll|m|re|s|ve)?$", re.IGNORECASE)
_SCRIPT = re.compile(r"(\w{2,})([jJ][sS])")
_NUMBERED = re.compile(r"([A-Za-z]{3,})\d{1,2}")
_CAMEL = re.compile("[a-z][A-Z]|[A-Z]{2}[a-z]")
_PLURAL = re.compile("[A-Z]{2,}s")
_HUMP = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])\d*|[A-Z]?[^\WA-Z_\d]+\d*|[A-Z]|\d+")
# Soft hyphens and joiners, and the points of Hebrew and Arabic, which most writers leave out.
_DROPPED = dict.fromkeys(
    (0xAD, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x640, *range(0x64B, 0x653))
)
_LETTERS = str.maketrans({"\u0451": "\u0435", "\u0131": "i", "æ": "ae", "đ": "d", "ł": "l", "ø": "o", "œ": "oe"})
_ACCENTS = re.compile("(?<=[a-z\u03b1-\u03c9])[\u0300-\u036f]+")


def tokens(text: str) -> tuple[str, ...]:
    """Stemmed tokens of `text` in order, stop words left out; empty when nothing in it can be scored."""
    return tuple(token for token, _ in words(text))


def is_far(text: str) -> bool:
    """Whether a text has letters beyond Latin ones, which takes patterns that most catalogs never need."""
    return _FAR.search(text) is not None


def words(text: str) -> Iterator[tuple[str, str]]:
    """Each token of `text` with the word it comes from, as written."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_DROPPED)
    pattern = _pattern(_SPACELESS, _marks()) if is_far(text) else _pattern("", "")
    for match in pattern.finditer(text):
        found = match[0]
        if match["word"]:
            yield from _split(found)
        elif match["run"]:
            yield from ((pair, pair) for pair in _pairs(found))
        elif match["sign"]:
            yield found.lower(), found
        elif (letters := found.replace(".", "").lower()) not in STOP_WORDS:
            yield letters, found


def _pairs(run: str) -> Iterator[str]:
    """Overlapping pairs of characters, each with its marks; a single one stays."""
    characters = re.findall(f"(?s).[{_marks()}]*", run)
    return map("".join, pairwise(characters)) if characters[1:] else iter(characters)


@cache
def _split(word: str) -> tuple[tuple[str, str], ...]:
    """Tokens of one word, which may be a contraction, an identifier or a name with inner capitals."""
    head = word.replace("\u2019", "'").replace("-", "")  # e-mail is email
    if head.endswith("n't"):
        return ()
    head = _CONTRACTED.sub("", _ELIDED.sub("", head)).replace("'", "")
    parts = ((_plain(hump), hump) for hump in _humps(head))
    return tuple((_token(plain), hump) for plain, hump in parts if plain and plain not in STOP_WORDS)


def _humps(word: str) -> tuple[str, ...]:
    """Parts of a camelCase word. PascalCase may be a name or an identifier, so the whole counts beside its parts."""
    if script := _SCRIPT.fullmatch(word):  # nodejs is node.js
        return script.groups()
    if numbered := _NUMBERED.fullmatch(word):  # python3 is python too
        return (word, numbered[1])
    if not _CAMEL.search(word) or word.casefold() in _NAMES:
        return (word,)
    if _PLURAL.fullmatch(word):  # APIs
        return (word[:-1],)
    parts = tuple(_HUMP.findall(word))
    if min(map(len, parts)) == 1:  # OAuth2, iOS
        return (word,)
    return parts if word[0].islower() else (word, *parts)


def _plain(word: str) -> str:
    """Lower case, without accents on Latin and Greek letters (elsewhere they make another letter)."""
    word = word.casefold()
    if word.isascii():
        return word
    folded = _ACCENTS.sub("", unicodedata.normalize("NFD", word.translate(_LETTERS)))
    return unicodedata.normalize("NFC", folded)


def _token(word: str) -> str:
    return ".net" if word == "dotnet" else stem(word)
