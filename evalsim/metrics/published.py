"""The figures of the paper of MedKGEval, to stand beside those of a run."""

from dataclasses import dataclass

from evalsim.case import Language, Task
from kg.shipped import shipped_table


@dataclass(frozen=True)
class Published:
    """One figure of the paper."""

    table: str
    """Its number, or the section of a figure in the text."""
    what: str
    task: Task
    metric: str
    """Of table 2; else ``consistency``, ``same_prompt``, ``grounding`` or ``turns``."""
    model: str
    value: float
    language: Language | None = None
    """None: the paper does not say, or it is of both."""
    single_turn: bool = False
    directed: bool = True


def published_figures() -> tuple[Published, ...]:
    """All that tables 3 to 7 and 9 and section 5.2 report, in their order.

    Table 9 does not name its task; its values are those of diagnosis in table 4.
    """
    return tuple(
        Published(
            table=each["table"],
            what=each["what"],
            task=metric.split()[0],
            metric=metric.split()[1],
            model=model,
            value=value,
            language=each.get("language"),
            single_turn=each.get("single_turn", False),
            directed=each.get("directed", True),
        )
        for each in shipped_table(__package__, "published.yaml")
        for model, values in each["values"].items()
        for metric, value in zip(each["metric"], values, strict=True)
    )
