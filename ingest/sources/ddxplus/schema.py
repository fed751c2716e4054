"""The contents of DDXPlus's files."""

from pydantic import BaseModel, Field


class Condition(BaseModel, frozen=True):
    """One entry of release_conditions.json."""

    condition_name: str = Field(min_length=1)
    english: str | None = Field(default=None, alias="cond-name-eng")
    french: str | None = Field(default=None, alias="cond-name-fr")
    icd10: str | None = Field(default=None, alias="icd10-id")
    severity: int | None = Field(default=None, ge=1, le=5)
    symptoms: dict[str, object] = {}
    """By code of the evidence; the values are empty."""
    antecedents: dict[str, object] = {}


class Meaning(BaseModel, frozen=True):
    """An answer in words."""

    en: str


class Evidence(BaseModel, frozen=True):
    """One entry of release_evidences.json."""

    name: str = Field(min_length=1)
    """Its code, e.g. E_91."""
    question_en: str = Field(pattern=r"\w")
    is_antecedent: bool
    data_type: str = Field(pattern="^[BCM]$")
    possible_values: list[str | int | float] = Field(default=[], alias="possible-values")
    value_meaning: dict[str, Meaning] = {}

    def answers(self) -> tuple[str, ...]:
        """The possible answers in English; NA, none of them, is left out."""
        codes = (str(value) for value in self.possible_values)
        meanings = (self.value_meaning[c].en if c in self.value_meaning else c for c in codes)
        return tuple(answer for answer in meanings if answer != "NA")
