"""A conversation with medkg's own patient in which somebody else says what the doctor says."""

from evalsim.agents.director import Director
from evalsim.agents.patient import speak
from evalsim.briefs import GuideBrief, PersonaBrief, ScreenBrief, SpeakBrief
from evalsim.case import DiagnosisCase, MedicationCase
from evalsim.dialogue import Dialogue, Instruction, Turn
from evalsim.plan import Manner, Plan


class Talk:
    """One dialogue, turn by turn."""

    def __init__(
        self,
        director: Director,
        case: DiagnosisCase | MedicationCase,
        seed: int,
        *,
        manner: tuple[Manner, ...] = (),
        limit: int = 12,
    ) -> None:
        """Prepare the patient of a case."""
        self._director, self._case, self._seed = director, case, seed
        about = {"language": case.language, "task": case.task, "case": case, "seed": seed}
        persona = director.persona(PersonaBrief.model_validate(about))
        screening = director.screen(ScreenBrief.model_validate({**about, "persona": persona}))
        plan = Plan(persona=persona, **dict(screening))
        if manner and isinstance(case, DiagnosisCase):
            conduct = director.conduct(case, plan, manner, seed)
            plan = plan.model_copy(update={"conduct": conduct})
        self.dialogue = Dialogue(
            case=case.id, task=case.task, language=case.language, plan=plan, limit=limit
        )
        self._next: Instruction | None = self.dialogue.first(case)

    def speak(self) -> Turn | None:
        """What the patient says next; None, where the dialogue has ended."""
        if self._next is None:
            return None
        case, dialogue = self._case, self.dialogue
        text = speak(
            SpeakBrief(
                language=case.language,
                task=case.task,
                persona=dialogue.plan.persona,
                instruction=self._next,
                drug=case.target.called(case.language)
                if isinstance(case, MedicationCase)
                else None,
                turns=tuple(dialogue.turns),
                seed=self._seed,
            )
        )
        number = len(dialogue.turns) + 1
        turn = Turn(number=number, instruction=self._next, patient=text)
        dialogue.turns.append(turn)
        return turn

    def reply(self, words: str) -> Turn | None:
        """Have the doctor say something, and the patient answer."""
        case, dialogue = self._case, self.dialogue
        dialogue.turns[-1].doctor = words
        guidance = self._director.guide(
            GuideBrief(
                language=case.language,
                task=case.task,
                case=case,
                plan=dialogue.plan,
                turns=tuple(dialogue.turns),
                unreleased=dialogue.unreleased(),
                seed=self._seed,
            )
        )
        self._next = dialogue.follow(case, guidance)
        return self.speak()
