"""The player: the page without a server, and the widget in a browser."""

from __future__ import annotations

import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import threading

import pytest

import voussoir as vs
from voussoir import _native

from .scenes import footfall

_player = __import__("sys").modules["voussoir.player"]


def recorded(folder: pathlib.Path) -> vs.Run:
    scene = footfall().dynamic(duration=0.02, step=1e-3)
    return scene.run(folder)


def native(*folders: pathlib.Path) -> _native.NativePage:
    try:
        return _native.NativePage(list(folders))
    except vs.SceneError as error:
        if "Node" in str(error) or "page" in str(error).lower():
            pytest.skip(str(error))
        raise


def test_the_page_answers_without_a_server(tmp_path: pathlib.Path) -> None:
    run = recorded(tmp_path / "out")
    page = native(tmp_path / "out", tmp_path / "out")
    status, kind, body = page.answer("runs")
    assert (status, kind, json.loads(body)) == (200, "application/json", {"runs": 2})
    status, _, body = page.answer("run/1/status?from=0")
    assert json.loads(body)["frames"] == len(run) and json.loads(body)["finished"]
    status, kind, body = page.answer(f"run/0/frame/{len(run) - 1}?parts=joints")
    assert status == 200 and kind == "application/octet-stream" and body[:4] == b"VPK1"
    for wrong in ("run/0/frame/999?parts=", "../../etc/passwd", "run/7/bodies"):
        status, _, body = page.answer(wrong)
        assert status == 404 and "error" in json.loads(body)
    text = _player._page(page)
    assert "src=\"./page.js\"" not in text and text.count("</body>") == 1 and "voussoir: \"ask\"" in text


def test_the_widget_hands_on_requests(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("anywidget")
    run = recorded(tmp_path / "out")
    native(tmp_path / "out")
    widget = vs.player(run, height=300)
    sent: list[tuple[dict[str, object], list[bytes]]] = []
    widget.send = lambda message, buffers: sent.append((message, buffers))
    widget._handle_custom_msg({"id": 5, "address": "runs"}, [])
    ((message, buffers),) = sent
    assert message == {"id": 5, "status": 200, "kind": "application/json"}
    assert json.loads(buffers[0]) == {"runs": 1} and widget.height == 300
    with pytest.raises(ValueError, match="in memory"):
        vs.player(footfall().dynamic(duration=2e-3, step=1e-3).run())


#: A notebook in small: the widget's program with a model whose messages are requests of HTTP.
HARNESS = """<!doctype html><html><body><div id="out"></div><script type="module">
const module = await import("/widget.js");
const page = await (await fetch("/page")).text();
const heard = [];
const model = {
  get: (name) => ({ page, height: 400 })[name],
  on: (name, call) => heard.push(call),
  off: () => {},
  send: async (content) => {
    const answer = await fetch("/ask", { method: "POST", body: JSON.stringify(content) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    for (const call of heard) call(JSON.parse(answer.headers.get("X-Message")), [new DataView(bytes.buffer)]);
  },
};
module.default.render({ model, el: document.getElementById("out") });
const inside = () => document.querySelector("iframe").contentDocument?.body;
for (let i = 0; i < 600 && inside()?.dataset.state !== "ready"; i++) await new Promise((go) => setTimeout(go, 50));
document.title = `state ${inside()?.dataset.state}: ${inside()?.querySelector("#title")?.textContent}`;
await fetch("/done", { method: "POST", body: document.title });
</script></body></html>"""


class Notebook(http.server.BaseHTTPRequestHandler):
    """Serves the harness, the widget and the answers of the kernel."""

    def __init__(self, page: _native.NativePage, told: list[str], ended: threading.Event, *rest: object) -> None:
        self.page, self.told, self.ended = page, told, ended
        super().__init__(*rest)  # type: ignore[arg-type]

    def log_message(self, *words: object) -> None:
        pass

    def answer(self, kind: str, body: bytes, message: str = "{}") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("X-Message", message)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        texts = {
            "/": ("text/html", HARNESS),
            "/widget.js": ("text/javascript", _player._WIDGET),
            "/page": ("text/plain", _player._page(self.page)),
        }
        kind, text = texts.get(self.path, ("text/plain", ""))
        self.answer(kind + "; charset=utf-8", text.encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/done":
            self.told.append(body.decode())
            self.ended.set()
            return self.answer("text/plain", b"")
        content = json.loads(body)
        self.told.append(str(content["address"]))
        message, buffers = _player.answer(self.page, content)
        self.answer("application/octet-stream", buffers[0], json.dumps(message))


def test_the_widget_plays_in_a_browser(tmp_path: pathlib.Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs Chromium")
    recorded(tmp_path / "out")
    told: list[str] = []
    ended = threading.Event()
    handler = functools.partial(Notebook, native(tmp_path / "out"), told, ended)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = subprocess.Popen(
        [chromium, "--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--enable-unsafe-swiftshader",
         "--use-angle=swiftshader", f"--user-data-dir={tmp_path / 'profile'}", f"http://127.0.0.1:{server.server_port}/"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        assert ended.wait(120.0), told
    finally:
        browser.terminate()
        browser.wait(20.0)
        server.shutdown()
        server.server_close()
    assert told[-1] == "state ready: Arch under a footfall"
    assert "run/0/bodies" in told and any(re.match(r"run/0/frame/0\?parts=", address) for address in told)
