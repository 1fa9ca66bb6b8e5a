"""The results page as a widget of a notebook: it needs no port, so that it works through a remote notebook server.

The page runs in a frame of the output; its requests go to the kernel as messages of the widget.
"""

from __future__ import annotations

import os
from typing import Any

from . import _native
from .run import Run

#: Replacement of the server in the page: every request becomes a message to the widget.
_SHIM = """
(() => {
  const waiting = new Map();
  let next = 0;
  window.fetch = (address) => new Promise((resolve) => {
    const id = next++;
    waiting.set(id, resolve);
    parent.postMessage({ voussoir: "ask", id, address: String(address) }, "*");
  });
  addEventListener("message", ({ data }) => {
    if (data?.voussoir !== "answer" || !waiting.has(data.id)) return;
    const { status, kind, body } = data;
    waiting.get(data.id)(new Response(body, { status, headers: { "Content-Type": kind } }));
    waiting.delete(data.id);
  });
  // links to files of the server
  addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[download]");
    const address = link?.getAttribute("href") ?? "";
    if (!link || /^(blob|data):/.test(address)) return;
    event.preventDefault();
    const made = document.createElement("a");
    made.href = URL.createObjectURL(await (await fetch(address)).blob());
    made.download = link.download;
    made.click();
  }, true);
})();
"""

#: The widget: a frame with the page, and messages between it and the kernel.
_WIDGET = """
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
  frame.title = "Voussoir";
  frame.srcdoc = model.get("page");
  el.append(frame);
  const ask = ({ source, data }) => {
    if (source === frame.contentWindow && data?.voussoir === "ask") model.send({ id: data.id, address: data.address });
  };
  const answer = (message, buffers) => {
    const view = buffers[0];
    const bytes = new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength);
    // a copy, whose memory is its own
    const body = bytes.slice().buffer;
    frame.contentWindow?.postMessage({ voussoir: "answer", ...message, body }, "*", [body]);
  };
  addEventListener("message", ask);
  model.on("msg:custom", answer);
  return () => {
    removeEventListener("message", ask);
    model.off("msg:custom", answer);
  };
}
export default { render };
"""


def _page(native: _native.NativePage) -> str:
    """The page as one text: style and program inside, requests as messages."""
    text, program, style = (native.answer(name)[2].decode("utf-8") for name in ("", "page.js", "page.css"))
    lines = [line for line in text.splitlines() if "page.js" not in line and "page.css" not in line]
    # `</script>` inside a string of the program would end the script
    inside = program.replace("</script", "<\\/script")
    head = f"<style>{style}</style><script>{_SHIM}</script>"
    whole = "\n".join(lines).replace("</head>", f"{head}</head>", 1)
    return whole.replace("</body>", f'<script type="module">{inside}</script></body>', 1)


def _folder(source: Run | str | os.PathLike[str]) -> str:
    if not isinstance(source, Run):
        return os.path.abspath(source)
    if source.directory is None:
        raise ValueError("a run in memory has no page; give a folder to scene.run")
    return os.path.abspath(source.directory)


def answer(native: _native.NativePage, content: Any) -> tuple[dict[str, Any], list[bytes]]:
    """The message and the bytes that answer a request of the page."""
    status, kind, body = native.answer(str(content["address"]))
    return {"id": int(content["id"]), "status": status, "kind": kind}, [body]


def player(
    run: Run | str | os.PathLike[str], other: Run | str | os.PathLike[str] | None = None, *, height: int = 600
) -> Any:
    """The results page as a widget (anywidget): play, scrub, inspect, colour, cut, compare; also through a remote server.

    run: A run into a folder, or a results folder; a run in progress is followed.
    other: A second one, shown beside the first.
    height: Height of the widget [px].
    """
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError("the player needs the package anywidget: pip install anywidget") from error
    native = _native.NativePage([_folder(source) for source in (run, other) if source is not None])

    class Player(anywidget.AnyWidget):  # type: ignore[misc]
        """The results page in a notebook."""

        _esm = _WIDGET
        page = traitlets.Unicode(_page(native)).tag(sync=True)
        height = traitlets.Int().tag(sync=True)

    def answered(widget: Any, content: Any, buffers: Any) -> None:
        message, bytes_ = answer(native, content)
        widget.send(message, bytes_)

    widget = Player(height=height)
    widget.on_msg(answered)
    return widget
