"""Films that ffmpeg makes, for measuring."""

from __future__ import annotations

import subprocess
from pathlib import Path

_PALETTE = (
    "format=rgb24,split[a][b];[a]trim=end_frame=3,palettegen=reserve_transparent=0:max_colors=64[p];"
    "[b][p]paletteuse=dither=none"
)


def make_film(path: Path, frames: int = 625, source: str = "mandelbrot=s=480x270:r=25:maxiter=300") -> Path:
    """A film of one of ffmpeg's sources; without another one 625 frames of 480 x 270, some 12 MB."""
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", source, "-filter_complex", _PALETTE]
    subprocess.run([*command, "-frames:v", str(frames), "-y", str(path)], check=True)
    return path
