import assert from 'node:assert/strict';
import test from 'node:test';
import type { GateClaims } from '../../../runtime/contract/telemetry/browser-gate.ts';
import { Tally } from '../../../runtime/edge/tally.ts';

const claims: GateClaims = {
  ...{ iss: 'i', sub: 's', project: 'p', origin: 'https://a.example' },
  ...{ aud: 'telemetry', iat: 0, exp: 60, jti: 'j' },
};

function counting() {
  const counts: Record<string, number> = {};
  const tally = new Tally((kind, by) => {
    counts[kind] = (counts[kind] ?? 0) + by;
  });
  const send = (...marks: readonly string[]) =>
    tally.add({
      ...{ claims, kind: 'faro' },
      payload: { exceptions: marks.map((error_fingerprint) => ({ error_fingerprint })) },
    });
  return { counts, tally, send };
}

test('what pages send is counted by its kind, and an error as new the first time alone', () => {
  const { counts, tally, send } = counting();
  tally.add({ claims, kind: 'faro', payload: { logs: [{}, {}], events: [{}], exceptions: [] } });
  send('a', 'b', 'a');
  send('a');
  send('c');
  tally.add({ claims, kind: 'traces', payload: { resourceSpans: [{}] } });
  assert.deepEqual(counts, { log: 2, event: 1, exception: 5, new_error: 3 });
});

test('of very many errors the oldest are forgotten, so that no more are kept', () => {
  const { counts, send } = counting();
  for (let number = 0; number < 2001; number += 1) send(`error ${number}`);
  send('error 2000');
  assert.equal(counts['new_error'], 2001);
  send('error 0');
  assert.equal(counts['new_error'], 2002);
});
