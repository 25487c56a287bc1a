"""Keep only the named bench targets of a Cargo.toml: the others would be built and not measured.

Usage: python3 keep_suites.py CARGO_TOML SUITE...
"""

import re
import sys
from pathlib import Path

path, kept = Path(sys.argv[1]), sys.argv[2:]
table = re.compile(r'\[\[bench\]\]\nname = "(\w+)"\n(?:[\w-]+ = .*\n)*\n?')
text = path.read_text(encoding="utf-8")
path.write_text(table.sub(lambda found: found[0] if found[1] in kept else "", text), encoding="utf-8")
