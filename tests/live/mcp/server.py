"""An MCP server by the official SDK.

    server.py PORT

It serves /mcp on loopback, with one tool. What it sees of each listen stream
is printed as one line of JSON an event: `opened` when the request comes,
`acknowledged` when the first event is sent, `closed` when no more will be,
`by` whom it was ended.
"""

import json
import sys
import time
from itertools import count

import uvicorn
from mcp.server.mcpserver import MCPServer

LISTEN = b"subscriptions/listen"

server = MCPServer("streamleak live test", version="1.0")
numbers = count(1)


@server.tool()
def clock() -> float:
    """The time, in seconds since 1970."""
    return time.time()


def say(event, stream, **more):
    line = {"at": round(time.time(), 3), "event": event, "stream": stream}
    print(json.dumps(line | more), flush=True)


def watched(app):
    """The application, its listen streams told of."""

    async def watch(scope, receive, send):
        if dict(scope.get("headers", ())).get(b"mcp-method") != LISTEN:
            return await app(scope, receive, send)
        stream = next(numbers)
        begun = whole = False

        async def told(message):
            nonlocal begun, whole
            await send(message)
            if message["type"] == "http.response.body":
                if not begun:
                    say("acknowledged", stream)
                begun, whole = True, not message.get("more_body", False)

        say("opened", stream)
        try:
            await app(scope, receive, told)
        finally:
            say("closed", stream, by="server" if whole else "client")

    return watch


uvicorn.run(
    watched(server.streamable_http_app()),
    host="127.0.0.1",
    port=int(sys.argv[1]),
    log_level="warning",
    timeout_graceful_shutdown=1,
)
