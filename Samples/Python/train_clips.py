#!/usr/bin/env python3
"""Trains a small network to tell the classes of GIFs: FOLDER has a folder for each class.

    train_clips.py FOLDER                                  two epochs, two workers that are forked
    train_clips.py FOLDER --workers 4 --start spawn --epochs 10

Needs gallop-gif and PyTorch. Files that cannot be used are left out with a line on standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import gallop
import torch
from gallop.torch import Clips
from torch import nn
from torch.utils.data import DataLoader

FRAMES, SIZE = 8, (64, 64)


def usable(paths: Sequence[Path]) -> list[Path]:
    """The files of which a clip can be made; a frame of each is decoded."""
    good: list[Path] = []
    for batch in gallop.clips(paths, frames=1, size=(1, 1)):
        for path, error in zip(batch.sources, batch.errors):
            if error is None:
                good.append(Path(str(path)))
            else:
                print(f"left out: {error}", file=sys.stderr)
    return good


def network(classes: int) -> nn.Module:
    """Three convolutions over time and space, and a mean."""
    sizes = (3, 16, 32, 64)
    layers: list[nn.Module] = []
    for before, after in zip(sizes, sizes[1:]):
        layers += [nn.Conv3d(before, after, 3, stride=(1, 2, 2), padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(sizes[-1], classes))


def train(options: argparse.Namespace) -> int:
    classes = sorted(folder for folder in options.folder.iterdir() if folder.is_dir())
    paths = usable([path for folder in classes for path in sorted(folder.rglob("*.gif"))])
    if not paths:
        print(f"{options.folder}: there are no GIFs in folders", file=sys.stderr)
        return 1
    labels = [next(number for number, folder in enumerate(classes) if folder in path.parents) for path in paths]
    loader = DataLoader(
        Clips(paths, labels, frames=FRAMES, size=SIZE), batch_size=32, shuffle=True, num_workers=options.workers,
        multiprocessing_context=options.start if options.workers else None,
    )  # fmt: skip
    model = network(len(classes))
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    for epoch in range(options.epochs):
        begin, total, right = time.monotonic(), 0.0, 0
        for clips, targets in loader:
            # Frames behind channels, as Conv3d takes them.
            guesses = model(clips.transpose(1, 2).float() / 255)
            loss = nn.functional.cross_entropy(guesses, targets)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(targets)
            right += int((guesses.argmax(1) == targets).sum())
        rate = len(paths) / (time.monotonic() - begin)
        print(f"epoch {epoch + 1}: loss {total / len(paths):.3f}, {right} of {len(paths)} right, {rate:.0f} clips a second")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Trains a small network on GIFs.")
    parser.add_argument("folder", type=Path, help="a folder with a folder of GIFs for each class")
    parser.add_argument("--workers", type=int, default=2, help="processes that decode; 2")
    parser.add_argument("--start", choices=["fork", "spawn"], default="fork", help="how they begin; fork")
    parser.add_argument("--epochs", type=int, default=2, help="2")
    return train(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
