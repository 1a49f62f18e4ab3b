#!/usr/bin/env python3
"""Writes what is in a package as SPDX 2.3:  sbom.py NAME VERSION SHA256 > NAME.spdx.json

Compiled in are Swift's runtime and the packages of Package.resolved; what is linked at run time are Debian packages. The
date is that of SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("libgif7", "libspng0", "libchafa0", "libglib2.0-0")


def main() -> int:
    if len(sys.argv) != 4:
        print("usage: sbom.py NAME VERSION SHA256", file=sys.stderr)
        return 64
    name, version, digest = sys.argv[1:]
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    main_package = package(name, version, "MIT", checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    inside = [package("swift-runtime", swift_version(), "Apache-2.0 WITH Swift-exception"), *resolved()]
    linked = [package(library, debian_version(library), "NOASSERTION") for library in LINKED]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", main_package)]
    relations += [(main_package["SPDXID"], "STATIC_LINK", part) for part in inside]
    relations += [(main_package["SPDXID"], "DYNAMIC_LINK", part) for part in linked]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{digest}",
        "creationInfo": {"created": date, "creators": ["Tool: sbom.py", "Organization: The Gallop authors"]},
        "packages": [main_package, *inside, *linked],
        "relationships": [
            {"spdxElementId": from_part, "relationshipType": kind, "relatedSpdxElement": to_part["SPDXID"]}
            for from_part, kind, to_part in relations
        ],
    }
    print(json.dumps(document, indent=2, sort_keys=True))
    return 0


def package(name: str, version: str, licence: str, **more: Any) -> dict[str, Any]:
    identifier = re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {
        "SPDXID": f"SPDXRef-{identifier}",
        "name": name,
        "versionInfo": version,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        **more,
    }


def swift_version() -> str:
    outcome = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True)
    return re.search(r"Swift version (\S+)", outcome.stdout).group(1)


def resolved() -> list[dict[str, Any]]:
    """The Swift packages that the build has resolved, with version and commit."""
    pins = json.loads((ROOT / "Package.resolved").read_text("utf-8"))["pins"]
    parts = []
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        state = pin["state"]
        part = package(pin["identity"], state["version"], "Apache-2.0 WITH Swift-exception")
        part["downloadLocation"] = f"git+{pin['location']}@{state['revision']}"
        parts.append(part)
    return parts


def debian_version(library: str) -> str:
    command = ["dpkg-query", "--show", "--showformat", "${Version}", library]
    outcome = subprocess.run(command, capture_output=True, text=True)
    return outcome.stdout if outcome.returncode == 0 else "NOASSERTION"


if __name__ == "__main__":
    sys.exit(main())
