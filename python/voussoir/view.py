"""The results page in the browser."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from .errors import ResultsError

if TYPE_CHECKING:
    import subprocess


class Viewer:
    """A server of the results page: its address, and how to close it."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self._process = process
        self._address = address

    @property
    def address(self) -> str:
        """Address of the page, with a secret token; it works on this machine only."""
        return self._address

    @property
    def running(self) -> bool:
        """True until the server is closed."""
        return self._process.poll() is None

    def close(self) -> None:
        """Ends the server."""
        self._process.terminate()
        self._process.wait(10.0)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Viewer {self._address}>"


def view(
    directory: str | os.PathLike[str],
    other: str | os.PathLike[str] | None = None,
    *,
    port: int | None = None,
    open_browser: bool = True,
) -> Viewer:
    """Shows a results folder, or two side by side, in the browser; does not wait.

    port: Port of the server; default: a free one.
    open_browser: Open the page in the browser of this machine.
    """
    import subprocess
    import webbrowser

    command = [sys.executable, "-m", "voussoir", "view", "--quiet", os.fspath(directory)]
    if other is not None:
        command.append(os.fspath(other))
    if port is not None:
        command += ["--port", str(port)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    address = process.stdout.readline().strip()
    if not address:
        reason = process.stderr.read().strip()
        process.wait(10.0)
        process.stdout.close()
        process.stderr.close()
        raise ResultsError(f"the results page cannot be shown: {reason}")
    process.stderr.close()
    if open_browser:
        webbrowser.open(address)
    return Viewer(process, address)
