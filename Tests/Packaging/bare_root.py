"""A bare Debian in a folder: no Swift, no compiler, nothing of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from galloptools.checks import Failure, Missing, need

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
SECONDS = 600
# What installing and removing any package changes.
_UNSTEADY = ("dev", "proc", "sys", "tmp", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log", "etc/ld.so.cache")


class BareRoot:
    """A copy of the minimal system in `store`, which is made there at the first use."""

    def __init__(self, store: Path, folder: Path) -> None:
        if os.geteuid() != 0:
            raise Missing("only root may change the root folder")
        self.folder = folder
        archive = store / f"{SUITE}.tar"
        if not archive.exists():
            bootstrap(archive, folder)
        # The copy is of the archive also at the first use, so that every run begins with the same files.
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subprocess.run(["tar", "--extract", "--file", archive, "--directory", folder], check=True)
        # The copy is deleted after the test: nothing has to reach the disk.
        (folder / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
        if self.status("true") != 0:
            raise Missing("this machine lets no program mount /proc or change its root folder")

    def command(self, *words: str) -> list[str]:
        """The command as it is run from outside."""
        settings = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        # Swift's runtime reads a program's arguments from /proc, which is mounted for this command alone.
        script = 'mount -t proc proc "$1/proc" && exec chroot "$@"'
        return ["unshare", "--mount", "sh", "-c", script, "sh", str(self.folder), "env", *settings, *words]

    def run(self, *words: str) -> str:
        """The standard output of a command, which must succeed."""
        outcome = subprocess.run(
            self.command(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
        )
        if outcome.returncode != 0:
            text = (outcome.stderr or outcome.stdout).strip()[-600:]
            raise Failure(f"{' '.join(words)}: exit status {outcome.returncode}: {text}")
        return outcome.stdout

    def status(self, *words: str) -> int:
        return subprocess.run(self.command(*words), stdin=subprocess.DEVNULL, capture_output=True).returncode

    def files(self) -> set[str]:
        """All files and folders but those that every installation changes."""
        found = set()
        for path in self.folder.rglob("*"):
            name = path.relative_to(self.folder).as_posix()
            if not any(name == part or name.startswith(f"{part}/") for part in _UNSTEADY):
                found.add(name)
        return found


def bootstrap(archive: Path, folder: Path) -> None:
    """Write the archive of a minimal system, with man, which a bare one lacks."""
    need("debootstrap", "unshare")
    shutil.rmtree(folder, ignore_errors=True)
    # What it mounts ends with its namespace.
    command = ["unshare", "--mount", "debootstrap", "--variant=minbase", "--include=man-db,ca-certificates", SUITE, str(folder), MIRROR]
    outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if outcome.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise Missing(f"debootstrap fails (no network?): {(outcome.stdout + outcome.stderr).strip()[-200:]}")
    archive.parent.mkdir(parents=True, exist_ok=True)
    part = archive.with_suffix(".part")
    subprocess.run(["tar", "--create", "--file", part, "--directory", folder, "--exclude=./dev/*", "."], check=True)
    part.rename(archive)
