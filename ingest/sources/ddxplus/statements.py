"""Assertions from the entries of DDXPlus's files."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from ingest.assertions import Assertion, Quarantined
from ingest.sources.ddxplus.schema import Condition, Evidence
from ingest.sources.relations import RelationMap
from ingest.sources.writing import record_json

_ICD10: Final = re.compile(r"[A-Z]\d\d(\.\w+)?", re.ASCII)
_BETWEEN_CODES: Final = re.compile(r"[\s,;]+")
Item = Assertion | Quarantined
"""Its row is put in later."""


class Evidences:
    """The statements of release_evidences.json."""

    def __init__(self, entries: Mapping[str, object], file: str, words: RelationMap) -> None:
        self._file = file
        self._words = words
        self._evidences: list[Evidence] = []
        self._broken: list[Quarantined] = []
        for key, entry in entries.items():
            try:
                self._evidences.append(Evidence.model_validate(entry))
            except ValidationError as e:
                self._broken.append(_broken(file, "evidence", key, entry, e))

    @property
    def questions(self) -> dict[str, str]:
        """By code."""
        return {evidence.name: evidence.question_en.strip() for evidence in self._evidences}

    def __iter__(self) -> Iterator[Item]:
        """Statement by statement; entries that are broken come last."""
        for evidence in self._evidences:
            question = evidence.question_en.strip()
            yield self._assertion("question_en", question, question)
            if answers := evidence.answers():
                yield self._assertion(
                    "possible-values", question, f"Answers: {'; '.join(answers)}"
                )
        yield from self._broken

    def _assertion(self, word: str, question: str, value: str) -> Assertion:
        ends = (None, "Symptom", question)
        attribute = self._words.attributes[word]
        return Assertion(self._file, 0, word, *ends, attribute, value=value)


class Conditions:
    """The statements of release_conditions.json."""

    def __init__(
        self,
        entries: Mapping[str, object],
        file: str,
        words: RelationMap,
        questions: Mapping[str, str],
    ) -> None:
        self._entries = entries
        self._file = file
        self._words = words
        self._questions = questions

    def __iter__(self) -> Iterator[Item]:
        """Statement by statement."""
        for key, entry in self._entries.items():
            try:
                condition = Condition.model_validate(entry)
            except ValidationError as e:
                yield _broken(self._file, "condition", key, entry, e)
            else:
                yield from self._statements(condition)

    def _statements(self, condition: Condition) -> Iterator[Item]:
        name = condition.english or condition.condition_name
        yield self._attribute("cond-name-eng", name, name)
        if condition.french:
            yield self._refused("cond-name-fr", name, condition.french)
        for code in filter(None, _BETWEEN_CODES.split(condition.icd10 or "")):
            if _ICD10.fullmatch(code.upper()):
                yield self._attribute("icd10-id", name, f"ICD10:{code.upper()}")
            else:
                reason = f"'{code[:100]}' is no code of ICD-10"
                yield self._refused("icd10-id", name, code, reason)
        if condition.severity is not None:
            severity = f"severity {condition.severity} of 5, 1 the most severe"
            yield self._edge("severity", name, severity)
        for word, codes in (
            ("symptoms", condition.symptoms),
            ("antecedents", condition.antecedents),
        ):
            for code in codes:
                if question := self._questions.get(code):
                    yield self._edge(word, name, question, evidence=code)
                else:
                    reason = f"'{code[:100]}' is no evidence of release_evidences.json"
                    yield self._refused(word, name, code, reason)

    def _attribute(self, word: str, name: str, value: str) -> Assertion:
        attribute = self._words.attributes[word]
        return Assertion(self._file, 0, word, None, "Disease", name, attribute, value=value)

    def _edge(self, word: str, name: str, tail: str, evidence: str | None = None) -> Assertion:
        (mapped,) = self._words.relations[word]
        return Assertion(
            *(self._file, 0, word, None, "Disease", name, mapped.relation),
            tail_type=mapped.tail,
            tail_name=tail,
            evidence=evidence,
        )

    def _refused(self, word: str, name: str, value: str, reason: str | None = None) -> Quarantined:
        record = record_json({"condition": name, word: value})
        return Quarantined(self._file, 0, word, reason or self._words.why_not(word), record)


def _broken(file: str, word: str, key: str, entry: Any, error: ValidationError) -> Quarantined:  # noqa: ANN401 -- whatever JSON holds
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the entry"
    return Quarantined(file, 0, word, f"{where}: {first['msg']}", record_json({key: entry}))
