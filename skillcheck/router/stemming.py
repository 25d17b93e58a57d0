"""A light English stemmer: inflections of a word meet, words of another sense stay apart.

Porter and Snowball merge "universe" with "university" and "general" with "generate"; lighter stemmers part "migrate" from "migration".
This one takes off an inflection (plural, tense), then at most one derivation whose sense stays that of the verb (-ation, -ment, -er ...),
then evens the spelling. The tables list the English words whose spelling misleads those rules.
"""

import re
from functools import cache

# "base form form, base form": irregular verbs and nouns, and derivations that no rule below reaches.
_FAMILIES = """
become became, begin began begun, bind bound, bite bit bitten, blow blew blown, break broke broken, bring brought, build built,
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
half halves, shelf shelves, wolf wolves, loaf loaves, thief thieves, basis, oasis,
maintain maintenance, explain explanation explanations explanatory, compare comparison comparisons, fail failure failures,
respond response responses, behave behavior behaviors behavioral, advise advice, assume assumption assumptions,
consume consumption, retain retention, practice practise practises practised practising, program programme programmes, gray grey,
artifact artefact artefacts, judge judgment judgement judgments judgements, age aging ageing,
api apis, gpu gpus, cpu cpus, tpu tpus, sku skus, menu menus, cli clis, gui guis, kpi kpis, uri uris, wiki wikis, emoji emojis,
taxi taxis, ski skis
"""
_IRREGULAR = {form: family.split()[0] for family in _FAMILIES.split(",") for form in family.split()}

# Words that only look inflected or derived; the rest of the word would be another one ("corner" is not "corn", a docker does not dock).
_WHOLE = frozenset(
    """
    alias always atlas bias canvas gas lens news pandas perhaps plus series species thus yes
    anything bleed breed ceiling creed during embed evening everything exceed feed greed hundred indeed infrared king marketing morning
    need nothing proceed pudding sacred seed sibling something speed sterling string succeed weed wedding
    after alter another answer archer banner barrier better bitter border buffer burger butter butler cancer center chapter character
    charter cipher cluster copper corner counter cover customer danger defer dinner discover docker either enter ever fever filter finger
    flower folder former gather gender hacker hammer however infer inner ladder latter layer ledger letter lever lier liter manner master
    matter meter minister monster never newspaper number offer officer order other outer over paper partner pepper poker porter poster
    powder power prefer primer proper quarter ranger recover refer register render river server shelter shoulder shower sister soccer
    sticker suffer summer super temper tender ticker tiger together tower transfer transformer trigger under upper water weather whether
    whisper wonder zipper
    ancestor censor director doctor factor junior major mentor minor monitor refactor rumor sector senior tailor tractor tutor vector
    apartment department statement garment tournament compartment fundamental
    anomaly assembly early family italy july only business governess harness witness
    university diversity commission climate private template national international rational station
    """.split()
)

_RESPELL = (
    (re.compile(r"(behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rum|sav|vap)our"), r"\1or"),
    (re.compile(r"^(calib|cent|fib|lit|met|theat)re(?=[ds]?$)"), r"\1er"),
    (re.compile(r"(?<=lo)gue(?=s?$)"), "g"),
    (re.compile(r"^(defen|licen|offen|preten)ce"), r"\1se"),
)

# Derivations, first match wins; the lookbehinds say how much of a word must be left. A replacement may leave a bare stem.
_DERIVED = tuple(
    (re.compile(pattern), stem)
    for pattern, stem in (
        (r"ational(ly)?$", "ation"),
        (r"(?<=[a-z]{3}[st]ion)al(ly)?$", ""),
        (r"(?<=[a-z]{2}ic)al(ly)?$", ""),
        (r"(?<=[a-z]{3}ment)al(ly)?$", ""),
        (r"(?<=ur)al(ly)?$", "e"),
        (r"(?<=[a-z]{2}[aeo][vw]|[a-z]{2}i[ev]|[a-z]{2}os)al$", "e"),
        (r"(?<=[a-z]{3}[^aeiou])ly$", ""),
        (r"(?<=[a-z]{3}[aeiu])ly$", ""),
        (r"(?<=[a-z]{4})ness$", ""),
        (r"bility$", "ble"),
        (r"(?<=[a-z]iv|[a-z]ic|ular|ilar|olar|[a-z]ur|plex|[a-z]id|[dt]ens)ity$", "e"),
    )
)
