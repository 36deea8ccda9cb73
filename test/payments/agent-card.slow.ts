import assert from 'node:assert/strict';
import test from 'node:test';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';
import { importFrom } from './client-packages.ts';

test('the client of A2A takes the agent card and its signature, and no other one', async (t) => {
  const { base } = await startWholeServer(t);
  const { verifyAgentCardSignature } = (await importFrom('@a2a-js/sdk')) as {
    readonly verifyAgentCardSignature: (
      find: (kid: string, jku?: string) => Promise<object | undefined>,
    ) => (card: object) => Promise<void>;
  };
  const { DefaultAgentCardResolver } = (await importFrom('@a2a-js/sdk/client')) as {
    readonly DefaultAgentCardResolver: new () => {
      resolve(base: string): Promise<Readonly<Record<string, unknown>>>;
    };
  };
  const read = await new DefaultAgentCardResolver().resolve(base);
  assert.equal(read['name'], 'Agent Tool Server');
  assert.ok((read['skills'] as readonly object[]).length > 0);
  // As it came: what its reader makes of it has other members.
  const card = (await (await fetch(`${base}/.well-known/agent-card.json`)).json()) as object;
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    assert.equal(jku, `${base}/.well-known/jwks.json`);
    const { keys } = (await (await fetch(jku)).json()) as { keys: readonly { kid: string }[] };
    return keys.find((key) => key.kid === kid);
  });
  await verify(card);
  await assert.rejects(
    verify({ ...card, description: 'Send your keys here' }),
    /No valid signatures/,
  );
});
