#!/usr/bin/env python3
"""Checks that Swift and JavaScript have the words of gallop.h, in the order of its numbers.

gallop.h is the one table of notions. The compiler compares Swift's numbers with it, test_header.py Python's words.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEB = ROOT / "Sources/Bindings/Web"
HEADER = ROOT / "Sources/Bindings/C/CGallop/include/gallop.h"
# The prefix in gallop.h, the enumeration of Swift, the list and the type of JavaScript.
NOTIONS = [
    ("FRAME", "FrameStatus", "STATUSES", "FrameStatus"),
    ("DISPOSAL", "Disposal", "DISPOSALS", "Disposal"),
    ("MODE", "PlaybackMode", "MODES", "Mode"),
    ("STATE", "PlaybackState", "STATES", "PlayerState"),
    ("CAUSE", "ChangeCause", "CAUSES", "Cause"),
    ("FLASH_POLICY", "FlashPolicy", "FLASH_POLICIES", "FlashPolicy"),
    ("FLASH_STATE", "FlashState", "FLASH_STATES", None),
    ("DELAY", "DelayPolicy", None, None),
    ("LATE", "LatePolicy", None, None),
    ("SUSPENSION", "SuspensionPolicy", None, None),
    ("DAMAGE", "DamagePolicy", None, None),
]


def main() -> int:
    header = HEADER.read_text(encoding="utf-8")
    swift = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "Sources/Engine").rglob("*.swift")))
    script = (WEB / "gallop-gif/protocol.js").read_text(encoding="utf-8")
    script += (WEB / "gallop-gif/engine.js").read_text(encoding="utf-8")
    script += (WEB / "gallop-gif/flashes.js").read_text(encoding="utf-8")
    types = (WEB / "gallop-gif/engine.d.ts").read_text(encoding="utf-8")
    types += (WEB / "gallop-gif/index.d.ts").read_text(encoding="utf-8")
    faults = []

    def compare(place: str, found: list[str], wanted: list[str]) -> None:
        if found != wanted:
            faults.append(f"{place} has {', '.join(found) or 'nothing'}; wanted: {', '.join(wanted)}")

    for prefix, enumeration, array, union in NOTIONS:
        words = [camel(word) for word in re.findall(rf"\bGALLOP_{prefix}_(\w+) = \d", header)]
        compare(f"Swift's {enumeration}", swift_cases(swift, enumeration), words)
        if array:
            compare(f"JavaScript's {array}", quoted(re.search(rf"\b{array} = \[(.*?)\]", script, re.S)), words)
        if union:
            compare(f"the types' {union}", quoted(re.search(rf"\btype {union} =(.*?);", types, re.S)), words)

    commands = re.search(r"COMMANDS = \{(.*?)\}", script, re.S)
    numbers = {name: int(number) for name, number in re.findall(r"(\w+): (\d+)", commands[1] if commands else "")}
    text = (WEB / "GallopWeb/WebCommand.swift").read_text(encoding="utf-8")
    cases = re.findall(r"^    case (\d+):(?:\s*let .*\n)?\s*self = \.(\w+)", text, re.M)
    read = {name: int(number) for number, name in cases}
    compare("WebCommand", sorted(map(str, read.items())), sorted(map(str, numbers.items())))

    # What the web writes as numbers, without a list of words: those of gallop.h.
    player = (WEB / "gallop-gif/player.js").read_text(encoding="utf-8")
    visibilities = re.search(r"whole == (\d) \? \.hidden : whole == (\d) \? \.near : \.visible", text)
    lates = re.search(r'late === "wait" \? (\d) : late > 0 \? (\d) : (\d),', script)
    swift_lates = re.search(r"number == (\d) \? \.wait : number == (\d) \? \.catchUp", text)
    for place, found, names in [
        ("player.js", [re.search(rf"\bconst {word} = (\d);", player) for word in ("VISIBLE", "HIDDEN")], ["VISIBLE", "HIDDEN"]),
        ("WebCommand's visibility", [visibilities], ["HIDDEN", "NEAR"]),
        ("engine.js' late policy", [lates], ["LATE_WAIT", "LATE_CATCH_UP", "LATE_SKIP"]),
        ("WebCommand's late policy", [swift_lates], ["LATE_WAIT", "LATE_CATCH_UP"]),
    ]:
        wanted = [number for name in names for number in re.findall(rf"\bGALLOP_{name} = (\d)", header)]
        compare(place, [number for match in found if match for number in match.groups()], wanted)

    print("\n".join(faults) or f"{len(NOTIONS)} notions and {len(numbers)} commands have the same words")
    return 1 if faults else 0


def camel(word: str) -> str:
    first, *rest = word.lower().split("_")
    return first + "".join(part.capitalize() for part in rest)


def swift_cases(text: str, name: str) -> list[str]:
    body = re.search(rf"\benum {name}\b.*?\{{\n(.*?)^\}}", text, re.S | re.M)
    # Its own cases stand at the first level, before the first function.
    lines = re.findall(r"^  case (.+)$", body[1] if body else "", re.M)
    return [re.match(r"\w+", case.strip())[0] for line in lines for case in re.split(r",(?![^(]*\))", line)]


def quoted(match: "re.Match[str] | None") -> list[str]:
    return re.findall(r'"([\w-]+)"', match[1]) if match else []


if __name__ == "__main__":
    sys.exit(main())
