"""Imported before `import chess`: where python-chess is missing, the running
script starts again in a virtual environment that has it."""

import subprocess
import sys
from pathlib import Path

from engine import ROOT, shell

try:
    import chess  # noqa: F401
except ImportError:
    if {"-h", "--help"} & set(sys.argv):
        print(sys.modules["__main__"].__doc__.strip())
        print("\nThe options are shown once python-chess is installed.")
        sys.exit()
    venv = ROOT / "target/venv"
    if Path(sys.prefix).resolve() == venv.resolve():
        sys.exit(f"python-chess is broken: remove {venv}")
    shell(f"need_python_chess '{venv}'")
    sys.exit(subprocess.call([venv / "bin/python", *sys.argv]))
