"""The command ``voussoir``, as the package installs it."""

from __future__ import annotations

import sys

from . import _native


def main() -> int:
    """Runs the command with the arguments of the process."""
    return _native.command(["voussoir", *sys.argv[1:]])
