"""Imported before `import chess`: where python-chess is missing, the running
script starts again in an environment of our own that has it."""

import subprocess
import sys
from pathlib import Path

from engine import ROOT, shell

try:
    import chess  # noqa: F401
except ImportError:
    venv = ROOT / "target/venv"
    python = venv / "bin/python"
    if Path(sys.prefix).resolve() == venv.resolve():
        sys.exit(f"python-chess is broken: remove {venv}")
    if not python.exists():
        # The package has no program of its own to look for.
        shell("python3 -c 'import ensurepip' 2>/dev/null || need python3-venv pyvenv")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "chess"], check=True)
    sys.exit(subprocess.call([python, *sys.argv]))
