import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonBytes } from '#contract/text/fit';
import type { AlertEvent } from '../../../../generated/surfaces/observability/types.ts';
import { advance } from '../../../../runtime/surfaces/observability/alerts/active-alert.ts';
import { fitAlerts } from '../../../../runtime/surfaces/observability/alerts/fit-alerts.ts';

function alertOf(alert: string, more: object): AlertEvent {
  return {
    ...{ alert, severity: 'critical', state: 'firing', summary: 'x'.repeat(100) },
    ...{ labels: {}, annotations: {}, link: '' },
    ...more,
  } as AlertEvent;
}

const strangers = Array.from({ length: 1500 }, (_, place) =>
  alertOf(`a${place}`, { source: 'alertmanager' }),
);
const own = Array.from({ length: 20 }, (_, place) =>
  alertOf(`own${place}`, { source: 'rule', expr: 'up == 0', severity: 'warning' }),
);

test('many alerts of an Alertmanager do not push out those of the server', () => {
  const { events, truncated } = fitAlerts([...strangers, ...own], 262_144);
  assert.deepEqual([events.length, truncated], [500, true]);
  assert.deepEqual(events.slice(-20), own);
  const all = fitAlerts([...strangers.slice(0, 30), ...own], 262_144);
  assert.deepEqual([all.events.length, all.truncated], [50, false]);
});

test('a list of alerts has no more bytes than it may', () => {
  const { events, truncated } = fitAlerts([...strangers, ...own], 16_384);
  assert.ok(jsonBytes(events) <= 16_384);
  assert.ok(truncated && events.length > 30, String(events.length));
  assert.deepEqual(events.slice(-20), own);
});

test('an alert is active since no time that is to come, and fires no earlier than it is active', () => {
  const watched = {
    ...({ rule: 'r', alert: 'a', source: 'alertmanager', evaluatedBy: 'am' } as const),
    ...{ forMs: 0, keepMs: 0 },
  };
  const look = (activeAt: number, now: number, former: Parameters<typeof advance>[1] = []) => {
    const known = { state: 'firing', activeAt } as const;
    const found = [{ labels: {}, annotations: {}, value: '', known }];
    return advance(watched, former, found, { now, formerly: now, everyMs: 1 }).active;
  };
  const [future] = look(Date.parse('9999-01-01T00:00:00Z'), 5000);
  assert.deepEqual([future?.activeAt, future?.firedAt], [5000, 5000]);
  const former = look(1000, 5000);
  const [again] = look(6000, 7000, former);
  assert.deepEqual([again?.activeAt, again?.firedAt], [6000, 6000]);
});
