import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ExternalIntrospection } from '../../../../runtime/surfaces/identity/trust/introspection.ts';

const metadata = {
  issuer: 'https://login.example',
  introspection_endpoint: 'https://login.example/told',
};

/** A provider that answers when the test says so, the oldest question first. */
function start() {
  const open: (() => void)[] = [];
  const asked: string[] = [];
  const outbound = {
    document: async () => ({ value: metadata }),
    fetch: (_: string, { form }: { readonly form: { readonly token: string } }) => {
      asked.push(form.token);
      const { promise, resolve } = Promise.withResolvers<object>();
      const body = new TextEncoder().encode('{"active":false}');
      open.push(() => resolve({ status: 200, headers: {}, body }));
      return promise;
    },
  } as never;
  const settings = { issuer: 'https://login.example', clientId: 'c', clientSecret: 's' };
  const introspection = new ExternalIntrospection({
    ...{ ...settings, outbound, log: { warn: () => {} }, now: () => 0 },
  });
  const refused: string[] = [];
  const running: Promise<unknown>[] = [];
  const answer = async () => {
    open.shift()?.();
    await turn();
  };
  return {
    ...{ asked, refused },
    async ask(network: string, count = 1) {
      for (let index = 0; index < count; index++) {
        const token = `${network}-${index}`;
        const answer = introspection.ask(token, network).catch((error) => {
          assert.equal(error.code, 'temporarily_unavailable');
          refused.push(token);
        });
        running.push(answer);
      }
      await turn();
    },
    answer,
    async end() {
      while (open.length > 0) await answer();
      await Promise.all(running);
    },
  };
}

test('four networks that ask for much leave the next turn to the fifth', async () => {
  const { ask, answer, asked, refused, end } = start();
  for (const network of ['a', 'b', 'c', 'd']) await ask(network, 12);
  assert.equal(asked.length, 32);
  assert.equal(refused.length, 16, 'four of each network');
  await ask('e', 2);
  assert.equal(asked.length, 32, 'it waits');
  await answer();
  assert.equal(asked.at(-1), 'e-0');
  // Networks that ask for more now wait behind it.
  await ask('a', 13);
  await answer();
  assert.equal(asked.at(-1), 'e-1');
  await end();
});

test('where very many wait, the network with the most gives a place up', async () => {
  const { ask, asked, refused, end } = start();
  for (let network = 0; network < 36; network++) await ask(`n${network}`, 8);
  assert.equal(asked.length, 32);
  assert.deepEqual(refused, []);
  await ask('good', 1);
  assert.equal(refused.length, 1);
  assert.match(refused[0] ?? '', /^n\d+-7$/, 'the newest of one that has eight');
  await end();
  assert.ok(asked.includes('good-0'));
});

test('nobody waits for a provider that does not answer', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, refused, end } = start();
  for (const network of ['a', 'b', 'c', 'd']) await ask(network, 8);
  await ask('e');
  t.mock.timers.tick(5000);
  await turn();
  assert.deepEqual(refused, ['e-0']);
  await end();
});
