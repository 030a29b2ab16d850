"""Two lectures in one table of scenes: a question that the room votes on, a preset to press, a sentence to say."""

from __future__ import annotations

from dataclasses import dataclass

from workbook import explorers
from workbook.learning import predict
from workbook.questions.predictions import Prediction

__all__ = ["LENGTHS", "Scene", "scenes"]

LENGTHS = 45, 90  # minutes


@dataclass(frozen=True)
class Scene:
    """One scene. minutes: when it begins, in each lecture, None where it is left out; ask: a prediction of its page."""

    minutes: tuple[int | None, ...]
    chapter: str
    explorer: str
    preset: str
    ask: str | None = None

    @property
    def say(self) -> str:
        """The sentence for the room: the caption of the preset."""
        return getattr(explorers, self.explorer).presets[self.preset].caption

    @property
    def question(self) -> Prediction | None:
        """The prediction that the room votes on before the preset is pressed."""
        return predict(self.ask) if self.ask else None


def scenes(length: int) -> list[tuple[int, Scene]]:
    """Return the lecture of so many minutes: (minute, scene) for each scene."""
    column = LENGTHS.index(length)
    return [(scene.minutes[column], scene) for scene in SCENES if scene.minutes[column] is not None]


SCENES = (
    Scene((0, 0), "00", "BayesRuleExplorer", "A positive test", "00/positive"),
    Scene((5, 4), "00", "BayesRuleExplorer", "Ten times as common"),
    Scene((8, 7), "01", "EvidenceExplorer", "Told once", "01/sample"),
    Scene((None, 12), "01", "EvidenceExplorer", "Seven units", "01/twice"),
    Scene((13, 16), "02", "SmoothingExplorer", "Overcast day: a veto", "02/overcast"),
    Scene((17, 20), "02", "SmoothingExplorer", "Document 5: a vote", "02/china"),
    Scene((None, 23), "02", "SmoothingExplorer", "Hezekiah: two vetoes", "02/malcolm"),
    Scene((20, 27), "03", "ExtraOddsExplorer", "Yes or no"),
    Scene((23, 30), "03", "EyeColorExplorer", "Blue eyes: blond?", "03/blue-eyes"),
    Scene((None, 35), "03", "SimplexExplorer", "Figure 1(a)", "03/hill"),
    Scene((None, 40), "04", "DirichletExplorer", "Figure 3", "04/equal-priors"),
    Scene((None, 44), "04", "WinningClassExplorer", "Prior for c"),
    Scene((29, 47), "05", "CopiesExplorer", "Ten copies", "05/tumour"),
    Scene((None, 51), "05", "LettersExplorer", "One root", "05/flips"),
    Scene((33, 55), "06", "ReliabilityExplorer", "Up to five letters", "06/more-features"),
    Scene((37, 59), "06", "ReliabilityExplorer", "Held out", "06/training-k"),
    Scene((None, 63), "07", "StylesExplorer", "The 1, one profile", "07/crowd"),
    Scene((None, 67), "07", "StartsExplorer", "Hard EM", "07/best-start"),
    Scene((41, 71), "08", "AdditiveExplorer", "Or", "08/additive"),
    Scene((None, 75), "08", "XorExplorer", "One good feature", "08/column"),
    Scene((None, 78), "08", "ShapesExplorer", "The ring, sum first", "08/joint"),
    Scene((None, 82), "09", "ClimbExplorer", "320 labels", "09/star"),
    Scene((None, 86), "10", "PenaltiesExplorer", "Usual, 50 coins", "10/useless"),
)
