import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { type Bench, type Called, callTools } from '../call-tools.ts';
import { connectTools, type ListedTool, type ToolsClient } from '../connect-tools.ts';

/** What FastMCP makes of the operations of one description. */
export interface PeerRun extends Called {
  readonly tools: number;
  /** Tokens (o200k) of its tools/list, and of ours for the same operations. */
  readonly tokens: number;
  readonly ourTokens: number;
  /** Why it does not serve the description. */
  readonly failure?: string;
}

interface Peering {
  /** A Python that has FastMCP. */
  readonly python: string;
  readonly file: string;
  readonly bench: Bench;
  readonly ours: readonly ListedTool[];
  /** Method and path of each. */
  readonly operations: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Seconds that the mock has for an answer. */
  readonly patience: number;
}

const script = join(import.meta.dirname, 'fastmcp_peer.py');

/** Serve the same operations by `FastMCP.from_openapi` before the same mock, and call them as ours. */
export async function runPeer({ bench, ours, ...peering }: Peering): Promise<PeerRun> {
  const ourTokens = tokensOf(ours);
  const nothing = { tools: 0, tokens: 0, ourTokens, calls: [], unsampled: [] };
  await using stack = new AsyncDisposableStack();
  try {
    const client = await startPeer(peering, bench.recorder.url, stack);
    const tools = await client.list();
    const called = await callTools(tools, { ...bench, client }, () => []);
    return { ...called, tools: tools.length, tokens: tokensOf(tools), ourTokens };
  } catch (error) {
    return { ...nothing, failure: (error as Error).message };
  }
}

function tokensOf(tools: readonly ListedTool[]): number {
  return encode(JSON.stringify(tools)).length;
}

async function startPeer(
  { python, patience, ...task }: Omit<Peering, 'bench' | 'ours'>,
  url: string,
  stack: AsyncDisposableStack,
): Promise<ToolsClient> {
  const port = await freePort();
  const child = spawn(python, [script], { stdio: ['pipe', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told = `${told}${chunk}`.slice(-2000);
  });
  const exit = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  child.stdin.end(JSON.stringify({ ...task, url, port, patience }));
  for (;;) {
    try {
      const client = await connectTools(new URL(`http://127.0.0.1:${port}/mcp`), 3000 * patience);
      stack.defer(() => client.close());
      return client;
    } catch (error) {
      // It takes seconds until it listens.
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded) throw new Error(told.trim().split('\n').at(-1) ?? String(error));
      await setTimeout(250);
    }
  }
}

/** A port that nobody listens on: the peer has no way to say which one it chose itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
