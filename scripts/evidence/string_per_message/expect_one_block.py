"""Fail unless a result.json is red for one more allocation of a benchmark, from none to one.

Usage: python3 expect_one_block.py RESULT BENCHMARK EXIT

EXIT is the exit code of the run that wrote RESULT.
"""

import json
import sys
from pathlib import Path

path, benchmark, exit_code = sys.argv[1:]
rows = json.loads(Path(path).read_text(encoding="utf-8"))["benchmarks"]
found = {row["metric"]: row for row in rows if row["id"] == benchmark}
for metric, row in found.items():
    print(f"{metric}: {row['finding']}, {row['base']} -> {row['head']} {row['unit']}")
blocks = found["alloc.blocks"]
if exit_code != "100":
    sys.exit(f"the gate is not red: exit {exit_code}")
if (blocks["finding"], blocks["base"], blocks["head"]) != ("critical", 0, 1):
    sys.exit(f"alloc.blocks is not critical from 0 to 1: {blocks}")
