import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import { OutboundError } from '#contract/house/outbound';
import type { CollectorOptions } from '../../../runtime/surfaces/observability/collector/collector-options.ts';
import { checkFile } from '../../../runtime/surfaces/observability/collector-check/ladder.ts';
import { createLeaveOut } from '../../../runtime/surfaces/observability/collector-check/leave-out.ts';
import type { CollectorFile } from '../../../runtime/surfaces/observability/collector-file/file.ts';
import { generateFile } from '../../../runtime/surfaces/observability/collector-file/generate.ts';
import {
  kindNames,
  loadKinds,
  signalsOf,
} from '../../../runtime/surfaces/observability/registry/kinds.ts';
import { draftFrom } from '../../../runtime/surfaces/observability/registry/new-draft.ts';
import type {
  ProviderEntry,
  Signal,
} from '../../../runtime/surfaces/observability/registry/provider-entry.ts';
import { collectorOptions } from './collector-options.ts';

const options = collectorOptions;
const kinds = await loadKinds(kindNames);
const life = {
  version: 1,
  etag: '"1"',
  createdAt: 0,
  tenant: 'default',
  createdBy: 'a',
  updatedAt: 0,
  updatedBy: 'a',
};

function entry(id: string, signal: Signal, kind: string, more: object = {}): ProviderEntry {
  const said = {
    name: id,
    kind,
    endpoint: `https://${id.replaceAll('_', '-')}.example.com`,
    ...more,
  };
  return { ...draftFrom(id, signal, said), ...life };
}

function generate(providers: readonly ProviderEntry[], more: Partial<CollectorOptions> = {}) {
  return generateFile({ providers, digest: 'd'.repeat(64) }, kinds, { ...options, ...more });
}

/** What a collector expands. */
const expanded = (what: string) => `$\{${what}}`;

const findingsOf = (file: CollectorFile) =>
  checkFile({ file }, options).map(({ field, reason }) => `${field} ${reason}`);

test('every kind that takes a signal gets an exporter that holds to its schema', () => {
  const auth = { type: 'header', env: 'OBS_KEY', header: 'DD-API-KEY' } as const;
  const providers = kindNames.flatMap((kind) =>
    (signalsOf(kind) ?? [])
      .filter((signal) => kinds.get(kind)?.ingest[signal] !== undefined)
      .map((signal) => entry(`${kind}_${signal}`, signal, kind, { auth })),
  );
  assert.ok(providers.length > 20);
  const { file, text, exporterRefs } = generate(providers, { browserEndpoint: '127.0.0.1:8027' });
  assert.deepEqual(findingsOf(file), []);
  assert.deepEqual(parse(text), JSON.parse(JSON.stringify(file)));
  const refs = Object.values(exporterRefs).flat();
  assert.equal(refs.length, providers.length);
  assert.deepEqual([...refs].sort(), Object.keys(file.exporters).sort());
});

test('the same registry gives the same bytes, and ids that the collector cannot tell apart get a hash', () => {
  const providers = Array.from({ length: 100 }, (_, index) => entry(`p${index}`, 'trace', 'otlp'));
  assert.equal(generate(providers).text, generate(structuredClone(providers)).text);
  const { file } = generate([entry('a-b', 'log', 'loki'), entry('a_b', 'log', 'loki')]);
  const [plain, hashed] = Object.keys(file.exporters);
  assert.equal(plain, 'otlp_http/log_a_b');
  assert.match(hashed ?? '', /^otlp_http\/log_a_b_[0-9a-f]{8}$/);
});

test('nothing that somebody registered is expanded, and credentials are named alone', () => {
  const { file, text } = generate([
    entry('a', 'log', 'loki', {
      ...{ endpoint: `https://x.example.com/$HOME/${expanded('env:PATH')}`, tenantId: 'a$b' },
      ...{
        auth: { type: 'basic', secretRef: 'loki' },
        tls: { caFile: `/a/${expanded('file:/etc/passwd')}` },
      },
    }),
  ]);
  assert.deepEqual(findingsOf(file), []);
  const exporter = file.exporters['otlp_http/log_a'] as Record<string, Record<string, string>>;
  // A URL has no braces, and the $ is that of a text.
  assert.equal(exporter['endpoint'], 'https://x.example.com/$$HOME/$$%7Benv:PATH%7D/otlp');
  assert.deepEqual(exporter['headers'], {
    'X-Scope-OrgID': 'a$$b',
    Authorization: `Basic ${expanded('file:/secrets/loki')}`,
  });
  assert.equal(exporter['tls']?.['ca_file'], `/a/$${expanded('file:/etc/passwd')}`);
  assert.doesNotMatch(
    text.replaceAll('$$', ''),
    /\$\{(?!env:SERVICE_COLLECTOR|file:\/secrets\/loki)/,
  );
});

test('what is disabled, only asked or pushed to directly is not in the file; with nothing there is none', () => {
  const providers = [
    entry('in', 'log', 'loki'),
    entry('off', 'log', 'loki', { enabled: false }),
    entry('asked', 'log', 'loki', { ingest: false }),
    entry('direct', 'log', 'loki', { delivery: 'direct_push', justification: 'x'.repeat(40) }),
  ];
  assert.deepEqual(generate(providers).providerIds, ['log/in']);
  assert.throws(() => generate(providers.slice(1)), { code: 'validation_failed' });
  assert.throws(() => generate([entry('p', 'profile', 'pyroscope')]), {
    code: 'validation_failed',
  });
});

test('a collector without a component is not asked for it', () => {
  const { file, warnings } = generate([entry('m', 'metric', 'prometheus')], {
    components: ['core'],
  });
  assert.deepEqual(findingsOf(file), []);
  assert.equal(Object.keys(file.extensions).join(), 'health_check');
  assert.deepEqual(Object.keys(file.processors), ['memory_limiter']);
  assert.match(warnings.join('; '), /no file_storage.*no deltatocumulative/);
  const wish = () => generate([entry('c', 'log', 'clickhouse')], { components: ['core'] });
  assert.throws(wish, /log\/c: the collector has no exporter clickhouse/);
});

test('a file whose parts do not fit together is refused, with the part', () => {
  const { file } = generate([entry('a', 'log', 'loki'), entry('m', 'metric', 'prometheus')]);
  const { service } = file;
  const pipelines = (more: object) => ({
    ...file,
    service: { ...service, pipelines: { ...service.pipelines, ...more } },
  });
  const logs = service.pipelines['logs'];
  assert.ok(logs);
  for (const [broken, finding] of [
    [pipelines({ logs: { ...logs, exporters: ['nothing'] } }), /logs names the exporter nothing/],
    [pipelines({ logs: { ...logs, exporters: [] } }), /logs leads nowhere/],
    [pipelines({ logs: { ...logs, receivers: [] } }), /logs receives nothing/],
    [pipelines({ events: logs }), /events is no id of a pipeline/],
    [
      pipelines({ traces: { ...logs, exporters: ['prometheus_remote_write/metric_m'] } }),
      /takes metrics, not traces/,
    ],
    [
      pipelines({ logs: { ...logs, processors: ['deltatocumulative'] } }),
      /takes metrics, not logs/,
    ],
    [{ ...file, exporters: { ...file.exporters, 'debug/a b': {} } }, /debug\/a b is no id/],
    [
      { ...file, exporters: { ...file.exporters, 'otlp_http/idle': { endpoint: 'http://a' } } },
      /no pipeline uses/,
    ],
    [{ ...file, service: { ...service, extensions: ['health_check'] } }, /is not started/],
    [
      { ...file, exporters: { ...file.exporters, 'otlp_http/log_a': { endpoint: 'a' } } },
      /must match pattern/,
    ],
    [
      {
        ...file,
        exporters: { ...file.exporters, 'otlp_http/log_a': { endpoint: 'http://a', x: 1 } },
      },
      /additional properties: x/,
    ],
    [
      {
        ...file,
        exporters: {
          ...file.exporters,
          'otlp_http/log_a': { endpoint: `http://${expanded('env:AWS_KEY')}` },
        },
      },
      /would expand/,
    ],
    [
      {
        ...file,
        exporters: {
          ...file.exporters,
          'otlp_http/log_a': { endpoint: `http://${expanded('http://x')}` },
        },
      },
      /would expand/,
    ],
  ] as const) {
    assert.match(findingsOf(broken as CollectorFile).join('\n'), finding);
  }
});

test('a name that leads elsewhere since it was registered keeps its back end out of the file', async () => {
  const leaveOut = (fault: 'refused' | 'unreachable') =>
    createLeaveOut(options, {
      tlsFaults: async () => [],
      check: async () => {
        throw new OutboundError(fault, '169.254.169.254 is an address that nothing may lead to');
      },
    });
  const [a, b] = [entry('a', 'log', 'loki'), entry('b', 'log', 'loki')];
  const leftOut = await leaveOut('refused')(a, kinds.get('loki'));
  assert.deepEqual([leftOut?.provider, leftOut?.field], ['log/a', 'endpoint']);
  // Without an address now, it may have one when the collector asks.
  assert.equal(await leaveOut('unreachable')(a, kinds.get('loki')), undefined);
  const snapshot = { providers: [a, b], digest: 'd'.repeat(64) };
  const made = generateFile(snapshot, kinds, options, leftOut ? [leftOut] : []);
  assert.deepEqual(made.providerIds, ['log/b']);
  assert.deepEqual(Object.keys(made.file.exporters), ['otlp_http/log_b']);
});
