"""What plays a wall and is measured: the face of all players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from samples import Sample
from wall import Wall


@dataclass(frozen=True)
class Pace:
    """How long a wall is played, in seconds."""

    settle: float
    window: float
    count: float
    """Chromium's draws are counted so long, after the window."""
    look: float
    """Between two looks at memory."""


class Player(ABC):
    key: str
    title: str
    version: str
    how: str
    """What is measured."""

    @abstractmethod
    def play(self, wall: Wall, pace: Pace) -> Sample:
        """Raises Failure, BrowserError or StandStill."""
