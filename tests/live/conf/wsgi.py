"""The test's streams, served by a WSGI server itself."""

import time
from urllib.parse import parse_qs


def app(environ, start_response):
    query = parse_qs(environ.get("QUERY_STRING", ""))
    lasts, ping = (float(query[k][0]) / 1000 for k in ("lasts", "ping"))
    start_response("200 OK", [("Content-Type", "text/event-stream")])
    return stream(time.monotonic() + lasts, ping)


def stream(end, ping):
    yield b": open\n\n"
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(ping or left, left))
        if ping:
            yield b": ping\n\n"
