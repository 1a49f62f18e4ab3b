"""Functions and words are those of gallop.h; Tests/declarations.py compares the structs."""

from __future__ import annotations

import ctypes
from typing import Any

import gallop
import pytest
from conftest import ROOT
from gallop import _library, enums
from gallop.decoding import Packing
from header import Header, read_header

PATH = ROOT / "Sources" / "Bindings" / "C" / "CGallop" / "include" / "gallop.h"

KINDS = {
    ctypes.c_int32: "int32_t",
    ctypes.c_int64: "int64_t",
    ctypes.c_uint32: "uint32_t",
    ctypes.c_uint64: "uint64_t",
    ctypes.c_double: "double",
    ctypes.c_char_p: "pointer",
    ctypes.c_void_p: "pointer",
}
WORDS = {
    "FRAME": enums.FrameStatus,
    "DISPOSAL": enums.Disposal,
    "FIT": enums.Fit,
    "DAMAGE": enums.DamagePolicy,
    "DELAY": enums.DelayPolicy,
    "MODE": enums.PlaybackMode,
    "STATE": enums.PlaybackState,
    "LATE": enums.LatePolicy,
    "SUSPENSION": enums.SuspensionPolicy,
    "MOTION": enums.Motion,
    "PRIORITY": enums.Priority,
    "PRELOAD": enums.Preload,
    "BUFFERING": enums.Buffering,
    "CAUSE": enums.Cause,
    "ORDER": enums.Order,
    "FLASHES": enums.FlashResult,
    "PRESSURE": enums.Pressure,
}
# These have no word of their own before the name.
BARE = {enums.PixelFormat, enums.Visibility}
# Python has no use for them: one frame's facts come with all others, callbacks would run on engine threads, and arrays are
# targets.
UNUSED = {
    "gallop_decoder_read",
    "gallop_last_message",
    "gallop_image_get_frame",
    "gallop_decoder_update",
    "gallop_frame_retain",
    "gallop_frame_copy",
    "gallop_budget_on_limit",
    "gallop_player_on_event",
    "gallop_player_remove",
}


@pytest.fixture(scope="module")
def header() -> Header:
    return read_header(PATH)


def kind(declared: Any) -> str:
    if declared in KINDS:
        return KINDS[declared]
    if isinstance(declared, type) and issubclass(declared, ctypes._Pointer):
        return "pointer"
    if isinstance(declared, type) and issubclass(declared, ctypes.Array):
        return f"text[{declared._length_}]"
    raise AssertionError(f"no kind for {declared}")


def test_the_header_is_read(header: Header) -> None:
    assert header.functions["gallop_decoder_read"][1][2:6] == ("pointer", "uint64_t", "uint64_t", "uint32_t")
    assert header.structs["gallop_rect"] == tuple((name, "int32_t") for name in ("x", "y", "width", "height"))
    assert header.numbers["GALLOP_CANCELLED"] < 0


def test_functions_are_those_of_the_header(header: Header) -> None:
    assert set(_library.FUNCTIONS) == set(header.functions) - UNUSED
    for name, (result, *arguments) in _library.FUNCTIONS.items():
        assert (kind(result), tuple(map(kind, arguments))) == header.functions[name], name


@pytest.mark.parametrize("prefix", WORDS)
def test_words_have_the_numbers_of_the_header(header: Header, prefix: str) -> None:
    start = f"GALLOP_{prefix}_"
    listed = {name[len(start) :]: number for name, number in header.numbers.items() if name.startswith(start)}
    # The package itself covers a size.
    own = [(name, word) for name, word in WORDS[prefix].__members__.items() if word is not enums.Fit.COVER]
    assert {name: word.number for name, word in own} == listed


def test_words_without_a_prefix_have_the_numbers_of_the_header(header: Header) -> None:
    for words in BARE:
        for name, word in words.__members__.items():
            if isinstance(word, enums.PixelFormat) and word.channels < 4:
                assert header.numbers[f"GALLOP_CHANNELS_{name}"] == Packing.of(word, "THWC", (0, 0, 0)).number
            else:
                assert header.numbers[f"GALLOP_{name}"] == word.number


def test_statuses_are_those_of_the_header(header: Header) -> None:
    for name in ("OK", "END", "AGAIN", "CANCELLED", "UNREADABLE"):
        assert getattr(_library, name) == header.numbers[f"GALLOP_{name}"]


def test_the_version_is_the_packages() -> None:
    assert gallop.__version__.startswith(".".join(map(str, _library.VERSION)))
