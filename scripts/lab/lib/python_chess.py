"""Imported before `import chess`: where python-chess is missing, the running
script starts again in a virtual environment that has it."""

import subprocess
import sys
from pathlib import Path

from engine import ROOT, shell

try:
    import chess  # noqa: F401
except ImportError:
    venv = ROOT / "target/venv"
    if Path(sys.prefix).resolve() == venv.resolve():
        sys.exit(f"python-chess is broken: remove {venv}")
    shell(f"need_python_chess '{venv}'")
    sys.exit(subprocess.call([venv / "bin/python", *sys.argv]))
