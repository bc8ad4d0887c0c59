"""An MCP client by the official SDK that holds listen streams.

    client.py URL [--streams N] [--hold S] [--abandon] [--stay]
              [--from ADDRESS] [--mode auto|VERSION]

Each of its streams is held for so many seconds, then closed, and another one
is opened. With `--abandon` none is closed: the next is opened beside it, by a
session of its own, and all of them are left when the client ends. With
`--stay` it ends when it is told to, by SIGTERM or SIGINT, not before.

What it sees is printed as one line of JSON an event, `at` which second since
1970: `opened` before a stream is asked for, `acknowledged` when the server
has accepted it, `closing` before the client closes it, `closed` when it is,
and `by` whom: `client`, `server` (in good order), or `lost` (without a word).
`refused` says why a stream did not come to be. `answered` tells of an
ordinary request; the one with a `stream` is made when that one was closed.
"""

import argparse
import json
import signal
import time
from contextlib import AsyncExitStack
from functools import partial

import anyio
import httpx2
from anyio.lowlevel import checkpoint
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost

# The SDK's own, which a client of the caller's must bring.
TIMEOUT = httpx2.Timeout(30, read=300)


def say(event, **more):
    line = {"at": round(time.time(), 3), "event": event} | more
    print(json.dumps(line), flush=True)


async def session(told, stack):
    """A session with the server, its connections made from the address."""
    transport = told.url
    if told.address:
        connections = httpx2.AsyncHTTPTransport(local_address=told.address)
        http = httpx2.AsyncClient(transport=connections, timeout=TIMEOUT)
        await stack.enter_async_context(http)
        transport = streamable_http_client(told.url, http_client=http)
    client = Client(transport, mode=told.mode)
    return await stack.enter_async_context(client)


async def ask(client, **more):
    """Ordinary requests: for the tools and, if there is a clock, the time."""
    try:
        tools = (await client.list_tools(cache_mode="bypass")).tools
        if "clock" in [tool.name for tool in tools]:
            await client.call_tool("clock", {})
    except MCPError:
        # An answer as well, by a server without tools.
        pass
    say("answered", **more)


async def follow(client, stream, until, begun):
    """Opens one stream and closes it when `until` returns, if it lasts."""
    say("opened", stream=stream)
    try:
        async with client.listen(tools_list_changed=True) as events:
            say("acknowledged", stream=stream)
            begun.set()
            by = await ended_by(events, until)
            if by == "client":
                say("closing", stream=stream)
        say("closed", stream=stream, by=by)
    except (MCPError, SubscriptionLost) as error:
        say("refused", stream=stream, why=str(error))
        begun.set()
    await ask(client, stream=stream)


async def ended_by(events, until):
    """Who ended the stream first."""
    by = "client"
    async with anyio.create_task_group() as both:

        async def leave():
            await until()
            both.cancel_scope.cancel()

        both.start_soon(leave)
        try:
            async for _ in events:
                pass
            by = "server"
        except SubscriptionLost:
            by = "lost"
        both.cancel_scope.cancel()
    return by


async def one_after_another(told, stay):
    async with AsyncExitStack() as stack:
        client = await session(told, stack)
        await ask(client)
        for stream in range(1, told.streams + 1):
            held = partial(anyio.sleep, told.hold)
            await follow(client, stream, held, anyio.Event())
        await stay()


async def one_beside_another(told, stay):
    end = anyio.Event()

    async def alone(stream, begun):
        async with AsyncExitStack() as stack:
            client = await session(told, stack)
            await ask(client)
            await follow(client, stream, end.wait, begun)

    async with anyio.create_task_group() as streams:
        for stream in range(1, told.streams + 1):
            begun = anyio.Event()
            streams.start_soon(alone, stream, begun)
            await begun.wait()
            await anyio.sleep(told.hold)
        say("holding", streams=told.streams)
        await stay()
        end.set()


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--hold", type=float, default=1)
    parser.add_argument("--abandon", action="store_true")
    parser.add_argument("--stay", action="store_true")
    parser.add_argument("--from", dest="address")
    parser.add_argument("--mode", default="auto")
    return parser.parse_args()


async def main():
    told = arguments()
    drive = one_beside_another if told.abandon else one_after_another
    if not told.stay:
        return await drive(told, checkpoint)
    signals = (signal.SIGTERM, signal.SIGINT)
    with anyio.open_signal_receiver(*signals) as come:
        await drive(told, come.__anext__)


anyio.run(main)
