import assert from 'node:assert/strict';
import test from 'node:test';
import { logsOf } from '../../../../runtime/edge/faro-logs.ts';
import { keepCollected } from '../../../../runtime/surfaces/observability/browser/keep-collected.ts';
import { Keep } from '../../../../runtime/surfaces/observability/embedded/keep/keep.ts';
import type {
  KeptLine,
  KeptSpan,
} from '../../../../runtime/surfaces/observability/embedded/keep/kept.ts';
import { limits } from '../../../../runtime/surfaces/observability/embedded/numbers.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

const claims = {
  aud: 'telemetry',
  ...{ iss: 'a', sub: 's', project: 'p', origin: 'http://a', jti: 'j' },
  ...{ iat: 0, exp: 1 },
} as const;

function collectedFrom(service: string) {
  const keepers = { lines: [] as KeptLine[], spans: [] as KeptSpan[] };
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x' };
  const times = { startTimeUnixNano: '1', endTimeUnixNano: '2' };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] };
  const payload = {
    meta: { app: { name: service } },
    logs: [{ message: 'm', level: 'error', timestamp: new Date().toISOString() }],
    traces: { resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, ...times }] }] }] },
  };
  const embedded = {
    addLine: (_: string, line: KeptLine) => keepers.lines.push(line),
    addSpan: (_: string, kept: KeptSpan) => keepers.spans.push(kept),
  };
  keepCollected(embedded, 'default', { claims, kind: 'faro', payload }, { logsOf });
  return [...keepers.lines, ...keepers.spans];
}

test('no page speaks as the server itself', () => {
  for (const name of ['agent-tool-server', ' Agent-Tool-Server', 'agent_tool_server\u200b']) {
    const kept = collectedFrom(name);
    assert.deepEqual(
      kept.map(({ service, source }) => [service, source]),
      [
        ['browser', 'browser'],
        ['browser', 'browser'],
      ],
    );
  }
  assert.deepEqual(new Set(collectedFrom('shop').map(({ service }) => service)), new Set(['shop']));
});

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
