import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createService } from '../../../runtime/main.ts';
import { toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { can, deleting, type Result } from '../../runtime/admission/confirm/confirm-server.ts';
import { modern } from '../../runtime/mcp/rpc.ts';
import { Agent, codeOn, personAt } from '../identity/claiming-agent.ts';

/** The whole server where everybody brings a token, with a tool that a person has to agree to. */
export async function startGuarded(
  t: Pick<TestContext, 'after'>,
  env: Readonly<Record<string, string>> = {},
) {
  // The anchors of the log lie beside the data folder.
  const folder = mkdtempSync(join(tmpdir(), 'approvals-'));
  const dataDir = join(folder, 'data');
  const deleted: unknown[] = [];
  const tools = toolsInMemory([deleting(deleted)]);
  const service = await createService(
    {
      ...{ SERVICE_DATA_DIR: dataDir, SERVICE_LOG_LEVEL: 'silent', SERVICE_AUTH: 'required' },
      SERVICE_REGISTRATIONS_PER_NETWORK: '1000',
      ...env,
    },
    [{ id: 'files', title: 'Files', tools }],
  );
  await service.life.start();
  const base = await service.http.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    service.engines.running.abortAll();
    await service.http.close();
    await service.life.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { base, service, deleted };
}

/** An agent that this person has claimed, with a token of its own. */
export async function claimedAgent(base: string, email: string) {
  const agent = new Agent(base);
  const { id, claimToken } = await agent.register({ type: 'anonymous', client_name: 'Helper' });
  const { body } = await agent.claim({ claim_token: claimToken, login_hint: email });
  const { verification_uri: link = '' } = body['attempt'] as Record<string, string>;
  const person = await personAt(base, link, email);
  await person.send('/agent/claim/confirm');
  const done = await agent.complete(claimToken, codeOn(person));
  assert.equal(done.status, 200, JSON.stringify(done.body));
  const { body: issued } = await agent.exchange(done.body['identity_assertion']);
  return { agent, id, person, token: String(issued['access_token']) };
}

/** Call the tool as a client that can do so much. */
export async function callAs(
  base: string,
  token: string,
  args: object,
  { able = can.nothing, more = {} }: { readonly able?: object; readonly more?: object } = {},
): Promise<Result> {
  const _meta = {
    'io.modelcontextprotocol/clientCapabilities': able,
    'io.modelcontextprotocol/clientInfo': { name: 'Some client', version: '1' },
  };
  const params = { name: 'delete_file', arguments: args, ...more };
  const url = new URL('/mcp', base);
  const authorization = `Bearer ${token}`;
  const { body } = await modern(url, { method: 'tools/call', params, _meta }, { authorization });
  assert.ok(body.result, JSON.stringify(body.error));
  return body.result as unknown as Result;
}

/** Where a person can agree to what was refused. */
export function pageIn(result: Result): string {
  const url = result.structuredContent?.error?.approval_url;
  assert.ok(url !== undefined, JSON.stringify(result));
  return url;
}
