"""What the page says in words. What was counted by hand says so."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

HOW: Final = """\
Linking finds what a text speaks of in the graph: *"Mother had a heart atack"* → the
stretch "heart atack", myocardial infarction, said of the family. It works on any table of
names (id, type, name, language), and says so when it does not know.

1. **Keys.** Every name and every text is cut into words, and each word gets a key in which
   spellings of one thing are equal: case, accents, full-width letters, plural, British or
   American, Roman or Arabic numerals, Greek letters, Traditional or Simplified characters.
2. **Exact names.** In running text an automaton finds all names at once, the longest at each
   place; none goes over the end of a line. A mention on its own is looked up. Of several
   entities with one name, the one that is *called* so goes before those that are *also known*
   so, then HPO and MONDO before other ontologies, these before codes of ICD-9-CM and names
   that a source alone has; where that does not decide, the linker leaves the mention unlinked
   and gives the candidates. A name of two findings ("nausea and vomiting", 恶心呕吐) is both,
   "severe diarrhoea" is diarrhoea unless an ontology has it. Everyday words that a table has
   as names ("pale", "air", "healthy", "past medical history", 医生) are not taken for them.
3. **Abbreviations**: first what the text itself defines ("congestive heart failure (CHF)"),
   then those that have one meaning only.
4. **Misspelt and reordered names.** The 20 names nearest by runs of three letters are
   compared. Likeness alone does not link: "type 3" is one letter from "type 4", and another
   disease. A mention is linked if it has the words of the name in another order, or if its
   words that differ are *in no name at all*, in no list of words (English, ICD-10-CM, HPO)
   and one or two letters from the name's; in Chinese, if one character is wrong and stands
   beside others as in no name. An edit that puts one root in the place of another (hyper,
   hypo) or one part of the body (肝, 肾) is no correction. Anything else must reach a score
   that was calibrated on the table's own names.
5. **Values** (method `measurement`): a vital sign or laboratory value beyond its range is the
   finding that it is: "SpO2 91 %", "K 2.9 mmol/L", 体温39.1℃, "elevated creatinine". Names,
   units, ranges by age and sex, and the sources of the ranges (NEWS2, PALS, WHO, ESC, ADA,
   ABIM …) stand in `kg/linking/measurements.yaml`. The range is that of the patient's age and
   sex as the text tells them, an adult's where it says nothing; of a child of unknown age a
   value counts only if it is beyond the range of every age. Without a unit a value counts
   where it is plausible in one unit alone. Values within their range, in urine or another
   fluid, with an unknown unit, and an analyte alone are no findings.
6. **Descriptions** (method `description`): findings in other words than their names, from
   `kg/linking/descriptions.yaml`: a complaint of a place of the body ("leg is swollen",
   "swelling and redness of the knee", 腿肿了) is HPO's term of that place, and adjectives,
   verbs and everyday phrases ("lethargic", "vomited", "gained 10 pounds", 吃不下) the term
   that they mean, if the table of names has it.
7. **Otherwise it abstains**, and still gives its best five candidates.
8. **Context**: each mention says whether the text denies it or says it of a relative.

`LinkOptions(findings=False)` leaves 5 and 6 out, `medkg link --exact` these and 4.

What is written into a graph (`link: true`) is linked more strictly: [near-terms.md](near-terms.md)
shows how seldom one real term is taken for another (`python -m
tests.experiments.linking.near_terms --data ../shared/data`), [sources.md](sources.md) by which rules.
"""

READING: Final = """\
*accuracy@1* and *@5*: how often the right entity is the first candidate, or among the first
five, over mentions that have an entity, whether the linker would link or not. *Precision*:
of what it links, how much is right. *Recall*: of the mentions that have an entity, how many
it links rightly. *Rightly abstained*: of the mentions that have no entity in the table, how
many it leaves alone. *Recognition*: whether a stretch of running text was found, linked or
not. In brackets Wilson's 95 % intervals; they say what chance does, and nothing of the
mistakes in the gold. Exact definitions with their sources: `kg/linking/evaluation.py` and
`kg/linking/measures.py`. Your own gold file: `medkg link --evaluate FILE`.

The rivals get the same names: *exact names only* is a dictionary of normalised names;
*rapidfuzz WRatio* compares a mention with every name, and links from 0.9 on; *fuzzywuzzy*, the
way of the paper, ranks the 100 best of rapidfuzz's anew, for with every name it would take
many seconds a mention, and links from 0.9 on too; its time is without rapidfuzz's. Times
are of one process on a shared machine, and only good for orders of magnitude. Where every
mention has an entity (noise), who always links looks best; what a linker is worth shows
where some have none.

What is drawn by chance here was not drawn while the linker was written: its rules were
found on the draws of seed 1, and this page has another seed. The vocabularies are the same,
though, so a rule that suits MONDO and HPO may suit other names less.
"""

ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sentences": """\
English and Chinese sentences as patients and doctors write them, in our own words, with
typos, lay names, abbreviations, negation and family history. *sentences* was read while the
linker was being written, *unseen* was not: trust the second. Both are small. The ids are our
own reading of HPO and MONDO; no physician checked them. Mentions in the lower table are
those of the gold file, their offsets given.""",
        "medmentions": """\
Three abstracts of MedMentions that scispaCy ships. Only mentions whose CUI MONDO or HPO have
are gold, so a name that is found inside a longer marked one ("infection" in "Pa infection")
counts as wrong. Three abstracts prove little.""",
        "medquad": """\
What each page of MedQuAD is about (its focus), with the UMLS concepts that MedQuAD gives it,
against the CUIs of MONDO (its own mapping) and HPO (its cross-references).

**This gold is not clean, and no figure on *raw* should be quoted alone.** Its CUIs were put
there by a program that often names a part of the focus or something broader. Of the foci that
are to the letter the name of an entity with another CUI, we read 40 drawn by chance: in 39 the
name is right and the CUI is of something else ("Bardet-Biedl syndrome 5" has the CUI of
*syndromic disease*), one can be argued either way. And of the foci without any CUI of the
table (but with some CUI) that are nevertheless a name in it, 40 were read: in 38 the name is
right, 2 are doubtful for MONDO's synonym is broad, none is wrong. So *mended* takes an exact name as right
too. That favours whoever finds exact names, which all linkers here do; what is hard is in
*inexact*: the foci that are no name to the letter, with MedQuAD's CUIs as they are. *all* is
*mended* with the foci that have neither CUI nor name, which are taken for absent. We have
not read those; some will be there under another name.""",
        "synonyms": """\
From each vocabulary a fifth of the synonyms is taken out and asked for, and a tenth of the
entities altogether: of those nothing is left, and abstaining is right. A synonym that is
still a name in another spelling is left out. Much of this can not be had from letters:
nothing in "hypoadrenalism" says "adrenocortical insufficiency". Where a sibling is left
("type 3" of a taken-out "type 4"), a linker that goes by likeness links it.""",
        "lay": """\
HPO marks names that lay people use. They are taken out, a fifth of them or all, and asked
for. This shows what a table *without* them is worth, and why names matter more than
matching: with them in the table these mentions are exact.""",
        "noise": """\
Names of MONDO and HPO, drawn by chance, each with one kind of noise; 1,000 of a kind. A noisy
name that is another entity's is left out. Noise made by rule is easier than people's:
typos fall on letters at random, and nobody inverts every name at a comma.""",
        "chinese-noise": """\
The same with Chinese names. The Traditional forms are made by OpenCC, whose tables the keys
use in the other direction: that they are found proves the plumbing, not that every text from
Taiwan or Hong Kong will be. Exchanged characters are drawn from all of them, rare ones too.""",
        "chinese-unknown": """\
A tenth of HPO's Chinese names is taken out and asked for: abstaining is always right.""",
        "dxy": """\
41 symptoms that the dialogues of DXY's data set are about. The set gives names only, so the
HPO terms are our own reading (`tests/experiments/linking/patients.py`), several where the
word covers several and none where HPO has no such finding. 41 names are few, and the
everyday ones ("发烧", "拉肚子") are no names in HPO's translation, which is a clinician's.""",
    }
)

FAILS: Final = """\
## Where it fails

* **Words that share no letters.** A synonym is found by its letters or not at all. Add the
  names that your texts use to the table: that gains more than any matching.
* **Everyday Chinese.** HPO in Chinese has clinicians' words, and patients have others; the
  most common are in `descriptions.yaml`.
* **Misspelt Chinese**, where a lost character or two traded ones give a word that exists.
* **Chinese has no spaces**, and the longest name at a place may cut through a word.
* **Descriptions beyond the table**: what is seen on the skin ("tan-brown ovoid patches"),
  muscle strength ("2/5"), a finding whose place was named in an earlier sentence ("the
  swelling").
* **Single readings.** A pulse of 105 after climbing the stairs is tachycardia here; a range is
  no diagnosis, and ranges differ between laboratories.
* **Synonyms that are words of everyday language** and not in our list of such words.
* **Siblings.** Of what the table does not have, its nearest relative is sometimes linked,
  where they differ in a word that is in no name.
* **Two entities of one name** are left alone or decided by a rule that can be wrong; the
  candidates are always given.
* **What the figures do not show**: none of the gold was made by physicians for this purpose;
  there is no clinical text from hospitals in it, and little running text at all.
* **Denials said in signs** ("fever -", "-ve for"), drugs that were stopped ("aspirin
  discontinued" is not flagged), and "no A at rest, A on exertion".

## Case texts, read by hand

On the half for work of the gold set of case texts (78 texts of the six public sets; findings
of diseases and symptoms with their node and polarity), linked with the graph of everything.
The rules were mended on this half, so these figures are too good; the other half was not
looked at.

| language | linker | recall | precision | polarity |
| --- | --- | --: | --: | --: |
| English | before values, descriptions and the rules above | 231/424, 54 % | 231/416, 56 % | 99 % |
| English | now | 343/424, 81 % | 344/395, 87 % | 99 % |
| Chinese | before | 150/361, 42 % | 150/317, 47 % | 99 % |
| Chinese | now | 276/361, 76 % | 277/318, 87 % | 100 % |

*Recall*: gold findings that a linked mention overlaps, with one of their nodes; *precision*:
linked diseases and symptoms that overlap a gold finding with that node; polarity: of those,
how many are denied or of the family as the gold says.

Of 29 further texts, in none of the halves, all 227 links of diseases and symptoms were read
one by one by who wrote the rules: 212 right (93 %), the denial or family wrong in 11 of these.
Some of the mistakes were mended afterwards (the scar that was a drug reaction, the child that
was taken for its family).

Denials of the same English half beside rivals, each mention given to them (418 of its 422
findings with a node are right; `python -m tests.experiments.linking.polarity`, medspaCy 1.3.1
on spaCy 3.7.5, negspaCy 1.1.0, their own rules):

| linker | precision | recall | right | right where they differ |
| --- | --: | --: | --: | --: |
| medkg | 136/138 | 136/138 | 418/422 | 47/48 |
| medspaCy ConText | 117/145 | 117/138 | 373/422 | 2/48 |
| negspaCy | 127/148 | 127/138 | 390/422 | 19/48 |
"""
