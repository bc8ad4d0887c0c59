"""The test's streams, served by an ASGI server itself."""

import asyncio
import time
from urllib.parse import parse_qs


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        return await lifespan(receive, send)
    query = parse_qs(scope["query_string"].decode())
    lasts, ping = (float(query[k][0]) / 1000 for k in ("lasts", "ping"))
    headers = [(b"content-type", b"text/event-stream")]
    await send(
        {"type": "http.response.start", "status": 200, "headers": headers}
    )
    await part(send, b": open\n\n")
    end = time.monotonic() + lasts
    left = asyncio.ensure_future(disconnected(receive))
    while not left.done() and (rest := end - time.monotonic()) > 0:
        await asyncio.wait([left], timeout=min(ping or rest, rest))
        if ping and not left.done():
            await part(send, b": ping\n\n")
    left.cancel()
    await send({"type": "http.response.body", "body": b""})


async def part(send, text):
    await send({"type": "http.response.body", "body": text, "more_body": True})


async def disconnected(receive):
    while (await receive())["type"] != "http.disconnect":
        pass


async def lifespan(receive, send):
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return
