#!/usr/bin/env python3
"""Write a page as one HTML file that works from a disk, offline, and can send nothing anywhere.

The modules become one script; the engine, its worker and a few samples are in it as text. Browsers refuse
modules from `file:`, so each module turns into a function that runs once. The page's policy names the script
and the style by their hashes, and lets no request out.

    assemble.py inspector/index.html gallop.wasm inspector.html [--edit edit.wasm] [--flashes flashes.wasm] [--sample a.gif ...]
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_SCRIPT = re.compile(r'<script type="module" src="([^"]+)"></script>')
_IMPORT = re.compile(r'^import (?:(\{[^}]*\}|\* as \w+) from )?"(\.[^"]+)";$', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'(?<=await )import\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)
_EXPORTED_NAMES = re.compile(r'^export \{([^}]*)\}(?: from "(\.[^"]+)")?;$', re.MULTILINE)


class Bundle:
    """The modules that a first one needs, each before those that import it."""

    def __init__(self) -> None:
        self._names: dict[Path, str] = {}
        self._open: set[Path] = set()
        self.scripts: list[str] = []

    def add(self, file: Path) -> str:
        """Take in a module and all that it imports; return the name of its exports."""
        file = file.resolve()
        if file.name == "flashes-loader.js":
            file = file.with_name("flashes-inside.js")
        if file in self._names:
            return self._names[file]
        if file in self._open:
            raise SystemExit(f"{file.name} imports itself through others, which one script cannot do")
        self._open.add(file)
        script = self._script(file)
        self._open.discard(file)
        self._names[file] = name = f"module{len(self._names)}"
        self.scripts.append(f"// {file.name}\nconst {name} = (() => {{\n{script}\n}})();\n")
        return name

    def _script(self, file: Path) -> str:
        text = file.read_text(encoding="utf-8")
        exported: list[str] = []

        def bind(match: re.Match[str]) -> str:
            names, path = match.groups()
            module = self.add(file.parent / path)
            if names is None:
                return ""
            if names.startswith("*"):
                return f"const {names.removeprefix('* as ')} = {module};"
            return f"const {names.replace(' as ', ': ')} = {module};"

        def bind_later(match: re.Match[str]) -> str:
            return f"Promise.resolve({self.add(file.parent / match[1])})"

        def keep(match: re.Match[str]) -> str:
            exported.append(match[1])
            return ""

        def keep_all(match: re.Match[str]) -> str:
            module = f"{self.add(file.parent / match[2])}." if match[2] else ""
            for name in filter(None, (part.strip() for part in match[1].split(","))):
                inner, _, outer = name.partition(" as ")
                exported.append(f"{outer or inner}: {module}{inner}")
            return ""

        text = _IMPORT.sub(bind, text)
        text = _DYNAMIC_IMPORT.sub(bind_later, text)
        text = _EXPORT.sub(keep, text)
        text = _EXPORTED_NAMES.sub(keep_all, text)
        text = text.replace("import.meta.url", "document.baseURI")
        left = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
        if left:
            raise SystemExit(f"{file.name}: cannot be put into one script: {left[0]}")
        return f"{text}\nreturn {{ {', '.join(exported)} }};"


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def _text(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()


def _bundle(file: Path) -> str:
    bundle = Bundle()
    bundle.add(file)
    return '"use strict";\n' + "".join(bundle.scripts)


def assemble(source: Path, wasm: Path, more: dict[str, Path | None], samples: list[Path]) -> str:
    """The whole page."""
    page = source.read_text(encoding="utf-8")
    style_link, script_link = _STYLE.search(page), _SCRIPT.search(page)
    if style_link is None or script_link is None:
        raise SystemExit(f"{source} links no style sheet or no module")
    inside = {
        "wasm": _text(wasm),
        **{name: _text(file) for name, file in more.items() if file},
        "worker": _bundle(_PACKAGE / "worker.js"),
        "samples": {sample.name: _text(sample) for sample in samples},
    }
    script = f"\nglobalThis.gallopInside = {json.dumps(inside)};\n{_bundle(source.parent / script_link[1])}"
    script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    style = (source.parent / style_link[1]).read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src {_hash(script)} 'wasm-unsafe-eval'; style-src {_hash(style)}; "
        "img-src blob: data:; connect-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    meta = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = page.replace(style_link[0], f"<style>{style}</style>").replace(script_link[0], "")
    page = page.replace('<meta charset="utf-8">', meta)
    return page.replace("</body>", f"<script>{script}</script>\n</body>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("wasm", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--edit", type=Path, help="the editor, for a page that saves ranges")
    parser.add_argument("--flashes", type=Path, help="what judges flashes, for a page that shows the verdict")
    parser.add_argument("--sample", type=Path, action="append", default=[], help="a GIF that the page offers")
    arguments = parser.parse_args()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    more = {"edit": arguments.edit, "flashes": arguments.flashes}
    arguments.output.write_text(assemble(arguments.page, arguments.wasm, more, arguments.sample), encoding="utf-8")


if __name__ == "__main__":
    main()
