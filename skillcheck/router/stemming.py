"""A light English stemmer: inflections of a word meet, words of another sense stay apart.

Porter and Snowball merge "universe" with "university" and "general" with "generate"; lighter stemmers part "migrate"
from "migration". This one takes off an inflection (plural, tense), then at most one derivation whose sense stays that
of the verb (-ation, -ment, -er ...), then evens the spelling. The tables list the English words whose spelling misleads
those rules.
"""

import re
from functools import cache

# "base form form, base form": irregular verbs and nouns, and derivations that no rule below reaches.
_FAMILIES = """
ad ads, administer administration administrative administrator, advise advice, age aging ageing, api apis, appendix
appendices, artifact artefact artefacts, assume assumption assumptions, automate automatic automatically, axis axes, bad
worse worst, become became, begin began begun, behave behavior behaviors behavioral, big biggest, bind bound, bite
bitten, blow blew blown, break broke broken, bring brought, build built, bus buses, buy bought, catch caught, cheap
cheapest, child children, choose chose chosen choice choices, clean cleanest, cli clis, come came, compare comparison
comparisons, consume consumption, container containerise containerised containerize containerized containerization, cpu
cpus, criterion criteria, db dbs, defend defense, deny denial, dig dug, do did done does, draw drew drawn, drive drove
driven, easy easiest, eat ate eaten, emoji emojis, explain explanation explanations explanatory, fail failure failures,
fall fell fallen, fast fastest, feed fed, feel felt, fight fought, find found, fly flew flown flies flight flights, foot
feet, forget forgot forgotten, freeze froze frozen, gas gases, get got gotten, give gave given, go went gone goes, gpu
gpus, gray grey, grow grew grown growth, gui guis, half halves, hang hung, have had has having, hear heard, hide hid
hidden, high highest, history historic historical, hold held, id ids, idea ideate ideates ideated ideating ideation,
index indices, inquire inquiry inquiries, judge judgment judgement judgments judgements, keep kept, knife knives, know
knew known, kpi kpis, large largest, lay laid, lead led, lend lent, life lives, loaf loaves, long longest, lose lost,
low lowest, maintain maintenance, make made, man men, matrix matrices, mean meant, meet met, menu menus, mobile
mobility, mouse mice, near nearest, new newest, old oldest, pay paid, pc pcs, person people, phenomenon phenomena,
photograph photography photographer, pr prs, practice practise practises practised practising, predict predictive,
program programme programmes, pronounce pronunciation, quick quickest, refuse refusal, respond response responses,
retain retention, reverse reversal, ride rode ridden, rise rose risen, run ran, safe safest, say said, scale scalable
scalability, schema schemata, see saw seen, seek sought, sell sold, send sent, shake shook shaken, shelf shelves, ship
shipment shipments, short shortest, shrink shrank shrunk, simple simplest, sing sang sung, sink sank sunk, sit sat, ski
skis, sku skus, sleep slept, slow slowest, small smallest, speak spoke spoken, spend spent, spin spun, stand stood,
steal stole stolen, stick stuck, store storage, strategy strategic, strong strongest, swim swam swum, take took taken,
tax taxation, taxi taxis, teach taught, tell told, theory theoretical, thief thieves, think thought thoughts, throw
threw thrown, tooth teeth, tpu tpus, ui uis, uri uris, vertex vertices, vm vms, wake woke woken, wear wore worn, wiki
wikis, win won, wolf wolves, woman women, write wrote written
"""
_IRREGULAR = {form: family.split()[0] for family in _FAMILIES.split(",") for form in family.split()}

# Words that only look inflected or derived; the rest of the word would be another one ("corner" is not "corn", a docker
# does not dock).
_WHOLE_TEXT = """
after alias alter always ancestor anomaly another answer anything apartment archer assembly atlas audition banner
barrier basement basis batter better bias bitter bleed border bother breed brother buffer bunker burger business butler
butter caliber cancer canvas ceiling censor center chapter character charter cipher climate cluster comment commission
compartment copper corner counter cover creed currency customer danger defer department designate dinner director
discover diversity docker doctor during early either embed emergency enter evening ever everything exceed expression
factor family feed fever fiber filter finger flower folder footer former fragment fundamental garment gas gather gender
governess greed gutter hacker hammer harness header hinder however hundred indeed infer infrared inner international
italy july junior king laboratory ladder latter layer ledger lens letter lever lier liter litter locker major manner
marketing master matter mentor meter minister minor monitor monster morning mother national need never news newspaper
nothing number oasis offer officer only order other outer over pandas paper partner pepper perhaps plotly plus poker
ponder porter poster powder power prefer primate primer private proceed professor proper pudding quarter question ranger
rational recover refactor refer register relative relativity render restate river rubber rumor sacred sector seed senior
series server shapely shelter shoulder shower shutter sibling sister slipper soccer something species speed statement
station sterling sticker string succeed suffer summer super sweater tailor taper teammate temper template tender theater
thus ticker tiger together tournament tower tractor traitor transfer transformer trigger tutor twitter under university
upper vector wander water weather wedding weed whether whisper witness wonder yes zipper
"""
_WHOLE = frozenset(_WHOLE_TEXT.split())

_PREFIXES = ("fore", "mis", "out", "over", "re", "un", "under", "up")

# Ordered (pattern, replacement) rules. Of each group the first that matches is applied; the groups run in this
# order.
_RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "spelling": (
        (r"(behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rum|sav|vap)our", r"\1or"),
        (r"^(calib|cent|fib|lit|met|theat)r(?=e[ds]?$)", r"\1er"),
        (r"(lo)gue(?=s?$)", r"\1g"),
        (r"^(defen|licen|offen|preten)ce", r"\1se"),
    ),
    "plural": (
        (r"(..)ies$", r"\1y"),
        (r"(cri|gno|mpha|.ly|the)s[ei]s$", r"\1s"),
        (r"([^sui])s$", r"\1"),
    ),
    "tense": (
        (r"^(d|l|t|unt|v)(?:ied|ying)$", r"\1ie"),
        (r"(..)ied$", r"\1y"),
        (r"(.[^aeiou]e)ed$", r"\1e"),
        (r"([^eo]at)(?:ed|ing)$", r"\1e"),
        (r"^(.*[aeiouy].*)(?:ed|(?<!str)ing)$", r"\1"),
    ),
    "quality": (
        (r"(.ation)al(?:ly)?$", r"\1"),
        (r"(..[st]ion|..ic|..ment|...ur)al(?:ly|ity)?$", r"\1"),
        (r"(..(?:[aeio]v|ew|aw|os))al$", r"\1"),
        (r"(..bl)y$", r"\1e"),
        (r"(...[^p])ly$", r"\1"),
        (r"(....)ness$", r"\1"),
        (r"bility$", "ble"),
        (r"(...[ae]n)cy$", r"\1t"),
        (r"(accur|advoc|priv)acy$", r"\1ate"),
        (r"(.iv|.ic|.id|[iou]lar|..ur|plex|.[dt]ens)ity$", r"\1e"),
    ),
    # Latin verbs whose noun has another stem
    "alternation": (
        (r"^decisi(?:on|ve)$", "decide"),
        (r"(colli|divi|clu|plo)sion$", r"\1de"),
        (r"(..(?:hen|pan|pen|ten))sion$", r"\1d"),
        (r"(con|di|in|re)version$", r"\1vert"),
        (r"^(ad|e|o|per|sub|trans)mission$", r"\1mit"),
        (r"^(con|de|per)ception$", r"\1ceive"),
        (r"(duc)tion$", r"\1e"),
        (r"(scri)ption$", r"\1be"),
        (r"([sv]ol)ution$", r"\1ve"),
        (r"(defin)ition$", r"\1e"),
        (r"^(compet)it(?:ion|ive|or)$", r"\1e"),
        (r"(compos)ition$", r"\1e"),
        (r"(recogn)ition$", r"\1ize"),
        (r"^acquisition$", "acquire"),
        (r"^publication$", "publish"),
        (r"(satis)faction$", r"\1fy"),
        (r"(filt|regist)ration$", r"\1er"),
        (r"(cov|eliv)ery$", r"\1er"),
        (r"(gnos)tic$", r"\1e"),
        (r"(..[cp][lo]?os)ure$", r"\1e"),
    ),
    "derivation": (
        (r"ific(?:ation|ator|ate)$", "ify"),
        (r"(....)(?<![eo])at(?:ion|ive|ory?|e)$", r"\1"),
        (r"([aeiou][^aeiou]at|eat)(?:ion|ive|or)$", r"\1e"),
        (r"^(...+[^a]t|...+[^s]s|....+ss)ion$", r"\1"),
        (r"^(.*pay|...+[^aiou])(?<!ele)(?<!cre)(?<!ple)(?<!doc)ment$", r"\1"),
        (r"^(.*[aeiouy].*[^e])(?<=...)er$", r"\1"),
        (r"^(..+(?:ct|it|ut|ess|est|vis))or$", r"\1"),
        (r"(form|ern|guid|[se]sist|cept|attend|appear|allow|inherit|sur|toler)ance$", r"\1"),
        (r"(..fer|depend|exist|insist|occur|persist)r?ence$", r"\1"),
        (r"(compli|reli|defi)an(?:ce|t)$", r"\1"),
    ),
}
# Most words match no rule of a group, which one search over all its patterns tells.
_GROUPS = tuple(
    (
        name,
        re.compile("|".join(f"(?:{pattern})" for pattern, _ in rules)),
        rules,
    )
    for name, rules in _RULES.items()
)

# All of these are applied, in order: y after a consonant, a doubled letter, British s for z, and -ize on a noun in -y.
_ENDINGS = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"([^aeiou])y$", r"\1i"),
        (r"(..)([bdfgklmnprtvz])\2$", r"\1\2"),
        (r"(...[iy])z$", r"\1s"),
        (r"(..[ao]ri|....iti)s$", r"\1"),
        (r"(hes|phas)[iy]s$", r"\1"),
    )
)

# Case endings, which also end most verbs, and the Arabic article with what is written together with it.
_RUSSIAN = re.compile(
    "(?<=[\u0430-\u045f]{3})(?:иями|[ая]ми|[ое]го|[ое]му|[ыи]ми|и?ях|[аыи]х|[ое]в|[еоиы]й|[ая]я|[оеыи]е|[ую]ю|и[яюи]|[аяое]м"  # noqa: RUF001
    "|[аяеиы]?ть|[аеиоуыьэюяі])$"
)
_ARABIC = re.compile("^(?:[\u0648\u0641\u0628\u0643]?\u0627\u0644|\u0648?\u0644\u0644)(?=[\u0621-\u064a]{3})")

# "cod", "plan", "quot": English doubles the last consonant of these before a vowel ("planned"), so "coded" comes from
# "code", and the e of "code" and "plane" tells them from "cod" and "plan".
_SHORT = re.compile(r"y?[^aeiouy]*(?:(?<=q)u)?[aeiouy][^aeiouwxy]")
_SHORTEST = 3
_LONGEST = 32
"""Longer runs of letters are no words; the patterns would take time that grows with the square of the length."""


def _regular(word: str) -> str:
    """Base form of an irregular form, also after a prefix: "rewritten" -> "rewrite"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.startswith(_PREFIXES):
        for prefix in _PREFIXES:
            rest = word.removeprefix(prefix)
            if len(rest) < len(word) and len(rest) >= _SHORTEST and rest in _IRREGULAR:
                return prefix + _IRREGULAR[rest]
    return word


def _first(rules: tuple[tuple[str, str], ...], word: str) -> str:
    """`word` after the first rule that matches."""
    for pattern, new in rules:
        changed, count = re.subn(pattern, new, word, count=1)
        if count:
            return changed
    return word


@cache
def stem(word: str) -> str:
    """Stem of one lower-case word; never empty, the same for the same word always.

    Words with a digit, very short and very long ones are returned as they are; of other alphabets, Russian case
    endings and the Arabic article are taken off. A stem need not be a word, and stemming a stem may change it again.
    """
    if "\u0400" < word[-1] < "\u0700":
        return _ARABIC.sub("", _RUSSIAN.sub("", word))
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return word
    changed = True
    for group, likely, rules in _GROUPS:
        if changed:
            word = _regular(word)
        if len(word) <= _SHORTEST or word in _WHOLE:
            break
        changed = likely.search(word) is not None
        if changed:
            word = _first(rules, word)
            if group in {"tense", "derivation"} and _SHORT.fullmatch(word):
                word += "e"
    if len(word) > _SHORTEST and word[-1] == "e" != word[-2] and not _SHORT.fullmatch(word[:-1]):
        word = word[:-1]
    for pattern, new in _ENDINGS:
        word = pattern.sub(new, word)
    return word
