"""Log in with Python's mcp: prints where its user has to go, reads where the user came back, lists tools."""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
import mcp
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

url, redirect = sys.argv[1:3]


class Storage:
    """Keeps what a host keeps, in memory."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def send_user(address):
    print(json.dumps({"visit": address}), flush=True)


async def user_came_back():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = parse_qs(urlsplit(line.strip()).query)
    one = lambda name: query.get(name, [None])[0]
    return AuthorizationCodeResult(code=one("code"), state=one("state"), iss=one("iss"))


async def main():
    storage = Storage()
    metadata = OAuthClientMetadata(client_name="Python host", redirect_uris=[redirect])
    auth = OAuthClientProvider(url, metadata, storage, send_user, user_came_back)
    async with httpx2.AsyncClient(auth=auth, timeout=None) as http:
        async with mcp.Client(streamable_http_client(url, http_client=http)) as client:
            page = await client.list_tools()
            told = {"tools": len(page.tools), "scope": storage.tokens.scope}
            print(json.dumps(told), flush=True)


asyncio.run(main())
