"""Start a headless browser and evaluate script in one page of it.

Chromium is driven through the DevTools protocol, Firefox through WebDriver BiDi; both speak JSON over a WebSocket,
so the two drivers differ only in how a page is opened and how an expression is evaluated.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from galloptools.browsers.websocket_client import WebSocket, WebSocketError, WebSocketTimeout

_POLL_SECONDS = 0.05
_STOP_SECONDS = 5.0
_HOST = "127.0.0.1"
_KEYS = {
    " ": (32, " "),
    "ArrowLeft": (37, "\ue012"),
    "ArrowRight": (39, "\ue014"),
    "Enter": (13, "\ue007"),
    "Tab": (9, "\ue004"),
}
"""Their codes in the DevTools protocol and in WebDriver."""


class BrowserError(Exception):
    """The browser cannot be started, has gone away or answers nonsense: it must be restarted."""


class BrowserHung(BrowserError):
    """The browser did not answer before the deadline."""


class PageError(BrowserError):
    """The script threw, which ours never does on a sound page: after a crash, say, another page stands there."""


class Browser(ABC):
    """A browser process with a throw-away profile and one page.

    The process gets its own session (and so its own process group), which lets `stop` end all of its helpers
    without touching a process that it did not start.
    """

    name: ClassVar[str]
    executables: ClassVar[tuple[str, ...]]
    page_object: ClassVar[str] = "oracle"
    """The global that the page's script defines."""

    def __init__(self, page_url: str, start_seconds: float) -> None:
        self._page_url = page_url
        self._start_seconds = start_seconds
        self._directory: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: WebSocket | None = None
        self._last_id = 0

    @property
    def running(self) -> bool:
        """Whether a page stands ready for `evaluate`."""
        return self._socket is not None

    @classmethod
    def find_executable(cls) -> str:
        """The full name of the browser's program."""
        for candidate in cls.executables:
            found = shutil.which(candidate)
            if found is not None:
                return found
        raise BrowserError(f"{cls.name} is not installed (looked for {', '.join(cls.executables)})")

    def start(self) -> None:
        """Launch the browser and open the page."""
        deadline = time.monotonic() + self._start_seconds
        executable = self.find_executable()
        self._directory = Path(tempfile.mkdtemp(prefix=f"browser-oracle-{self.name}-"))
        try:
            profile = self._directory / "profile"
            profile.mkdir()
            self._prepare_profile(profile)
            self._process = subprocess.Popen(
                [executable, *self._arguments(profile)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environment(self._directory),
                start_new_session=True,
            )
            self._open_page(profile, deadline)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the browser and remove its profile; harmless when it never started or is dead already."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._process is not None:
            _end_process_group(self._process)
            self._process = None
        if self._directory is not None:
            _remove_tree(self._directory)
            self._directory = None

    def evaluate(self, expression: str, deadline: float) -> Any:
        """Evaluate an expression whose (awaited) value is JSON text; return the decoded value."""
        text = self._evaluate_text(expression, deadline)
        try:
            return json.loads(text)
        except ValueError as error:
            raise BrowserError(f"{self.name} returned something that is not JSON") from error

    @abstractmethod
    def point(self, x: int, y: int, deadline: float) -> None:
        """Moves the user's pointer to a place of the page, in CSS pixels."""

    @abstractmethod
    def press(self, key: str, deadline: float, *, has_shift: bool = False) -> None:
        """Presses and releases a key of the keyboard."""

    @abstractmethod
    def _arguments(self, profile: Path) -> list[str]:
        """The command line behind the program's name."""

    @abstractmethod
    def _prepare_profile(self, profile: Path) -> None:
        """Write settings into the empty profile."""

    @abstractmethod
    def _open_page(self, profile: Path, deadline: float) -> None:
        """Connect and load the page."""

    @abstractmethod
    def _evaluate_text(self, expression: str, deadline: float) -> str:
        """Evaluate in the page, await the promise, return the string it gives."""

    @abstractmethod
    def _check_event(self, message: dict[str, Any]) -> None:
        """Look at a message that answers no request; raise BrowserError if the page has died."""

    def _environment(self, directory: Path) -> dict[str, str]:
        """The environment with every place a browser writes to moved below the throw-away directory."""
        environment = dict(os.environ)
        for variable, folder in {
            "HOME": "home",
            "XDG_CONFIG_HOME": "config",
            "XDG_CACHE_HOME": "cache",
            "XDG_DATA_HOME": "data",
            "XDG_RUNTIME_DIR": "runtime",
            "TMPDIR": "tmp",
        }.items():
            place = directory / folder
            place.mkdir(mode=0o700)
            environment[variable] = str(place)
        for variable in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            environment.pop(variable, None)
        return environment

    def _await_text(self, path: Path, is_whole: Callable[[str], bool], deadline: float) -> str:
        """Wait for a file that the browser writes once its debugging port listens; it may be seen half written."""
        while True:
            try:
                text = path.read_text(encoding="utf-8")
            except FileNotFoundError:
                text = ""
            if is_whole(text):
                return text
            if self._process is None or self._process.poll() is not None:
                raise BrowserError(f"{self.name} ended while starting")
            if time.monotonic() > deadline:
                raise BrowserHung(f"{self.name} opened no debugging port in time")
            time.sleep(_POLL_SECONDS)

    def _connect(self, port: int, path: str, deadline: float) -> None:
        try:
            self._socket = WebSocket.connect(_HOST, port, path, deadline)
        except WebSocketTimeout as error:
            raise BrowserHung(f"{self.name}: {error}") from error
        except WebSocketError as error:
            raise BrowserError(f"{self.name}: {error}") from error

    def _call(self, method: str, params: dict[str, Any], deadline: float, extra: dict[str, Any] | None = None) -> Any:
        """Send one command and return its `result`, reading past events."""
        if self._socket is None:
            raise BrowserError(f"{self.name} is not running")
        self._last_id += 1
        request = {"id": self._last_id, "method": method, "params": params, **(extra or {})}
        try:
            self._socket.send_text(json.dumps(request), deadline)
            while True:
                message = json.loads(self._socket.receive_text(deadline))
                if message.get("id") != self._last_id:
                    self._check_event(message)
                    continue
                if message.get("error"):
                    raise BrowserError(f"{self.name}: {method} failed: {json.dumps(message)[:500]}")
                return message.get("result", {})
        except WebSocketTimeout as error:
            raise BrowserHung(f"{self.name} did not answer in time") from error
        except (WebSocketError, ValueError) as error:
            raise BrowserError(f"{self.name} has gone: {error}") from error


class Chromium(Browser):
    """Chromium through the DevTools protocol."""

    name = "chromium"
    executables = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

    def __init__(self, page_url: str, start_seconds: float) -> None:
        super().__init__(page_url, start_seconds)
        self._session = ""

    def _arguments(self, profile: Path) -> list[str]:
        return [
            "--headless=new",
            "--no-sandbox",  # the sandbox refuses to run as root
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-breakpad",
            "--disable-crash-reporter",
            "--disable-extensions",
            "--disable-sync",
            "--disable-component-update",
            "--disable-background-networking",
            "--disable-background-timer-throttling",
            "--disable-renderer-backgrounding",
            "--no-first-run",
            "--no-default-browser-check",
            "--no-proxy-server",
            "--password-store=basic",
            "--force-color-profile=srgb",
            f"--user-data-dir={profile}",
            "--remote-debugging-port=0",
            "about:blank",
        ]

    def _prepare_profile(self, profile: Path) -> None:
        """Chromium needs nothing beyond its command line."""

    def _open_page(self, profile: Path, deadline: float) -> None:
        text = self._await_text(profile / "DevToolsActivePort", lambda text: "/devtools/browser/" in text, deadline)
        port, path = text.split("\n")[:2]
        self._connect(int(port), path, deadline)
        target = self._call("Target.createTarget", {"url": "about:blank"}, deadline)["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, deadline)
        self._session = attached["sessionId"]
        self._call_page("Inspector.enable", {}, deadline)
        navigated = self._call_page("Page.navigate", {"url": self._page_url}, deadline)
        if navigated.get("errorText"):
            raise BrowserError(f"chromium cannot load the page: {navigated['errorText']}")
        self._await_script(deadline)

    def screenshot(self, clip: dict[str, float], deadline: float) -> bytes:
        """A PNG of a part of the page; where nothing is painted it is transparent."""
        transparent = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
        self._call_page("Emulation.setDefaultBackgroundColorOverride", transparent, deadline)
        answer = self._call_page("Page.captureScreenshot", {"format": "png", "clip": clip}, deadline)
        return base64.b64decode(answer["data"])

    def point(self, x: int, y: int, deadline: float) -> None:
        self._call_page("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y}, deadline)

    def press(self, key: str, deadline: float, *, has_shift: bool = False) -> None:
        text = {"Enter": "\r", " ": " "}.get(key, "")
        event = {"key": key, "windowsVirtualKeyCode": _KEYS[key][0], "modifiers": 8 if has_shift else 0, "text": text}
        for kind in ("keyDown", "keyUp"):
            self._call_page("Input.dispatchKeyEvent", {**event, "type": kind}, deadline)

    def _await_script(self, deadline: float) -> None:
        """Page.navigate answers before the scripts have run, so ask until the page says it is there."""
        while not self.evaluate(f"JSON.stringify(typeof {self.page_object} === 'object')", deadline):
            time.sleep(_POLL_SECONDS)

    def _call_page(self, method: str, params: dict[str, Any], deadline: float) -> Any:
        return self._call(method, params, deadline, {"sessionId": self._session})

    def _evaluate_text(self, expression: str, deadline: float) -> str:
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self._call_page("Runtime.evaluate", params, deadline)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            reason = details.get("exception", {}).get("description") or details.get("text", "unknown")
            raise PageError(f"the page's script failed: {reason}")
        return str(answer["result"].get("value"))

    def _check_event(self, message: dict[str, Any]) -> None:
        if message.get("method") in ("Inspector.targetCrashed", "Target.targetCrashed", "Inspector.detached"):
            raise BrowserError("chromium: the page crashed")


class Firefox(Browser):
    """Firefox through WebDriver BiDi."""

    name = "firefox"
    executables = ("firefox-esr", "firefox")

    _PREFERENCES: ClassVar[dict[str, bool | int | str]] = {
        "dom.media.webcodecs.enabled": True,
        "dom.media.webcodecs.image-decoder.enabled": True,
        "privacy.resistFingerprinting": False,  # it would put noise into canvas read-backs
        "privacy.fingerprintingProtection": False,
        "app.update.enabled": False,
        "app.normandy.enabled": False,
        "browser.shell.checkDefaultBrowser": False,
        "browser.startup.homepage_override.mstone": "ignore",
        "datareporting.policy.dataSubmissionEnabled": False,
        "datareporting.healthreport.uploadEnabled": False,
        "toolkit.telemetry.enabled": False,
        "extensions.update.enabled": False,
        "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False,
        "network.proxy.type": 0,
        "dom.min_background_timeout_value": 4,
    }

    def __init__(self, page_url: str, start_seconds: float) -> None:
        super().__init__(page_url, start_seconds)
        self._context = ""

    def _arguments(self, profile: Path) -> list[str]:
        return ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0", "about:blank"]

    def _environment(self, directory: Path) -> dict[str, str]:
        environment = super()._environment(directory)
        environment["MOZ_CRASHREPORTER_DISABLE"] = "1"
        environment["MOZ_DISABLE_CONTENT_SANDBOX"] = "1"  # namespaces are often unavailable to root in a container
        return environment

    def _prepare_profile(self, profile: Path) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in self._PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _open_page(self, profile: Path, deadline: float) -> None:
        text = self._await_text(
            profile / "WebDriverBiDiServer.json", lambda text: text.rstrip().endswith("}"), deadline
        )
        server = json.loads(text)
        self._connect(int(server["ws_port"]), "/session", deadline)
        self._call("session.new", {"capabilities": {}}, deadline)
        contexts = self._call("browsingContext.getTree", {}, deadline)["contexts"]
        if contexts:
            self._context = contexts[0]["context"]
        else:
            self._context = self._call("browsingContext.create", {"type": "tab"}, deadline)["context"]
        self._call("session.subscribe", {"events": ["browsingContext.contextDestroyed"]}, deadline)
        navigate = {"context": self._context, "url": self._page_url, "wait": "complete"}
        self._call("browsingContext.navigate", navigate, deadline)

    def point(self, x: int, y: int, deadline: float) -> None:
        move = {"type": "pointerMove", "x": x, "y": y, "duration": 0}
        self._perform({"type": "pointer", "id": "mouse", "actions": [move]}, deadline)

    def press(self, key: str, deadline: float, *, has_shift: bool = False) -> None:
        keys = ["\ue008"] * has_shift + [_KEYS[key][1]]
        down = [{"type": "keyDown", "value": value} for value in keys]
        up = [{"type": "keyUp", "value": value} for value in reversed(keys)]
        self._perform({"type": "key", "id": "keyboard", "actions": down + up}, deadline)

    def _perform(self, source: dict[str, Any], deadline: float) -> None:
        self._call("input.performActions", {"context": self._context, "actions": [source]}, deadline)

    def _evaluate_text(self, expression: str, deadline: float) -> str:
        params = {"expression": expression, "target": {"context": self._context}, "awaitPromise": True}
        answer = self._call("script.evaluate", params, deadline)
        if answer.get("type") == "exception":
            reason = answer.get("exceptionDetails", {}).get("text", "unknown")
            raise PageError(f"the page's script failed: {reason}")
        return str(answer["result"].get("value"))

    def _check_event(self, message: dict[str, Any]) -> None:
        if message.get("method") != "browsingContext.contextDestroyed":
            return
        if message.get("params", {}).get("context") == self._context:
            raise BrowserError("firefox: the page is gone")


BROWSERS: dict[str, type[Browser]] = {kind.name: kind for kind in (Chromium, Firefox)}


def _end_process_group(process: subprocess.Popen[bytes]) -> None:
    """Ask the browser's own process group to end, then insist."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue


def _remove_tree(directory: Path) -> None:
    """Remove the profile; dying helpers may still write into it, so try a few times."""
    for _ in range(20):
        shutil.rmtree(directory, ignore_errors=True)
        if not directory.exists():
            return
        time.sleep(_POLL_SECONDS)
