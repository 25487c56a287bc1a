"""Places, and the constants of scripts/, for the scripts of this folder."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()

sys.path.insert(0, str(ROOT / "scripts"))

from constants import PROVEN, RESULT_SCHEMA, VERDICT_EXITS  # noqa: E402 (after the path)

__all__ = ["PROVEN", "RESULT_SCHEMA", "ROOT", "TARGET", "VERDICT_EXITS"]
