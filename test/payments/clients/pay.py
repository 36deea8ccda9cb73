"""Pays with the client of x402 for Python: pay.py http URL, or pay.py mcp URL TOOL."""

import asyncio
import json
import os
import sys

from eth_account import Account
from x402 import x402Client
from x402.http.clients.httpx import x402HttpxClient
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client
from x402.mechanisms.evm.upto.client import UptoEvmScheme


def payer():
    signer = EthAccountSigner(Account.from_key(os.environ["PAYER_KEY"]))
    client = register_exact_evm_client(x402Client(), signer)
    client.register("eip155:*", UptoEvmScheme(signer))
    return client


async def over_http(url):
    async with x402HttpxClient(payer(), timeout=60) as http:
        answer = await http.get(url)
        await answer.aread()
        receipt = answer.headers.get("payment-response")
        return {"status": answer.status_code, "receipt": receipt, "body": answer.text}


async def over_mcp(url, tool):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client
    from x402.mcp import x402MCPSession

    async with streamablehttp_client(url) as (read, write, _):
        async with ClientSession(read, write) as session:
            paying = x402MCPSession(session, payer())
            await paying.initialize()
            result = await paying.call_tool(tool, {})
            receipt = result.payment_response
            return {
                "failed": result.is_error,
                "paid": result.payment_made,
                "receipt": receipt.model_dump() if receipt else None,
            }


way, *words = sys.argv[1:]
print(json.dumps(asyncio.run(over_http(*words) if way == "http" else over_mcp(*words)), default=str))
