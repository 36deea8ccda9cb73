import type { Collected, OtlpAttribute, OtlpLog, OtlpLogs } from '#contract/telemetry/browser-gate';
import { isMembers, type Members, textOf } from './faro.ts';

const severities: Readonly<Record<string, number>> = {
  ...{ trace: 1, debug: 5, log: 9, info: 9, warn: 13, error: 17 },
};
const longest = 8192;

/** Logs of what a page has sent: its own, what it threw, what happened and what it has measured. */
export function logsOf({ kind, payload, claims }: Collected): OtlpLogs {
  if (kind === 'logs') return payload as unknown as OtlpLogs;
  if (kind !== 'faro') return { resourceLogs: [] };
  const meta = membersOf(payload['meta']);
  const app = membersOf(meta['app']);
  const records = [
    ...itemsOf(payload['logs']).map((item) =>
      record(item, { kind: 'log', body: textOf(item['message']), level: textOf(item['level']) }),
    ),
    ...itemsOf(payload['exceptions']).map((item) =>
      record(item, {
        kind: 'exception',
        body: `${textOf(item['type'])}: ${textOf(item['value'])}`,
        level: 'error',
        more: {
          'exception.type': item['type'],
          'exception.message': item['value'],
          'exception.stacktrace': stackOf(item['stacktrace']),
          error_fingerprint: item['error_fingerprint'],
        },
      }),
    ),
    ...itemsOf(payload['events']).map((item) =>
      record(item, {
        kind: 'event',
        body: textOf(item['name']),
        more: membersOf(item['attributes']),
      }),
    ),
    ...itemsOf(payload['measurements']).map((item) =>
      record(item, {
        kind: 'measurement',
        body: `${textOf(item['type'])} ${textOf(item['values'])}`,
        more: membersOf(item['values']),
      }),
    ),
  ];
  const about = {
    'service.name': textOf(app['name']) || claims.project,
    'service.version': app['version'],
    'deployment.environment.name': app['environment'],
    'session.id': claims.sub,
    'browser.origin': claims.origin,
    'url.full': membersOf(meta['page'])['url'],
    'browser.name': membersOf(meta['browser'])['name'],
  };
  const resource = { attributes: attributes(about) };
  return { resourceLogs: [{ resource, scopeLogs: [{ logRecords: records }] }] };
}

interface Said {
  readonly kind: string;
  readonly body: string;
  readonly level?: string;
  readonly more?: Members;
}

function record(item: Members, { kind, body, level = 'info', more = {} }: Said): OtlpLog {
  const at = Date.parse(textOf(item['timestamp']));
  const { trace_id: traceId, span_id: spanId } = membersOf(item['trace']);
  const known = level in severities ? level : 'info';
  return {
    timeUnixNano: `${Number.isNaN(at) ? Date.now() : at}000000`,
    severityText: known === 'log' ? 'info' : known,
    severityNumber: severities[known] ?? 9,
    body: { stringValue: body.slice(0, longest) },
    attributes: attributes({ 'faro.kind': kind, ...membersOf(item['context']), ...more }),
    ...(typeof traceId === 'string' && /^[0-9a-f]{32}$/.test(traceId) && { traceId }),
    ...(typeof spanId === 'string' && /^[0-9a-f]{16}$/.test(spanId) && { spanId }),
  };
}

function attributes(values: Members): OtlpAttribute[] {
  return Object.entries(values)
    .slice(0, 64)
    .flatMap(([key, value]) => {
      const stringValue = textOf(value).slice(0, longest);
      return stringValue === '' ? [] : [{ key: key.slice(0, 128), value: { stringValue } }];
    });
}

function stackOf(stacktrace: unknown): string {
  return itemsOf(membersOf(stacktrace)['frames'])
    .slice(0, 50)
    .map(
      ({ function: name, filename, lineno, colno }) =>
        `at ${textOf(name) || '?'} (${textOf(filename)}:${textOf(lineno)}:${textOf(colno)})`,
    )
    .join('\n');
}

function itemsOf(list: unknown): readonly Members[] {
  return Array.isArray(list) ? list.filter(isMembers) : [];
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}
