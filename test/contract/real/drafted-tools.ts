import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Memory } from '../../../generator/pipeline/memory.ts';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import { runProvider } from '../../../generator/provider/run.ts';
import { switchedOn } from '../setup/draft-all.ts';
import { startServer } from '../setup/server.ts';
import { createWorkplace } from '../setup/workplace.ts';

interface LiveDescription {
  readonly id: string;
  /** The address at which the vendor's server publishes it. */
  readonly openapi: string;
  /** The `auth` of the curation, written by hand, where the description does not tell. */
  readonly auth?: string;
  /** The variable with the credential. */
  readonly env: Readonly<Record<string, string>>;
}

/** The tools of a vendor, by an official client that holds answers against the published schemas. */
export interface DraftedTools {
  /** What was written about the vendor. */
  readonly curation: string;
  readonly upstream: string;
  /** Call a tool that succeeds: its structured answer, or else its text. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Call a tool that succeeds: all of its words. */
  say(name: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Call a tool that fails: its text. */
  fail(name: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
}

/**
 * Go the way of docs/providers.md in a copy of the project: draft from the live description, comment
 * every operation in, extend, generate, start with the credential, connect. Nothing else is edited.
 */
export async function draftTools(
  t: TestContext,
  { id, openapi, auth, env }: LiveDescription,
): Promise<DraftedTools> {
  const { base, close } = createWorkplace();
  t.after(close);
  const add = async () => {
    const said: string[] = [];
    const say = (text: string) => void said.push(text);
    const argv = ['add', id, '--openapi', openapi];
    const code = await runProvider(argv, { base, env: {}, print: say, complain: say });
    assert.equal(code, 0, said.join(''));
  };
  await add();
  const folder = join(base, 'specs/providers', id);
  const path = join(folder, 'curation.yaml');
  const drafted = readFileSync(path, 'utf8');
  const withAuth =
    auth === undefined ? drafted : drafted.replace(/^auth: .*$/m, () => `auth: ${auth}`);
  writeFileSync(path, switchedOn(withAuth));
  await add();
  const { diagnostics } = await generate({ base, memory: new Memory() });
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );

  const server = await startServer(base, { SERVICE_PROVIDER: id, ...env }, 120);
  t.after(() => server.stop());
  const client = new Client({ name: 'real', version: '1.0.0' });
  // Its declarations are not written for exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(server.url) as Transport);
  t.after(() => client.close());
  // The client checks answers of the tools that it has listed.
  const { nextCursor } = await client.listTools();
  assert.equal(nextCursor, undefined);
  const ask = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const { isError, content, structuredContent } = await client.callTool({
      name,
      arguments: args,
    });
    const text = JSON.stringify(content);
    return { isError: isError === true, text, value: structuredContent ?? text };
  };
  return {
    curation: drafted,
    upstream: readFileSync(join(folder, 'UPSTREAM.json'), 'utf8'),
    async call(name, args = {}) {
      const { isError, text, value } = await ask(name, args);
      assert.equal(isError, false, `${name}: ${text}`);
      return value;
    },
    async say(name, args = {}) {
      const { isError, text } = await ask(name, args);
      assert.equal(isError, false, `${name}: ${text}`);
      return text;
    },
    async fail(name, args = {}) {
      const { isError, text } = await ask(name, args);
      assert.equal(isError, true, `${name}: ${text}`);
      return text;
    },
  };
}
