"""One session of a Python client: lists, calls, hears, answers, cancels. Prints what it saw as JSON."""

import asyncio
import json
import sys

import mcp
import mcp.types as types
from fastmcp import Client as FastClient

library, mode, url = sys.argv[1:4]
wrong_answers = json.load(sys.stdin)


async def elicited(_context, params):
    return types.ElicitResult(action="accept", content={"name": f"Ada, asked: {params.message}"})


async def elicited_fast(message, _type, _params, _context):
    return {"name": f"Ada, asked: {message}"}


class First:
    """The official client."""

    def __init__(self):
        self.open = mcp.Client(url, mode=mode, elicitation_callback=elicited)

    async def tools(self, client):
        names, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return names

    async def call(self, client, name, arguments, progress=None):
        result = await client.call_tool(name, arguments, progress_callback=progress)
        return result.structured_content


class Fast:
    """FastMCP, which makes objects of structured content."""

    def __init__(self):
        self.open = FastClient(url, mode=mode, elicitation_handler=elicited_fast)

    async def tools(self, client):
        return [tool.name for tool in await client.list_tools()]

    async def call(self, client, name, arguments, progress=None):
        result = await client.call_tool(
            name, arguments, progress_handler=progress, raise_on_error=False
        )
        return result.structured_content


async def main():
    kind = First() if library == "mcp" else Fast()
    async with kind.open as client:
        seen = {"tools": len(await kind.tools(client))}
        seen["echo"] = await kind.call(client, "test_echo", {"text": "grüße"})

        heard, all_heard = [], asyncio.Event()

        async def progress(done, _total, _message):
            heard.append(done)
            if done == 3:
                all_heard.set()

        counting = asyncio.create_task(kind.call(client, "test_counting", {}, progress))
        await all_heard.wait()
        await kind.call(client, "test_heard", {})
        await counting
        seen["progress"] = heard

        seen["elicited"] = await kind.call(client, "test_asking", {})

        begun = asyncio.Event()

        async def started(_done, _total, _message):
            begun.set()

        waiting = asyncio.create_task(kind.call(client, "test_waiting", {}, started))
        await begun.wait()
        waiting.cancel()
        try:
            await waiting
        except asyncio.CancelledError:
            seen["cancelled"] = True
        seen["afterwards"] = await kind.call(client, "test_echo", {"text": "still here"})

        refused = []
        for answer in wrong_answers:
            await kind.call(client, "test_vendor", answer["vendor"])
            # That a tool fails is an answer, too: what counts is that the client takes it.
            try:
                await kind.call(client, answer["tool"], answer["arguments"])
            except Exception as error:
                refused.append(f"{answer['tool']}: {error}")
        seen["refused"] = refused
    print(json.dumps(seen))


asyncio.run(main())
