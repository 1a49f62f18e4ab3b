"""A page in TypeScript compiles with the package's types, and a mistake does not."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import browsers

_PAGES = sorted((browsers.HERE / "types").glob("*.ts*"))
_REACT_TYPES = Path("/usr/share/nodejs/@types/react")


class TypesTests(unittest.TestCase):
    def test_a_page_in_typescript_compiles(self) -> None:
        if shutil.which("tsc") is None or not _REACT_TYPES.is_dir():
            self.skipTest("node-typescript or node-react is not installed")
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
            "paths": {"react": [str(_REACT_TYPES)]},
        }
        with tempfile.TemporaryDirectory(prefix="gallop-types-") as folder:
            project = Path(folder) / "tsconfig.json"
            project.write_text(json.dumps({"compilerOptions": options, "files": [str(page) for page in _PAGES]}),
              encoding="utf-8")
            done = subprocess.run(["tsc", "-p", str(project)], capture_output=True, text=True)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
