"""Connects with the Python SDK of MCP: prints the address that asks, reads what the browser brought."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

url, callback = sys.argv[1:3]


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def ask(address):
    print(json.dumps({"asked": address}), flush=True)


async def returned():
    line = await asyncio.to_thread(sys.stdin.readline)
    return AuthorizationCodeResult(**json.loads(line))


async def connect(auth):
    async with httpx2.AsyncClient(auth=auth, follow_redirects=True) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = await client.list_tools()
            result = await client.call_tool("workspace_list", {})
            said = {"tools": len(tools.tools), "text": result.content[0].text}
            print(json.dumps(said), flush=True)


async def main():
    metadata = OAuthClientMetadata(
        client_name="A host in Python", redirect_uris=[callback]
    )
    auth = OAuthClientProvider(url, metadata, Storage(), ask, returned)
    await connect(auth)
    # A token that ends is refreshed without the person.
    auth.context.current_tokens.access_token = "expired"
    auth.context.token_expiry_time = 1
    await connect(auth)


asyncio.run(main())
