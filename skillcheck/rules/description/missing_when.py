"""The description says what the skill does, but not when to use it.

An agent reads the description to decide whether a task calls for the skill; the situations and the words users say help
it more than what the skill contains. This is advice, not a demand for any wording: `Use when`, `before`, `if the user
asks`, `triggers on` and the like all do, as do their counterparts in Chinese, Japanese, Korean, Spanish, French,
German, Portuguese, Italian, Russian and some others. In a script or a language that isn't known, nothing is told.

Not told where `when_to_use` says it, nor for a skill that the model can't invoke.

Source: agentskills.io/specification, "description field"; agentskills.io/skill-creation/optimizing-descriptions.

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts the notes of a folder by date.
---

Sort the notes by date.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts the notes of a folder by date. Use when a folder has grown.
---

Sort the notes by date.
````

## Good in another language
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: 按日期整理笔记。当文件夹变大时使用。
---

Sort the notes by date.
````
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule
from skillcheck.rules.description.description_placeholder import leftover
from skillcheck.rules.description.empty_description import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.skill import Skill

_PLAIN = r"\bwhen"
"""What most descriptions say: it spares them the patterns below."""
_ENGLISH = r"""\b(?:
    when|whenever|if|before|after|while|during|once|unless|until|upon|where(?:ver)?|as\s+soon\s+as|in\s+case
    | use[ds]?\s+(?:\w+\s+){0,4}?(?:for|to|in|on|with|by|as|it|this|any|proactively)|useful|usage|must\s+be\s+used
    | trigger(?:s|ed|ing)?|invok(?:e|es|ed|ing)|activat(?:e|es|ed|ing)|call\s+(?:this|it)|load\s+(?:this|it)
    | appl(?:y|ies)\s+(?:to|this|it)|(?:suitable|ideal|designed|intended|meant|helpful|handy|reach)\s+for
    | asks?|asked|asking|wants?|needs?|mentions?|requests?|says?
)\b | (?:\A|[.;,]\s+)(?:not\s+)?for\s"""
_OTHER_LATIN = r"""\b(?:
    cuando|siempre\s+que|antes\s+de|después\s+de|mientras|usar|úsa(?:la|lo)|usa|use|utili[zc]a\w*
    | si\s+(?:el|la|un|se|hay|necesit\w+|quier\w+)
    | quand|lorsqu\w*|dès\s+que|avant\s+(?:de|d)|après|pendant|utilise[rz]?|à\s+utiliser|en\s+cas|s'il
    | si\s+(?:l|le|vous|on|tu)
    | wenn|falls|sobald|bevor|nachdem|während|beim?|vor\s+dem|nach\s+dem|verwende[nt]?|nutze[nt]?|benutze[nt]?
    | einsetzen|anwenden|ausgelöst
    | quando|sempre\s+que|antes|depois|após|durante|ao|caso|se\s+(?:o|a|um|il|lo|la|un|l)|utilizar|acione
    | prima\s+di|dopo|mentre|usare|usalo|qualora|ogni\s+volta
    | wanneer|zodra|voordat|nadat|gebruik|als\s+(?:je|de|een)|kiedy|gdy|jeśli|jeżeli|użyj|używaj
    | när|innan|använd\w*|zaman|olduğunda|kullan\w*|khi|nếu|ketika|saat|jika|sebelum|gunakan
)\b"""
_CHINESE = (
    "当|當|时|時|如果|若|一旦|之前|之后|之後|以前|以后|以後|用于|用於|适用|適用|触发|觸發|需要|要求"
    "|用户|使用|场景|場景|凡是|遇到|请求|請求"
)
_JAPANESE = (
    "とき|時|場合|際|したら|れば|なら|たい|前に|後に|使|依頼|求め|トリガ|ために|向け|必要|ユーザ|タイミング|用い|起動"
)
_KOREAN = "때|경우|면|전에|후에|시 |사용|요청|트리거|위해|필요|언급|이용|활용|호출"
_RUSSIAN = r"""\b(?:
    когда|если|при|перед|до|после|во\s+время|чтобы|для|использ\w+|примен\w+|вызыва\w+|запуска\w+|нужно|прос[ия]т
    | запрос\w*|коли|якщо|після|під\s+час|використ\w+|когато|ако|кад|кога
)\b"""
_WHEN = {
    "LATIN": (_ENGLISH, _OTHER_LATIN),
    "CJK": (_CHINESE, _ENGLISH),
    "HIRAGANA": (_JAPANESE, _ENGLISH),
    "HANGUL": (_KOREAN, _ENGLISH),
    "CYRILLIC": (_RUSSIAN, _ENGLISH),
}
"""What to look for, by script; compiled when they are first needed, since most descriptions speak English."""

_KNOWN_WORDS = r"""\b(?:
    the|a|an|and|or|of|to|with|from|in|into|by|for|your|that|el|los|las|un|una|del|con|le|les|des|une|et|avec|du|der
    | die|das|und|mit|von|ein|eine|os|uma|com|dos|il|gli|di|della|che
)\b"""
_FEW = 8
_READ = 8192


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Look for a wording of time or condition in the description's language."""
    text = skill.description[:_READ]
    if is_blank(text) or skill.string("when_to_use") or skill.is_hidden or leftover(text):
        return
    script = _script(text)
    wordings = (_PLAIN, *_WHEN.get(script, ()))
    if len(wordings) == 1 or any(_finds(wording, text) for wording in wordings):
        return
    if script == "LATIN" and not _is_known(text):
        return
    yield Problem(
        skill.value_span("description"),
        "the description does not say when to use the skill",
        "add a clause such as 'Use when …'",
    )


def _script(text: str) -> str:
    """The script of most letters, by the names that Unicode gives them; Chinese characters among kana are Japanese."""
    if text.isascii():
        return "LATIN"
    counts: dict[str, int] = {}
    for character in filter(str.isalpha, text):
        script = unicodedata.name(character, "").partition(" ")[0]
        script = "HIRAGANA" if script == "KATAKANA" else script
        counts[script] = counts.get(script, 0) + (1 if script == "LATIN" else 3)
    if "HIRAGANA" in counts and "CJK" in counts:
        counts["HIRAGANA"] += counts.pop("CJK")
    return max(counts, key=lambda script: (counts[script], script), default="")


def _finds(pattern: str, text: str) -> bool:
    return bool(re.search(pattern, text, re.IGNORECASE | re.VERBOSE))


def _is_known(text: str) -> bool:
    """Whether a text in Latin letters is in a language whose words we know, as far as one can tell."""
    words = text.split()
    return _finds(_KNOWN_WORDS, text) or (text.isascii() and len(words) <= _FEW)


RULE = SkillRule(__name__, Severity.INFO, __doc__, check)
