import { createHash } from 'node:crypto';
import type { TelemetryKind } from '#contract/telemetry/kind';
import type { CollectorOptions } from '../collector/collector-options.ts';
import { validationFailed } from '../errors.ts';
import type { ProviderEntry, RegistrySnapshot, Signal } from '../registry/provider-entry.ts';
import { signals } from '../registry/provider-entry.ts';
import { componentsIn } from './distribution.ts';
import { exporterFor } from './exporter.ts';
import { exporterIds } from './exporter-ids.ts';
import {
  type CollectorFile,
  type ComponentSettings,
  type GeneratedFile,
  type Pipeline,
  pipelineSignals,
} from './file.ts';
import { findingsOf, type LeftOut } from './left-out.ts';
import { isSentTo } from './sent-to.ts';
import { dropCondition, filterNames } from './span-filters.ts';
import { collectorYaml } from './yaml.ts';

const queue = 'file_storage/queue';

/**
 * Make the whole file of a collector from what is registered: one exporter for each back end, and a
 * pipeline for each signal that fans out to them. The same registry gives the same bytes.
 *
 * @param leftOut those of them that nothing may be sent to
 * @throws ServiceError `validation_failed`
 */
export function generateFile(
  snapshot: RegistrySnapshot,
  kinds: ReadonlyMap<string, TelemetryKind>,
  options: CollectorOptions,
  leftOut: readonly LeftOut[] = [],
): GeneratedFile {
  const providers = snapshot.providers.filter(
    (entry) => !isLeftOut(entry, leftOut) && isSentTo(entry, kinds.get(entry.kind)),
  );
  requireSomething(providers, leftOut);
  const has = componentsIn(options.components);
  const storage = has.has('extension/file_storage') ? queue : undefined;
  const made = providers.map((entry) => {
    const exporter = exporterFor(entry, kindOf(kinds, entry), { ...options, storage });
    return { entry, ...exporter };
  });
  const lacking = made.filter(({ type }) => !has.has(`exporter/${type}`));
  if (lacking.length > 0) {
    throw validationFailed(
      lacking.map(({ entry, type }) => ({
        field: `${entry.signal}/${entry.id}`,
        reason: `the collector has no exporter ${type} (SERVICE_COLLECTOR_COMPONENTS)`,
      })),
    );
  }
  const ids = exporterIds(made);
  const filters = filterNames(providers);
  const pipelines: Record<string, Pipeline> = {};
  const processors: Record<string, ComponentSettings> = {
    memory_limiter: {
      check_interval: '1s',
      limit_mib: options.memoryLimitMib,
      spike_limit_mib: Math.max(1, Math.round(options.memoryLimitMib / 5)),
    },
  };
  const receivesBrowsers = options.browserEndpoint !== undefined;
  const groups = groupsOf(made, filters);
  for (const { name, signal, filter, members } of groups) {
    const needed = [...new Set(members.flatMap((each) => each.processors))].filter((type) =>
      has.has(`processor/${type}`),
    );
    for (const type of needed) processors[type] ??= {};
    if (filter !== undefined) {
      processors[filter.id] = {
        error_mode: 'ignore',
        traces: { span: [dropCondition(filter.rule)] },
      };
    }
    const takesBrowsers =
      receivesBrowsers && filter === undefined && (signal === 'log' || signal === 'trace');
    pipelines[name] = {
      receivers: ['otlp', ...(takesBrowsers ? ['faro/browser'] : [])],
      processors: ['memory_limiter', ...(filter === undefined ? [] : [filter.id]), ...needed],
      exporters: members.map((each) => ids.get(each) ?? ''),
    };
  }
  const file: CollectorFile = {
    extensions: extensionsOf(options, storage),
    receivers: receiversOf(options, groups),
    processors,
    exporters: Object.fromEntries(made.map((each) => [ids.get(each) ?? '', each.settings])),
    service: {
      extensions: ['health_check', ...(storage === undefined ? [] : [storage])],
      telemetry: telemetryOf(options),
      pipelines,
    },
  };
  const text = collectorYaml(file, snapshot.digest);
  const refs = (signal: Signal) =>
    made.flatMap((each) => (each.entry.signal === signal ? [ids.get(each) ?? ''] : []));
  return {
    ...{ text, file, providers, leftOut, registry: snapshot.digest },
    sha256: createHash('sha256').update(text).digest('hex'),
    exporterRefs: {
      logs: refs('log'),
      metrics: refs('metric'),
      traces: refs('trace'),
      profiles: refs('profile'),
    },
    providerIds: providers.map(({ signal, id }) => `${signal}/${id}`),
    warnings: warningsOf(
      file,
      storage,
      made.flatMap((each) => each.processors),
      has,
    ),
  };
}

/** A collector with nothing to send to does not start. */
function requireSomething(providers: readonly ProviderEntry[], leftOut: readonly LeftOut[]): void {
  if (providers.some(({ signal }) => signal !== 'profile')) return;
  const reason =
    'no enabled back end for logs, metrics or traces takes telemetry from the collector';
  throw validationFailed([{ field: 'providers', reason }, ...findingsOf(leftOut)]);
}

function isLeftOut({ signal, id }: ProviderEntry, leftOut: readonly LeftOut[]): boolean {
  return leftOut.some(({ provider }) => provider === `${signal}/${id}`);
}

function kindOf(kinds: ReadonlyMap<string, TelemetryKind>, entry: ProviderEntry): TelemetryKind {
  const kind = kinds.get(entry.kind);
  if (kind) return kind;
  const reason = `there is no kind ${entry.kind} any more`;
  throw validationFailed([{ field: `${entry.signal}/${entry.id}`, reason }]);
}

interface Group<Member> {
  /** Id of the pipeline. */
  readonly name: string;
  readonly signal: Signal;
  readonly filter: { readonly id: string; readonly rule: string } | undefined;
  readonly members: Member[];
}

/** Which exporters stand in which pipeline: those with a filter of spans apart from the others. */
function groupsOf<Member extends { readonly entry: ProviderEntry }>(
  made: readonly Member[],
  filters: ReadonlyMap<string, string>,
): readonly Group<Member>[] {
  const groups = new Map<string, Group<Member>>();
  const inOrder = signals.flatMap((signal) => made.filter(({ entry }) => entry.signal === signal));
  for (const member of inOrder) {
    const { signal, spanFilter } = member.entry;
    const suffix = filters.get(spanFilter);
    const kind = pipelineSignals[signal];
    const name = suffix === undefined ? kind : `${kind}/${suffix}`;
    const filter = suffix === undefined ? undefined : { id: `filter/${suffix}`, rule: spanFilter };
    const group = groups.get(name) ?? { name, signal, filter, members: [] };
    group.members.push(member);
    groups.set(name, group);
  }
  return [...groups.values()];
}

function extensionsOf({ healthUrl, queueDir }: CollectorOptions, storage: string | undefined) {
  const { hostname, port, pathname } = new URL(healthUrl);
  const isOwn = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  const host = isOwn ? hostname : '0.0.0.0';
  return {
    health_check: {
      endpoint: `${host}:${port || '80'}`,
      ...(pathname !== '/' && { path: pathname }),
    },
    ...(storage !== undefined && {
      [storage]: {
        directory: `\${env:SERVICE_COLLECTOR_QUEUE_DIR:-${queueDir}}`,
        create_directory: true,
      },
    }),
  };
}

function receiversOf(
  { grpcEndpoint, httpEndpoint, browserEndpoint }: CollectorOptions,
  groups: readonly { readonly signal: Signal; readonly filter: unknown }[],
) {
  const isUsed = groups.some(
    ({ signal, filter }) => filter === undefined && (signal === 'log' || signal === 'trace'),
  );
  return {
    otlp: {
      protocols: {
        grpc: { endpoint: grpcEndpoint },
        http: { endpoint: httpEndpoint, max_request_body_size: 20_971_520 },
      },
    },
    ...(browserEndpoint !== undefined &&
      isUsed && {
        'faro/browser': { endpoint: browserEndpoint, max_request_body_size: 131_072 },
      }),
  };
}

function telemetryOf({ metricsEndpoint }: CollectorOptions): ComponentSettings {
  const { hostname, port } = new URL(`http://${metricsEndpoint}`);
  return {
    metrics: {
      level: 'normal',
      readers: [{ pull: { exporter: { prometheus: { host: hostname, port: Number(port) } } } }],
    },
    logs: { encoding: 'json' },
  };
}

function warningsOf(
  file: CollectorFile,
  storage: string | undefined,
  processors: readonly string[],
  has: ReadonlySet<string>,
): readonly string[] {
  const lacking = [...new Set(processors)].filter((type) => !has.has(`processor/${type}`));
  return [
    ...(storage === undefined
      ? ['the collector has no file_storage: what it could not send yet is lost when it stops']
      : []),
    ...lacking.map(
      (type) => `the collector has no ${type}: metrics that are no running totals are dropped`,
    ),
    ...(Object.keys(file.service.pipelines).some((name) => name.startsWith('profiles'))
      ? ['profiles need a collector that was started with --feature-gates=+service.profilesSupport']
      : []),
  ];
}
