import assert from 'node:assert/strict';
import test from 'node:test';
import { Keep } from '../../../../runtime/surfaces/observability/embedded/keep/keep.ts';
import { limits } from '../../../../runtime/surfaces/observability/embedded/numbers.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

test('however much pages send, what the server has noted stays, also after a restart', async (t) => {
  const folder = temporaryDirectory(t);
  const parts = { folder, hours: 1, tenants: ['default', 'acme'], now: Date.now };
  const failed = (error: unknown) => assert.fail(String(error));
  const keep = new Keep({ ...parts, onFailure: failed });
  const time = BigInt(Date.now()) * 1_000_000n;
  const line = { time, level: 'warn', service: 's', body: 'guard_deny', attributes: {} };
  const span = {
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'own', kind: 'server' },
    ...{ service: 's', start: time, durationNs: 1n, isError: false, attributes: {} },
  };
  keep.addLine('default', { ...line, source: 'server' });
  keep.addSpan('default', { ...span, source: 'server' });
  const body = 'x'.repeat(500);
  for (let count = 0; count < limits.lines; count++) {
    keep.addLine('default', { ...line, source: 'browser', body });
    keep.addSpan('default', { ...span, source: 'browser', name: 'page' });
  }
  await keep.flush();
  const again = new Keep({ ...parts, onFailure: failed });
  await again.restore();
  for (const each of [keep, again]) {
    const own = each.lines('default').filter(({ source }) => source === 'server');
    assert.deepEqual(
      own.map((found) => found.body),
      ['guard_deny'],
    );
    assert.equal(each.spans('default').filter(({ name }) => name === 'own').length, 1);
    const pages = each.lines('default').length - 1;
    assert.ok(pages > 0 && pages <= (limits.lines * limits.browserShare) / 100 / 2, String(pages));
  }
});
