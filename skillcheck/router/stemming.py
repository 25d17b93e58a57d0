"""A light English stemmer: inflections of a word meet, words of another sense stay apart.

Porter and Snowball merge "universe" with "university" and "general" with "generate"; lighter stemmers part "migrate" from "migration".
This one takes off an inflection (plural, tense), then at most one derivation whose sense stays that of the verb (-ation, -ment, -er ...),
then evens the spelling. The tables list the English words whose spelling misleads those rules.
"""

import re
from functools import cache

# "base form form, base form": irregular verbs and nouns, and derivations that no rule below reaches.
_FAMILIES = """
become became, begin began begun, bind bound, bite bitten, blow blew blown, break broke broken, bring brought, build built,
buy bought, catch caught, choose chose chosen choice choices, come came, dig dug, do did done does, draw drew drawn,
drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, fly flew flown flies,
forget forgot forgotten, freeze froze frozen, get got gotten, give gave given, go went gone goes, grow grew grown growth, hang hung,
have had has having, hear heard, hide hid hidden, hold held, keep kept, know knew known, lay laid, lead led, lend lent, lose lost,
make made, mean meant, meet met, pay paid, ride rode ridden, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold,
send sent, shake shook shaken, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, speak spoke spoken,
spend spent, spin spun, stand stood, steal stole stolen, stick stuck, swim swam swum, take took taken, teach taught, tell told,
think thought thoughts, throw threw thrown, wake woke woken, wear wore worn, win won, write wrote written,
child children, person people, man men, woman women, mouse mice, foot feet, tooth teeth, criterion criteria, phenomenon phenomena,
schema schemata, index indices, matrix matrices, vertex vertices, appendix appendices, axis axes, life lives, knife knives,
half halves, shelf shelves, wolf wolves, loaf loaves, thief thieves,
maintain maintenance, explain explanation explanations explanatory, compare comparison comparisons, fail failure failures,
respond response responses, behave behavior behaviors behavioral, advise advice, assume assumption assumptions,
consume consumption, retain retention, practice practise practises practised practising, program programme programmes, gray grey,
artifact artefact artefacts, idea ideate ideates ideated ideating ideation, judge judgment judgement judgments judgements, age aging ageing,
api apis, gpu gpus, cpu cpus, tpu tpus, sku skus, menu menus, cli clis, gui guis, kpi kpis, uri uris, wiki wikis, emoji emojis,
taxi taxis, ski skis, pr prs, db dbs, vm vms, id ids, ad ads, pc pcs, ui uis
"""
_IRREGULAR = {form: family.split()[0] for family in _FAMILIES.split(",") for form in family.split()}

# Words that only look inflected or derived; the rest of the word would be another one ("corner" is not "corn", a docker does not dock).
_WHOLE = frozenset(
    """
    alias always basis oasis atlas bias canvas gas lens news pandas perhaps plus series species thus yes
    anything bleed breed ceiling creed during embed evening everything exceed feed greed hundred indeed infrared king marketing morning
    need nothing proceed pudding sacred seed sibling something speed sterling string succeed weed wedding
    after alter another answer archer banner barrier better bitter border buffer burger butter butler caliber cancer center chapter character
    charter cipher cluster copper corner counter cover customer danger defer dinner discover docker either enter ever fever fiber filter finger
    flower folder former gather gender hacker hammer however infer inner ladder latter layer ledger letter lever lier liter manner master
    matter meter minister monster never newspaper number offer officer order other outer over paper partner pepper poker porter poster
    powder power prefer primer proper quarter ranger recover refer register render river server shelter shoulder shower sister soccer
    sticker suffer summer super temper tender theater ticker tiger together tower transfer transformer trigger under upper water weather whether
    whisper wonder zipper
    ancestor censor director doctor factor junior major mentor minor monitor refactor rumor sector senior tailor tractor tutor vector
    apartment department comment fragment statement garment tournament compartment fundamental
    anomaly assembly early family italy july only business governess harness witness
    audition university diversity commission climate private template national international rational station
    """.split()
)

_PREFIX = re.compile(r"(fore|mis|out|over|re|un|under|up)(?=[a-z]{3})")

# Ordered (pattern, replacement) rules. Of each group the first that matches is applied; the groups run in the order of _GROUPS.
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
        (r"(..)ied$", r"\1y"),
        (r"(.[^aeiou]e)ed$", r"\1e"),
        (r"([^eo]at)(?:ed|ing)$", r"\1e"),
        (r"^(.*[aeiouy].*)(?:ed|ing)$", r"\1"),
    ),
    "quality": (
        (r"(.ation)al(?:ly)?$", r"\1"),
        (r"(..[st]ion|..ic|..ment|...ur)al(?:ly|ity)?$", r"\1"),
        (r"(..(?:[aeio]v|ew|aw|os))al$", r"\1"),
        (r"(..bl)y$", r"\1e"),
        (r"(...[^p])ly$", r"\1"),
        (r"(....)ness$", r"\1"),
        (r"bility$", "ble"),
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
        (r"^acquisition$", "acquire"),
    ),
    "derivation": (
        (r"ific(?:ation|ator|ate)$", "ify"),
        (r"(....)(?<![eo])at(?:ion|ive|or|e)$", r"\1"),
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
_GROUPS = tuple((name, tuple((re.compile(pattern), new) for pattern, new in rules)) for name, rules in _RULES.items())

# All of these are applied, in order: y after a consonant, a doubled letter, British s for z, and -ize on a noun in -y.
_ENDINGS = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"([^aeiou])y$", r"\1i"),
        (r"(..)([bdfgklmnprtvz])\2$", r"\1\2"),
        (r"(...[iy])z$", r"\1s"),
        (r"(..(?:ar|or|it)i)s$", r"\1"),
        (r"(hes|phas)[iy]s$", r"\1"),
    )
)


def _regular(word: str) -> str:
    """Base form of an irregular form, also after a prefix: "rewritten" -> "rewrite"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    prefix = _PREFIX.match(word)
    rest = word[prefix.end() :] if prefix else ""
    return prefix[0] + _IRREGULAR[rest] if prefix and rest in _IRREGULAR else word


def _first(rules: tuple[tuple[re.Pattern[str], str], ...], word: str) -> str:
    """`word` after the first rule that matches."""
    for pattern, new in rules:
        changed, count = pattern.subn(new, word, count=1)
        if count:
            return changed
    return word


# "cod", "plan", "quot": English doubles the last consonant of these before a vowel ("planned"), so "coded" comes from "code", and the e
# of "code" and "plane" tells them from "cod" and "plan".
_SHORT = re.compile(r"y?[^aeiouy]*(?:(?<=q)u)?[aeiouy][^aeiouwxy]")


@cache
def stem(word: str) -> str:
    """Stem of one lower-case word; never empty, the same for the same word always.

    Words with a digit or a letter outside a-z, and words of up to two letters, are returned as they are. A stem need not be a word, and
    stemming a stem may change it again.
    """
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    for group, rules in _GROUPS:
        word = _regular(word)
        if len(word) <= 3 or word in _WHOLE:
            break
        word, whole = _first(rules, word), word
        if word != whole and group in {"tense", "derivation"} and _SHORT.fullmatch(word):
            word += "e"
    if len(word) > 3 and word[-1] == "e" != word[-2] and not _SHORT.fullmatch(word[:-1]):
        word = word[:-1]
    for pattern, new in _ENDINGS:
        word = pattern.sub(new, word)
    return word
