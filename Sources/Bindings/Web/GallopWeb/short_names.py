"""Prints a short name for each `_name` of these files, as esbuild reads them: the most frequent ones first."""

import itertools
import json
import re
import string
import sys
from collections import Counter
from pathlib import Path

# The name of an export of WebAssembly. esbuild leaves what is false as it is.
_KEPT = "_initialize"


def main(paths: list[str]) -> None:
    names = Counter(name for path in paths for name in re.findall(r"\b_[a-z]\w*", Path(path).read_text(encoding="utf-8")))
    letters = ("".join(pair) for length in (1, 2) for pair in itertools.product(string.ascii_letters, repeat=length))
    del names[_KEPT]
    short = {name: f"${letter}" for (name, _), letter in zip(names.most_common(), letters, strict=False)}
    print(json.dumps({**short, _KEPT: False}))


if __name__ == "__main__":
    main(sys.argv[1:])
