"""Exceptions of the package: one tree with :class:`VoussoirError` at its root."""

from __future__ import annotations

from typing import Any


class VoussoirError(Exception):
    """Root of all exceptions of this package."""

    message: str
    #: Advice: what would be right.
    help: str | None

    def __init__(self, message: str, *, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message} ({self.help})"


class SceneError(VoussoirError, ValueError):
    """A scene, a question or a value that cannot be used."""

    #: File or name of the scene.
    file: str | None
    #: Line of the text of the scene, from 1.
    line: int | None
    #: Key in that line.
    key: str | None

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        key: str | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message, help=help)
        self.file = file
        self.line = line
        self.key = key

    def __str__(self) -> str:
        place = ", ".join(
            word for word in (self.file, f"line {self.line}" if self.line else None) if word
        )
        text = super().__str__()
        return f"{place}: {text}" if place else text

    def __reduce__(self) -> tuple[Any, ...]:
        return (_scene_error, (self.message, self.file, self.line, self.key, self.help))


def _scene_error(
    message: str, file: str | None, line: int | None, key: str | None, help: str | None
) -> SceneError:
    return SceneError(message, file=file, line=line, key=key, help=help)


class ResultsError(VoussoirError, OSError):
    """A results folder or a file of a contact problem that cannot be read or written."""


class NotConverged(VoussoirError, ArithmeticError):
    """A step or a verdict that missed its tolerance, where the caller asked for an exception."""


class NoCurve(VoussoirError, ArithmeticError):
    """Samples that determine no fragility curve, such as no failures or failures only."""


class Interrupted(VoussoirError, KeyboardInterrupt):
    """A run that Ctrl-C ended after its present step; the folder can be resumed."""

    #: Folder of the run, or None for a run in memory.
    directory: str | None

    def __init__(self, message: str, *, directory: str | None = None, help: str | None = None) -> None:
        super().__init__(message, help=help)
        self.directory = directory


class InternalError(VoussoirError, RuntimeError):
    """An error of the program itself: please report it with the scene."""
