"""Where the chess engine Gambeson has been installed."""

import os
import sysconfig


def path():
    """The path of the engine's binary, for chess.engine and subprocess."""
    name = "gambeson" + (sysconfig.get_config_var("EXE") or "")
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    candidates = [os.path.join(sysconfig.get_path("scripts", scheme), name) for scheme in schemes]
    for candidate in candidates:
        if os.path.isfile(candidate):
            return candidate
    raise FileNotFoundError("no gambeson in " + ", ".join(map(os.path.dirname, candidates)))
