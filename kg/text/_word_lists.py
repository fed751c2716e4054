"""English word lists for finding noun phrases: closed classes, common verbs, body parts."""

import re
from typing import Final


def words(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


DETERMINERS: Final = words("""
a an the this that these those some any all many much most more several various certain other
another each every both few fewer less lesser either your his her their its our my one's such
""")
CONJUNCTIONS: Final = words("and or & nor plus and/or")
PREPOSITIONS: Final = words("""
of in on at by for with without from to into onto upon through throughout during before after
about above across against along among amongst around behind below beneath beside besides
between beyond despite down except inside like near off out outside over past per regarding
since than including excluding involving regarding concerning depending according following toward towards under underneath until up via within as due because unlike versus vs
""")
PRONOUNS: Final = words("""
i you he she it we they me him us them himself herself itself themselves yourself someone
somebody anyone everyone who whom which whose what where when why how if whether although
though while unless because so but yet however therefore there here then thus also even not no
none neither never hardly only just still too very quite rather often sometimes usually
generally typically commonly occasionally frequently always rarely mostly mainly especially
particularly instead perhaps maybe again ago already almost soon later once twice together
apart well alone else away back forth otherwise nevertheless moreover furthermore meanwhile
anything something nothing everything nobody e.g. i.e. e.g i.e etc
""")
"""Pronouns, particles and free adverbs: none is part of a noun phrase."""
AUXILIARIES: Final = words("""
is are was were be been being am has have had having do does did done may might can could will
would shall should must cannot don't doesn't didn't isn't aren't wasn't weren't can't couldn't
won't wouldn't shouldn't haven't hasn't hadn't ought gets get got getting gotten
""")
MODALS: Final = words("may might can could will would shall should must cannot can't won't to")
BE: Final = words("is are was were be been being am become becomes became get gets feel feels")

_VERB_LIST: Final = """
accept account accumulate achieve acquire act add adjust affect agree aim allow alter announce
appear apply approve arise ask assess assist assume attach attempt attend avoid base become
begin believe belong bind block breathe bring build buy calculate call carry catch choose clear
collect combine come compare complain complete concern confirm connect consider consist consult
contact contain continue contribute control convert cope correct decide decrease define delay
deliver demonstrate depend describe destroy detect determine develop diagnose die differ
disappear discover discuss dissolve distinguish divide drop eat eliminate enable encourage
engage enter establish evaluate examine exclude exist expect experience explain express extend
fail fall feed feel find fit focus follow forget gather give go grow hang happen heal hear help
hold identify ignore improve include increase indicate inherit inhibit insert inspect intend
interfere invade involve keep kill know lack last lay lead learn leave let limit listen live
look lose lower maintain make manage match mean meet mention mimic monitor move need notice
observe obtain occur offer open originate outweigh pass pay penetrate perform permit persist
pick place plan point prefer prepare prescribe present preserve prevent proceed produce
progress prolong promote protect prove provide quit raise range reach react read realize
receive recognize recommend recover recur reduce refer regulate rely relieve remain remember
remove repair replace report represent require resemble resist resolve respond restore result
retain return reveal rise rub run save say see seek seem select send separate serve settle
share show shrink sit slow soften solve speak spend spread squeeze stand start stay stem stimulate
stop store strengthen strike suffer suggest support suppose surround survive suspect switch
take talk teach tell tend think tolerate travel treat trigger trip try turn undergo understand
use vary visit wait walk want warn wash watch weaken weigh wear worry worsen write yield touch
ensure interact compress damage lubricate strain stick quicken harm drain destroy impair multiply face inject handle gargle rinse ease bridge thicken fade shed pump beat
leak burst swell shiver vomit sneeze irritate inflame narrow flare bleed urinate breastfeed wipe
slip mix dilute absorb digest metabolize excrete rupture dislodge lodge travel invade infect pass
misuse overuse aggravate exacerbate alleviate soothe promise claim exceed reappear coexist outgrow overlap
qualify enroll appoint convey confer encode affect trap widen sag bulge boost peel deprive
recall imagine reflect rank document
"""
_VERBS: Final = _VERB_LIST.split()
_PARTICIPLES: Final = words("""
arisen begun born brought built bought caught chosen come drawn driven eaten fallen fed felt
found forgotten given gone grown hung heard held kept known laid led left lost made meant met
paid put read ran run said saw seen sent sought shown shrunk spent stood struck taken taught
told thought understood undergone went woken worn written gave took became began came drew ate
fell found grew knew rose ran spoke wore wrote lay arose
""")
_DOUBLING: Final = words("drop fit get let permit plan quit refer recur run sit stop rub trip")

IMPERATIVES: Final = words("drink use limit get wash avoid keep try stay see call")
"""At the start of a sentence they are verbs."""

NOUNS_TOO: Final = words("""
ache act attack attempt benefit block burn call care cause change clot contact control cough cut damage
decrease delay diet drain drink drive drop drug exercise experience fall feed feeling fever focus
form help hold increase injury itch lack last limit link look loss massage match need offer
patch place plan point practice present process progress range rash report rest result return
rise risk run sign shock show sleep smoke sore spread start stay stem stick stress stroke study
support surge swab switch taste test touch transfer transplant travel treat trigger trip turn use visit
walk wash work worry x-ray scan screen raise view yield strain harm access exposure flow
""")
"""Words that may be verbs or nouns, which the context decides."""

GERUND_NOUNS: Final = words("""
bleeding swelling itching burning vomiting wheezing coughing sneezing bruising cramping
breathing swallowing scarring blistering tingling numbing twitching bloating flushing sweating
drooling snoring hearing feeling crying urinating wetting scaling peeling stuttering
screening testing imaging counseling counselling training teaching nursing wasting clotting
smoking drinking eating sleeping walking running swimming bathing showering washing
breastfeeding brushing flossing standing sitting lifting vaping dieting fasting cycling
thinning hardening narrowing thickening widening stiffening softening yellowing darkening
redness reddening weakening aging ageing dressing dosing monitoring being well-being grooming
stretching conditioning tapping scarring stinging throbbing pounding ringing floating spotting
""")
_ADJECTIVES: Final = words("""
abnormal absent acid acute adult advanced bad bare best better big bitter black blind bloody
blue blurred blurry bright brief broad broken brown chronic clear clean clammy close clumsy cold
common constant cool crooked cystic damp dark dead deaf deep dense different difficult dim dirty
double drowsy dry dull early elderly empty enlarged extra extreme faint false fast fat fatty
female few final firm fixed flat fluid foul frail frequent fresh full fuzzy good gray green grey
hard hazy healthy heavy high hoarse hot huge human ill immediate inner intact intense irregular
irritated itchy jerky key kidney-shaped large late latent lazy left less light little local long
long-term loose loss-making loud low lower main major male mild minor mixed moist more mucous
narrow new nearby normal numb odd old older only open outer overweight painful pale partial
past persistent pink plain poor possible pregnant premature previous prolonged proper puffy
purple quick quiet raised rapid rare raw red regular repeated rich right rough round runny
salty same scaly secondary senior sensitive severe shaky shallow sharp short short-term shy sick
significant silent similar simple single sleepy slight slow slurred small smooth soft sore sour
special spinal stable steady stiff still strange stringy strong stuffy sudden sunken sure
sweaty swollen tall tender thick thick-walled thin tight tiny tired total tough toxic typical
unclear uneven unexplained unknown unsteady unusual upper upset urgent vague warm watery weak
wet white whole wide worse worst wrong yellow young younger likely unlikely main overall ongoing
larger smaller bigger deeper thinner thicker wider narrower softer harder stronger weaker faster
slower shorter longer taller lighter darker deeper fewer early-onset late-onset milder heavier
excess excessive underlying existing over-the-counter nearby inborn
""")
_ADJECTIVE: Final = re.compile(
    r".{2,}(?:ic|ical|ous|ive|able|ible|less|ary|oid|ish|rnal|tal|nal|ral|sal|ial|ual|eal|cal|dal"
    r"|bal|ful|lar|ular|genic|like|free|based|onged)$"
)
_NO_ADJECTIVES: Final = words("""
arsenal animal animals approval canal capital chemical chemicals clinic colic critical hospital
journal material medical-device metal mineral mouthful neural ovary panic pill plastic signal
topic trial tonic vocal vessel diuretic antibiotic anesthetic cosmetic analgesic antiseptic
laxative sedative preservative adhesive relative additive olive table vegetable cable lupus
capillary dictionary salary library diary summary infectious-agent anticonvulsant arthritic
collar pillar molar scholar cellular-phone alcohol renal-failure handful spoonful virus mucous
antihypertensive antidepressive antiemetic antipsychotic dispensary pelvis testis meal deal heal
asteroid steroid corticosteroid thyroid opioid haemorrhoid hemorrhoid fibroid keloid adenoid
carcinoid steroidal-drug sarcoid rheumatoid-factor typhoid factor dish fish rubbish arrival
removal renewal refusal withdrawal disposal survival burial denial rehearsal appraisal referral
dermal-filler sinus focus fetus anus fungus mucus
""")

BODY_PARTS: Final = words("""
abdomen airway airways ankle ankles anus aorta appendix arm arms armpit armpits artery arteries
back belly bladder blood bone bones bowel bowels brain breast breasts breastbone buttock buttocks
calf calves cartilage cervix cheek cheeks chest chin colon cornea digit digits ear eardrum ears
elbow elbows esophagus extremities eye eyelid eyelids eyes face feet finger fingernails fingers
flank foot forehead gallbladder genitals gland glands groin gum gums gut hand hands head heart
heel heels hip hips intestine intestines jaw joint joints kidney kidneys knee knees larynx leg legs
lens ligament ligaments limb limbs lip lips liver lung lungs lymph mouth muscle muscles nail nails
neck nerve nerves nipple nose nostrils ovaries ovary palm palms pancreas pelvis penis prostate
rectum retina rib ribs scalp scrotum shoulder shoulders side sides sinuses skin skull sole soles
spine spleen stomach testicle testicles thigh thighs throat thumb thyroid toe toes tongue tonsils
tooth teeth torso trachea trunk urethra uterus vagina vein veins vulva waist womb wrist wrists
area areas body tissue tissues cord eyelashes eyebrows hair genitalia ureter ureters tendon
tendons vessel vessels urine stool stools feces semen sputum mucus saliva tear tears fluid nodes
marrow membrane membranes lining wall walls kidneys duodenum ileum tonsil trunk bile duct ducts
""")
"""Body parts: alone they are no finding; one after "in" or "around" belongs to the phrase."""

OCCASIONS: Final = words("""
night rest exertion exercise sex intercourse urination swallowing touch light periods menstruation
pregnancy childbirth activity walking standing eating meals ejaculation breathing coughing morning
movement motion standing effort
""")
COMPLEMENTS: Final = {
    "to": words("""
sensitivity allergy allergies exposure exposed damage injury injuries resistance reaction
reactions intolerance contact trauma access adherence harm changes relative close
"""),
    "with": words("difficulty trouble problems problem contact cough issues interference"),
    "for": words("test tests screening surgery need urge transplant"),
    "from": words("discharge bleeding fluid withdrawal"),
    "by": words("bite bites"),
}
"""Nouns that take a complement with a preposition other than "of", by preposition."""

AVOIDING: Final = words("avoid avoiding limiting reducing quitting stopping cutting restricting")
"""Verbs that are a measure themselves while their objects are none ("limiting alcohol")."""

INCOMPLETE: Final = words(
    """
eating drinking feeling being having getting taking using doing making living swallowing breathing
urinating walking standing hearing sitting balance vision speech growth movement memory urination
sensation digestion breath face skin mood coordination consequences ability inability defect defects abnormality abnormalities
"""
)
"""Not a finding alone: some gerunds, and functions without what is wrong with them."""

INSTRUCTION_VERBS: Final = words("""
avoid use drink eat keep take wear wash stop quit limit reduce get do don't maintain follow
stay exercise sleep rest clean apply protect choose control lose cover practice put brush floss
practise gargle rinse wipe empty cook store
""")
"""Verbs that an instruction begins with."""

GENERIC: Final = words("""
symptom symptoms sign signs condition conditions disease diseases disorder disorders people person
persons patient patients doctor doctors physician physicians provider providers specialist
specialists professional professionals team time times day days week weeks month months year years
hour hours minute minutes treatment treatments cause causes factor factors type types kind kinds
example examples case cases way ways thing things change changes number numbers amount amounts part
parts area areas level levels stage stages age ages risk risks chance chances lot life result
results information care health reason reasons cure cures form forms place places side effect
effects others person's person individual individuals adult adults child children baby babies
infant infants man men woman women boy boys girl girls family families member members parent
parents mother father history course goal goals plan plans choice choices option options step
steps diagnosis prognosis outcome outcomes severity range variety combination combinations process
body system systems group groups percent half majority end beginning onset period periods
episode episodes attack attacks feature features finding findings characteristic characteristics
problem problems complication complications issue issues difference evidence research study
studies scientist scientists researcher researchers clinical trial trials resource resources
organization organizations website site sites page question questions answer answers key point
points list table figure section use uses need needs role amount quality term terms name names word
words hospital clinic office home school work country countries world united states state
situation situations circumstance circumstances event events approach approaches method methods
procedure procedures measure measures therapy therapies medication medications medicine medicines
drug drugs test tests exam exams examination examinations surgery surgeries action actions
possibility likelihood presence absence increase decrease loss lack severe mild moderate acute
chronic early late first second third last common main major minor important possible specific
particular different similar same certain general typical usual rare frequent serious special good
better best bad worse worst new old young older younger high low higher lower large small big
little long short medical physical additional further many several likely unlikely successful
effective available appropriate affected underlying standard recommended necessary suitable
current initial normal abnormal whole entire full only own single double one two three four five six
seven eight nine ten dozen hundred thousand million today something anyone everybody experience
supportive symptomatic elevated increased decreased reduced consequences inability ability invasive simple painless various life-threatening others such next previous following above below prescribed used given taken needed class classes
average rate rates incidence percentage proportion degree extent length duration frequency
future past present knowledge understanding view opinion experts expert help support success
nature origin source sources agent agents substance substances product products food foods material
materials item items object objects structure structures
""")
"""Words that name nothing by themselves or beside each other."""

VERBS_AFTER_NOUNS: Final = words("help helps benefit benefits reduce")
"""Ambiguous words that are verbs after a noun."""

POSTPOSED_PARTICIPLES: Final = words(
    "called named termed known followed considered based used caused"
)
"""Participles that follow the noun they belong to."""

LIST_ADVERBS: Final = words(
    "sometimes also even well as often usually possibly rarely occasionally both"
)
"""Adverbs that may stand between the members of an enumeration."""

HEDGES: Final = words("""
possible occasional probable potential apparent suspected typical common usual general likely other
certain various different several many more most first second next following additional main major
important early late new some such main specific particular increased-risk known
""")
"""Dropped from the start of a phrase."""


def _forms(verb: str) -> tuple[str, str, str]:
    """Third person, past tense, -ing form."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"
    stem = verb + verb[-1] if verb in _DOUBLING else verb
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
    return third, f"{stem}ed", f"{stem}ing"


_FORMS: Final = {verb: _forms(verb) for verb in _VERBS}
AMBIGUOUS: Final = NOUNS_TOO | {f"{noun}s" for noun in NOUNS_TOO} | words("causes worries tries")
MOSTLY_NOUNS: Final = words("""
ache act attack blood burn call care clot contact cough cut diet drain drop drug exercise
experience fall fever flow focus injury itch lack link loss massage patch plan rash rest scan
screen shock sleep stem stroke study swab test touch x-ray strain risk stress access exposure
""")
"""Ambiguous words that are verbs only after a pronoun or a modal such as "can"."""
VERBS: Final = (
    frozenset(_FORMS) | {forms[0] for forms in _FORMS.values()} | _PARTICIPLES
) - AMBIGUOUS
_LY_NOUNS: Final = words(
    "family anomaly belly kidney fly jelly assembly early daily weekly monthly"
)


def is_adverb(word: str) -> bool:
    """Whether a word in lower case is an adverb of manner or degree."""
    return word.endswith("ly") and word not in _LY_NOUNS and word not in _ADJECTIVES


def is_adjective(word: str) -> bool:
    """Whether a word in lower case can only be an adjective."""
    if word in _ADJECTIVES:
        return True
    return bool(_ADJECTIVE.fullmatch(word)) and word not in _NO_ADJECTIVES
