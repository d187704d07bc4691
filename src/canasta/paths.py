"""The program's own files: below the user's data folder, following the conventions of the system."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Return the data folder, creating it if necessary. Raise `OSError` if that fails."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "canasta"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
