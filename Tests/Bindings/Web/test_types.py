"""A page in TypeScript compiles with the package's types, and a mistake does not."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import browsers

_PAGES = [browsers.HERE / "types" / name for name in ("components.tsx", "upgrade.ts")]
_ELEMENTS = browsers.HERE / "types" / "elements.tsx"
_REACT_19_TYPES = browsers.HERE / "types" / "react-19"
_REACT_TYPES = Path("/usr/share/nodejs/@types/react")


class TypesTests(unittest.TestCase):
    def _compile(self, pages: list[Path], react: Path) -> None:
        options = {
            "noEmit": True,
            "strict": True,
            "skipLibCheck": True,  # Debian's types of React name modules that it does not have
            "jsx": "react",
            "module": "es2022",
            "moduleResolution": "node",
            "target": "es2022",
            "lib": ["es2022", "dom", "dom.iterable"],
            "types": [],
            "baseUrl": ".",
            "paths": {"react": [str(react)]},
        }
        with tempfile.TemporaryDirectory(prefix="gallop-types-") as folder:
            project = Path(folder) / "tsconfig.json"
            files = [str(page) for page in pages]
            project.write_text(json.dumps({"compilerOptions": options, "files": files}), encoding="utf-8")
            done = subprocess.run(["tsc", "-p", str(project)], capture_output=True, text=True)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.returncode, 0)

    def test_a_page_in_typescript_compiles(self) -> None:
        if shutil.which("tsc") is None or not _REACT_TYPES.is_dir():
            self.skipTest("node-typescript or node-react is not installed")
        self._compile(_PAGES, _REACT_TYPES)

    def test_the_elements_are_known_to_the_jsx_of_react_18_and_19(self) -> None:
        if shutil.which("tsc") is None or not _REACT_TYPES.is_dir():
            self.skipTest("node-typescript or node-react is not installed")
        for react in (_REACT_TYPES, _REACT_19_TYPES):
            with self.subTest(react=react.name):
                self._compile([_ELEMENTS], react)


if __name__ == "__main__":
    unittest.main()
