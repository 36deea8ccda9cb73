import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { telemetryKinds } from '../../../../generated/surfaces/observability/kinds.ts';
import { answered, federationOf, now } from './federation.ts';
import { storedAnswers } from './stored-answers.ts';

const stored = storedAnswers();
/** An hour with the second in which the documented answers lie. */
const timeRange = { startMs: now - 3_599_000, endMs: now + 1000 };

const expected = join(import.meta.dirname, 'documented');

for (const { name, kind, signal, tenant, asked, answer } of stored) {
  test(`${name}: what is asked, and how the documented answer is read`, async (t) => {
    const federation = federationOf(signal, [
      { id: 'a', kind, ...(tenant && { tenantId: tenant }), answers: () => answered(answer) },
    ]);
    const result = await federation.ask({ timeRange, ...asked });
    const [request] = federation.requests;
    assert.ok(request);
    const { method, path, headers, body } = request;
    const { data, rows, warnings, partial, providers } = result;
    const shown = {
      request: { method, path: decodeURI(path), headers, body },
      answer: { rows, partial, warnings, data, providers },
    };
    t.assert.fileSnapshot(shown, join(expected, `${name}.txt`));
  });
}

test('every kind that can be asked has a documented answer for each of its signals', () => {
  const shown = new Set(stored.map(({ kind, signal }) => `${kind} ${signal}`));
  const missing = telemetryKinds
    .filter(({ inProcess }) => !inProcess)
    .flatMap(({ kind, answers }) =>
      answers
        .filter((signal) => !shown.has(`${kind} ${signal}`))
        .map((signal) => `${kind} ${signal}`),
    );
  assert.deepEqual(missing, []);
});
