"""A headless Chromium of our own, driven by its DevTools protocol over a pipe. Everything that a page asks for, says and
fails at is kept."""
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time


class Chromium:
    """Starts Chromium with a profile that goes away with it: `with Chromium() as page`."""

    def __init__(self, patience=30):
        self.patience = patience
        self.profile = tempfile.mkdtemp(prefix="snpack-chromium-")
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        # The protocol's file descriptors are 3 and 4.
        command = f"exec chromium --headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking " \
                  f"--disable-component-update --disable-dev-shm-usage --hide-scrollbars --force-color-profile=srgb " \
                  f"--user-data-dir={self.profile} --remote-debugging-pipe about:blank 3<&{to_read} 4>&{to_write}"
        self.process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session = b"", 0, None
        self.requests, self.messages, self.events = [], [], []
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Network", "Runtime", "Log"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        # The browser is the leader of a group of its own processes, started above.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.read_end)
        os.close(self.write_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise EOFError("chromium ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.messages.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(value.get("value")) for value in params["args"]))
        elif method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        if method:
            self.events.append(method)
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, url):
        """Goes to `url`, from an empty page, and returns the seconds until its load event."""
        self._go("about:blank")
        self.requests.clear()
        self.messages.clear()
        return self._go(url)

    def _go(self, url):
        self.events.clear()
        began = time.monotonic()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self._receive()
        return time.monotonic() - began

    def evaluate(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def wait(self, expression):
        """Waits until an expression holds."""
        end = time.monotonic() + self.patience
        while not self.evaluate(f"!!({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"never came true: {expression}")
            time.sleep(0.02)

    def press(self, key, code=None, text=None, modifiers=0):
        fields = {"key": key, "code": code or key, "modifiers": modifiers}
        numbers = {"Tab": 9, "Enter": 13, " ": 32}
        if key in numbers:
            fields["windowsVirtualKeyCode"] = numbers[key]
        if text:
            fields["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **fields)
        self.call("Input.dispatchKeyEvent", type="keyUp", **fields)

    def look(self, width=1100, height=900, dark=False, mobile=False):
        """Sets the window's size and the colour scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)
