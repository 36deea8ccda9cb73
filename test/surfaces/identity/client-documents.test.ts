import assert from 'node:assert/strict';
import test from 'node:test';
import { OutboundError } from '../../../runtime/contract/house/outbound.ts';
import { MetadataError } from '../../../runtime/surfaces/identity/clients/client-metadata.ts';
import { Clients } from '../../../runtime/surfaces/identity/clients/clients.ts';

const id = 'https://client.example/about.json?key=secret';

/** Clients whose documents come from `document`, and what the log tells of them. */
function clientsWith(document: () => Promise<never>) {
  const lines: unknown[] = [];
  const nobody = async () => undefined as never;
  const clients = new Clients({
    configured: new Map(),
    records: { find: nobody, findDigest: nobody, add: nobody, keep: nobody } as never,
    outbound: { fetch: nobody, document },
    log: { warn: (facts: unknown) => lines.push(facts) },
    outbox: { add: nobody, wake: () => {} },
    now: () => 0,
  });
  return { clients, lines };
}

test('why a document of a client cannot be fetched is told in the log, and to nobody else', async () => {
  for (const [fault, why] of [
    ['refused', 'client.example has the address 10.0.0.1, which is not public'],
    ['too_large', 'the answer has more than 5,120 bytes'],
    ['unusable', 'the document cannot be used: the status is 404, not 200'],
  ] as const) {
    const { clients, lines } = clientsWith(() => Promise.reject(new OutboundError(fault, why)));
    await assert.rejects(clients.find(id), (error: Error) => {
      assert.ok(error instanceof MetadataError);
      assert.equal(error.message, 'the client cannot be used: its document could not be fetched');
      return true;
    });
    const reason = `the client cannot be used: its document could not be fetched: ${why}`;
    assert.deepEqual(lines, [{ client: 'https://client.example/about.json', reason }]);
  }
});

test('a document that was fetched and cannot be used is told of as well', async () => {
  const other = { value: { client_id: 'https://other.example/x' }, fetchedAt: 0 };
  const { clients, lines } = clientsWith(async () => other as never);
  await assert.rejects(clients.find(id), MetadataError);
  const reason = 'the client cannot be used: the client_id in its document is not its address';
  assert.deepEqual(lines, [{ client: 'https://client.example/about.json', reason }]);
});
