#!/usr/bin/env python3
"""Checks that what several languages declare by hand is the same in all of them.

Python's structs are those of gallop.h. What a module of the web package exports, the members of its classes and the
attributes of its elements are those of its `.d.ts`. JavaScript calls what the WebAssembly module exports, and reads as
many numbers as that answers. test_header.py compares what needs the library: functions and words.
"""

import ctypes
import importlib
import pathlib
import re
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINDINGS = ROOT / "Sources/Bindings"
PACKAGE, ENGINE = BINDINGS / "Web/gallop-gif", BINDINGS / "Web/GallopWeb"
sys.path.insert(0, str(ROOT / "Tests/Bindings/Python"))
# Of the browser, of the other kind of declaration, or without a place in TypeScript.
NOT_DECLARED = re.compile(r"constructor|name|addEventListener|observedAttributes|\w+Callback|[A-Z_]+|_\w*")
ELEMENTS = {"element": ("GallopGIF", "GallopGIFAttributes"), "wall": ("GallopWall", "GallopWallAttributes"),
            "scrubber": ("GallopScrubber", "GallopScrubberAttributes")}
SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.glob("*.js"))}
TYPES = {path.name[:-5]: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.glob("*.d.ts"))}
faults: list[str] = []


def compare(place: str, found: object, wanted: object) -> None:
    """Two numbers, or two sets, of which the message names what only one has."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        found, wanted = ({f"{name}: {fact}" for name, fact in facts.items()} for facts in (found, wanted))
    if isinstance(found, set) and isinstance(wanted, set):
        found, wanted = sorted(found - wanted), sorted(wanted - found)
    if found != wanted:
        faults.append(f"{place}: {found or 'nothing'}, wanted {wanted or 'nothing'}")


# ---- Python and gallop.h


def check_structs() -> int:
    from header import read_header

    # The package itself would load the library.
    package = types.ModuleType("gallop")
    package.__path__ = [str(BINDINGS / "Python/src/gallop")]
    sys.modules["gallop"] = package
    structs = read_header(BINDINGS / "C/CGallop/include/gallop.h").structs
    kinds = {ctypes.c_int32: "int32_t", ctypes.c_int64: "int64_t", ctypes.c_uint32: "uint32_t", ctypes.c_uint64: "uint64_t",
             ctypes.c_double: "double", ctypes.c_float: "float", ctypes.c_char_p: "pointer", ctypes.c_void_p: "pointer"}
    found = {}
    for module in ("gallop._structs", "gallop._player_structs"):
        for name, struct in vars(importlib.import_module(module)).items():
            if isinstance(struct, type) and issubclass(struct, ctypes.Structure) and struct.__module__ == module:
                named = re.search(r"`(gallop_\w+)`", struct.__doc__ or "")
                found[named[1] if named else "gallop" + re.sub("[A-Z]", lambda word: "_" + word[0].lower(), name)] = struct
    del found["gallop_sized"]
    kinds |= {struct: name for name, struct in found.items()}

    def kind(field: type) -> str:
        if issubclass(field, ctypes.Array):
            return f"text[{field._length_}]"
        return "pointer" if issubclass(field, ctypes._Pointer) else kinds[field]

    compare("Python's structs", set(found), set(structs))
    for name in found.keys() & structs.keys():
        fields = [f"{field} {kind(of)}" for field, of in found[name]._fields_]
        compare(f"Python's {name}", dict(enumerate(fields)), dict(enumerate(map(" ".join, structs[name]))))
    return len(found)


# ---- JavaScript and TypeScript


def exports(module: str, texts: dict[str, str]) -> set[str]:
    """The values that a module exports."""
    text = texts[module]
    names = set(re.findall(r"^export (?:async )?(?:function\*?|class|const) (\w+)", text, re.M))
    for listed in re.findall(r"^export (?:const )?\{([^}]*)\}", text, re.M):
        names |= {name.split()[-1] for name in listed.split(",") if name.strip() and not name.strip().startswith("type ")}
    for other in re.findall(r'^export \* from "\./([\w-]+)\.js"', text, re.M):
        names |= exports(other, texts)
    return names


def class_of(name: str, texts: dict[str, str]) -> "tuple[str, str] | None":
    """The body of a class, and what it extends."""
    for text in texts.values():
        match = re.search(rf"^(?:export )?class {name}\b(?: extends (\w+))?[^\n]*\{{(\}}|\n.*?^\}})", text, re.M | re.S)
        if match:
            facts = re.search(rf"^export interface {name} extends (\w+) ", text, re.M)
            merged = facts and re.search(rf"^export interface {facts[1]} \{{\n(.*?)^\}}", text, re.M | re.S)
            return "\n".join([match[2], merged[1] if merged else ""]), match[1] or ""
    return None


def members(name: str, texts: dict[str, str], isTyped: bool) -> dict[str, str]:
    """The public members of a class and of those that it extends: `get`, `get set`, `field` or `method`."""
    found: dict[str, set[str]] = {}
    declared = class_of(name, texts)
    while declared:
        body, parent = declared
        for accessor, member, after in re.findall(
                r"^  (?:static |async |\*)*((?:readonly |get |set )?)([A-Za-z]\w*)(\?|\(|<|:| = |;)", body, re.M):
            word = {"readonly": "get", "": "method" if after in "(<" else "field"}.get(accessor.strip(), accessor.strip())
            found.setdefault(member, set()).add("optional" if after == "?" else word)
        if not isTyped:
            for listed in re.findall(r"Object\.assign\(this, \{([^}]*)\}\)", body):
                for key in listed.split(","):
                    found.setdefault(key.split(":")[0].strip(), set()).add("field")
            for member in re.findall(r"^    this\.([a-z]\w*) = ", body, re.M):
                found.setdefault(member, {"field"})
        declared = class_of(parent, texts) if parent else None
    return {member: " ".join(sorted(words)) for member, words in found.items() if not NOT_DECLARED.fullmatch(member)}


def check_types() -> int:
    count = 0
    for module in sorted(TYPES.keys() & SCRIPTS.keys()):
        typed = exports(module, TYPES)
        count += len(typed)
        internal = exports(module, SCRIPTS) - typed if module in ("decoded", "react-components") else set()
        compare(f"{module}.d.ts", typed, exports(module, SCRIPTS) - internal)
        for name in re.findall(r"^export class (\w+)", TYPES[module], re.M):
            found, wanted = members(name, TYPES, True), members(name, SCRIPTS, False)
            count += len(found)
            # A field of JavaScript may be declared for reading alone; what is to be written needs a setter there.
            for member, word in list(found.items()):
                if wanted.get(member) == "field" or (word, wanted.get(member)) == ("field", "get set"):
                    found[member] = wanted[member]
                elif word == "optional":
                    del found[member]
            compare(f"{name} in {module}.d.ts", found, wanted)
    read = set(re.findall(r'[gs]etAttribute\("([\w-]+)"', "\n".join(SCRIPTS.values())))
    for module, (name, interface) in ELEMENTS.items():
        body = re.search(rf"^export interface {interface} \{{\n(.*?)^\}}", TYPES["react-elements"], re.M | re.S)[1]
        typed = set(re.findall(r'^  "?([a-z-]+)"?\?:', body, re.M)) - set(re.findall(r"^  (on\w+)\?:", body, re.M))
        listed = re.search(r"observedAttributes(?: =|\(\) \{\n\s*return) \[(.*?)\]", SCRIPTS[module], re.S)[1]
        for constant in re.findall(r"\.\.\.(\w+)", listed):
            listed += re.search(rf"^const {constant} = \[(.*?)\]", SCRIPTS[module], re.M | re.S)[1]
        observed = set(re.findall(r'"([\w-]+)"', listed))
        compare(f"attributes of {name}", typed - (typed & read - observed), observed)
        count += len(observed)
    return count


# ---- JavaScript and the WebAssembly module


def check_calls() -> int:
    swift = (ENGINE / "Exports.swift").read_text(encoding="utf-8")
    exported = {name: len(re.findall(r": (?:Int32|Double)", arguments))
                for name, arguments in re.findall(r'@_expose\(wasm, "(\w+)"\)\npublic func \w+\((.*?)\)(?: ->|\n)', swift, re.S)}
    called = {}
    for name, arguments in re.findall(r'this\.#\w+\("(gallop_\w+)"((?:, [^()]*(?:\([^()]*\)[^()]*)?)?)\)', SCRIPTS["engine"]):
        values = re.sub(r"\([^()]*\)", "", arguments).split(",")[1:]
        called[name] = exported.get(name) if "..." in arguments else len(values)
    compare("calls of engine.js, by arguments", called, exported)
    return len(exported)


def check_answers() -> int:
    answers = (ENGINE / "Answers.swift").read_text(encoding="utf-8")
    script = SCRIPTS["engine"]

    def appended(value: str) -> int:
        body = re.search(rf"mutating func append\(_ {value}\b.*?\{{\n(.*?)^  \}}", answers, re.M | re.S)[1]
        lines = re.findall(r"^    append\((.*)\)$", body, re.M)
        return sum(4 if line.endswith(".rect") else 1 for line in lines)

    def names(pattern: str) -> int:
        return len(re.search(pattern, script, re.S)[1].split(","))

    # The page reads the address of the file's bytes apart.
    compare("numbers of an image", names(r"const \[(width, [^\]]*)\] = numbers;") + 1, appended("image: GIFImage"))
    # Its status is appended by WebEngine.
    compare("numbers of a frame", names(r"const \[(delay, [^\]]*)\]"), appended("frame: FrameInfo") + 1)
    compare("FRAME_NUMBERS", int(re.search(r"FRAME_NUMBERS = (\d+)", script)[1]), appended("frame: FrameInfo") + 1)
    compare("numbers of a player", names(r"const \[(state, wakeAt[^\]]*)\]"), appended("core: inout PlayerCore"))
    compare("STATE_NUMBERS", int(re.search(r"STATE_NUMBERS = (\d+)", script)[1]), appended("core: inout PlayerCore"))
    body = re.search(r"func append\(_ event: .*?^  \}", answers, re.M | re.S)[0]
    for case in body.split("    case .")[1:]:
        lists = re.findall(r"append\(\[(.*)\]\)$", case, re.M)
        # A comma within a closure's braces or a call's brackets separates nothing.
        width = sum(len(re.sub(r"\{.*?\}|\(.*?\)", "", values).split(",")) for values in lists)
        width += len(re.findall(r"append\(\w+\)$", case, re.M))
        wanted = int(re.search(r"EVENT_NUMBERS = (\d+)", script)[1])
        compare(f"numbers of the event {case.split('(')[0].split(':')[0]}", width, wanted)
    kinds = re.findall(r"append\(\[(\d), ", body)
    compare("kinds of events", re.findall(r"^    case (\d)", script, re.M) + [kinds[-1]], kinds)
    for name, array in (("PlaybackState", "STATES"), ("ChangeCause", "CAUSES"), ("FrameStatus", "STATUSES")):
        cases = re.search(rf"^extension {name} \{{.*?^\}}", answers, re.M | re.S)[0]
        found = dict(re.findall(r"case \.(\w+): (\d)", cases))
        words = re.findall(r'"(\w+)"', re.search(rf"\b{array} = \[(.*?)\]", script + SCRIPTS["protocol"], re.S)[1])
        compare(f"numbers of {name}", found, {word: str(number) for number, word in enumerate(words)})
    return len(kinds)


def main() -> int:
    counts = check_structs(), check_types(), check_calls(), check_answers()
    sentence = "{} structs, {} names in TypeScript, {} calls and {} kinds of events are the same in all languages"
    print("\n".join(faults) or sentence.format(*counts))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
