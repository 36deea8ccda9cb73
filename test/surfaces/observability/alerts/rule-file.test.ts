import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseDuration } from '../../../../runtime/surfaces/observability/alerts/duration.ts';
import {
  mostRules,
  readRules,
} from '../../../../runtime/surfaces/observability/alerts/rule-file.ts';
import { expand } from '../../../../runtime/surfaces/observability/alerts/template.ts';

const group = (rules: string, more = '') => `groups:\n- name: g\n${more}  rules:\n${rules}`;
const rule = (more = '') => `  - alert: A\n    expr: up == 0\n${more}`;

describe('a file of rules', () => {
  test('gives rules that keep their names while they ask for the same', () => {
    const { groups } = readRules(group(rule('    for: 1h30m\n')), 'r.yaml');
    const [first] = groups[0]?.rules ?? [];
    assert.equal(groups[0]?.intervalMs, 60_000);
    assert.deepEqual([first?.forMs, first?.forText, first?.keepMs], [5_400_000, '1h30m', 0]);
    const [again] = readRules(group(rule('    for: 2h\n')), 'r.yaml').groups[0]?.rules ?? [];
    assert.equal(again?.id, first?.id);
    const other = group(rule('    labels: {severity: critical}\n'));
    assert.notEqual(readRules(other, 'r.yaml').groups[0]?.rules[0]?.id, first?.id);
  });

  test('may record, which is left to others', () => {
    const text = group(`  - record: a:b\n    expr: up\n${rule()}`);
    assert.equal(readRules(text, 'r.yaml').groups[0]?.rules.length, 1);
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['groups: [', /r\.yaml: is no YAML/],
    ['- a', /r\.yaml: must be a map$/],
    ['rules: []', /there is no "rules" here, only groups/],
    ['groups: 1', /groups: must be a list/],
    [group(rule(), '  query_offset: 1m\n'), /groups\[0\]: there is no "query_offset" here/],
    [group(rule(), '  interval: soon\n'), /groups\[0\]\.interval: must be a time .* "soon"/],
    [group(rule(), '  interval: 0s\n'), /groups\[0\]\.interval: must not be 0/],
    [group('  - alert: A\n'), /groups\[0\]\.rules\[0\]\.expr: must be a text/],
    [group('  - expr: up\n'), /rules\[0\]\.alert: must be a text/],
    [group(rule('    for: 5 minutes\n')), /rules\[0\]\.for: must be a time/],
    [group(rule('    labels: {"a-b": c}\n')), /"a-b" is no name of a label/],
    [group(rule('    annotations: {a: [b]}\n')), /annotations\.a: must be a text/],
    [`${group(rule())}- name: g\n  rules: []\n`, /two of them are called "g"/],
    [group(rule().repeat(mostRules + 1)), /there are 501 alerts, and 500 at most/],
    ['a: &a [1]\nb: *a\n', /is no YAML/],
  ];
  for (const [text, message] of wrong) {
    test(`is refused with ${message}`, () => {
      assert.throws(() => readRules(text, 'r.yaml'), message);
    });
  }

  test('that comes with the server can be read, and every alert says what to do', () => {
    const path = 'alerts/default-alert-rules.yaml';
    const { groups } = readRules(readFileSync(path, 'utf8'), path);
    const rules = groups.flatMap((each) => each.rules);
    const runbooks = readFileSync('docs/alerts.md', 'utf8');
    const anchors = new Set(
      [...runbooks.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    assert.ok(rules.length > 5);
    for (const { alert, annotations, labels } of rules) {
      assert.ok(annotations['summary'], alert);
      assert.match(labels['severity'] ?? '', /^(?:warning|critical|info)$/);
      const [document, anchor] = (annotations['runbook_url'] ?? '').split('#');
      assert.equal(document, 'docs/alerts.md');
      assert.ok(anchors.has(anchor ?? ''), `${alert}: there is no ${anchor}`);
    }
  });
});

test('times are those of Prometheus', () => {
  const times = ['0', '5m', '1h30m', '1d', '2w', '1y', '250ms', '', '5', '1m1h', '-1m'];
  assert.deepEqual(times.map(parseDuration), [
    ...[0, 300_000, 5_400_000, 86_400_000, 1_209_600_000, 31_536_000_000, 250],
    ...[undefined, undefined, undefined, undefined],
  ]);
});

test('texts are filled in as by Prometheus', () => {
  const values = { labels: { tool: 'a b' }, value: '1234.5678' };
  const filled = (template: string, value = values.value) => expand(template, { ...values, value });
  assert.equal(filled('{{ $labels.tool }}/{{$labels.none}}/{{ $value }}'), 'a b//1234.5678');
  assert.equal(filled('{{ $value | humanize }}'), '1.235k');
  assert.equal(filled('{{ $value | humanize }}', '0.0025'), '2.5m');
  assert.equal(filled('{{ $value | humanize }}', '0'), '0');
  assert.equal(filled('{{ $value | humanize }}', 'NaN'), 'NaN');
  assert.equal(filled('{{ $value | humanizePercentage }}', '0.123456'), '12.35%');
  assert.equal(filled('{{ query "up" }}'), '{{ query "up" }}');
});
