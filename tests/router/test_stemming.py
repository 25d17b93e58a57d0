import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.router.stemming import stem

FAMILIES = """
documentation document documents documented documenting
decide decides decided decision decisions deciding
migrate migrates migrated migrating migration migrations migrator
optimize optimise optimizes optimising optimization optimisation optimizer
secure secures securing security securely
deploy deploys deployed deploying deployment deployments
deprecate deprecated deprecation
analysis analyses analyse analyze analyzing analyser
size sizes sized sizing
test tests tested tester testing
refactor refactors refactored refactoring
cache caches cached caching
query queries queried querying
catalog catalogue catalogs catalogues
color colour colors colours coloured
write writes wrote written writing writer
rewrite rewrote rewritten rewriting
build builds built building builder
architecture architectural
index indices indexes indexed indexing
plan plans planned planning planner
code codes coded coding coder
type types typed typing
cancel canceled cancelled cancelling cancellation
enroll enrolment enrollment
behavior behaviour behaviours
summary summaries summarize summarise summarization
verify verifies verified verification verifier
notify notification
produce producing production
describe description
subscribe subscription
resolve resolution
convert conversion converting
expand expansion
submit submission
function functions functional functionality
operate operation operational operator
remove removal
quick quickly
automatic automatically
perform performance
refer reference
maintain maintenance maintainer
create creates creating created creation creator
choose chose chosen
run ran running runner
child children
hypothesis hypotheses hypothesize
movie movies
process processes processed processing processor
embed embeds embedded embedding
agree agreed agreement
center centre centres centred
license licence licenses
deliver delivery delivers
register registration registered
recognize recognition recognise
publish publication published
diagnose diagnosis diagnostic diagnostics
explore exploration exploratory
expose exposure exposing
idea ideate ideation
prioritize priority
automatic automatically automate automation
consistent consistency consistently
efficient efficiency
accurate accuracy
private privacy
tie ties tied tying
die dies died dying
ship ships shipped shipment
store storage stored
bus buses
tax taxes taxation
scale scalable scalability
strategy strategic
large larger largest
easy easier easiest
bad worse worst
fly flight flights
defend defense defence
mobile mobility
container containerize containers
history historical
"""

STRANGERS = """
universe university
general generate
organ organize
ration rational
nation national
policy police
import important
commune community
custom customer
corn corner
dock docker
hack hacker
new news
plan plane
cod code
cut cute
strip stripe
past pasta
able table stable
temple template
station state
comment come
mission miss
portion port
section sect
act fact factor
audit audition
base basis
market marketing
secret secretary
form format former formal
author authority
vision visit
product produce
apply application
object objective
log catalog
test latest
rest restate
substrate substring
head header
sanity sanitize
relate relative
express expression
current currency
agent agency
emergent emergency
professional professor
die dye
"""


@pytest.mark.parametrize("family", FAMILIES.strip().splitlines())
def test_forms_of_one_word_meet(family):
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize("strangers", STRANGERS.strip().splitlines())
def test_words_of_another_sense_stay_apart(strangers):
    words = strangers.split()
    assert len({stem(word) for word in words}) == len(words)


@pytest.mark.parametrize("word", ["k8s", "c++", "go", "ui", "naïve", "поиск"])
def test_other_words_are_left_alone(word):
    assert stem(word) == word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=14))
def test_a_stem_is_never_empty_and_settles(word):
    found = stem(word)
    assert found
    assert stem(word) == found
    assert len(found) <= len(word) + 3
