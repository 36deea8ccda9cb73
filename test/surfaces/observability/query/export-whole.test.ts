import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportRows } from '../../../../runtime/surfaces/observability/query/export-rows.ts';
import { readInput } from '../../../../runtime/surfaces/observability/query/read-input.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { answered, federationOf, now, type TestBackEnd } from './federation.ts';

const line = { stream: { service_name: 's' }, values: [[`${now - 1000}000000`, 'row']] };
const good = JSON.stringify({
  status: 'success',
  data: { resultType: 'streams', result: [line], stats: {} },
});

const others: Readonly<Record<string, [Omit<TestBackEnd, 'id'>, boolean]>> = {
  'that answers': [{ kind: 'loki', answers: () => answered(good) }, true],
  'that fails': [{ kind: 'loki', answers: () => answered('x', 500) }, false],
  'that is cut off': [
    { kind: 'victorialogs', answers: () => answered('{"_time":"2026-09-21T13:00:00Z"}\n{"_ti') },
    false,
  ],
  'that cannot be asked': [{ kind: 'tempo', answers: () => answered('{}') }, false],
};

for (const [what, [other, complete]] of Object.entries(others)) {
  test(`an export from two back ends, with one ${what}: complete is ${complete}`, async (t) => {
    const { parts, context } = federationOf('log', [
      { id: 'a', kind: 'loki', answers: () => answered(good) },
      { id: 'b', ...other },
    ]);
    const asked = { filter: { service: 's' }, selection: { mode: 'all' } } as const;
    const query = readInput('log', asked, now, 'json');
    const exported = await exportRows(parts, query, { folder: temporaryDirectory(t) }, context);
    assert.equal(exported.complete, complete, JSON.stringify(exported));
    assert.equal(exported.warnings.length > 0, !complete, exported.warnings.join('; '));
    assert.ok(exported.providers.includes('a'));
  });
}
