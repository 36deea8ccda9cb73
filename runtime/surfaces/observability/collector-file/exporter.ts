import type { Json } from '#contract/json';
import type { TelemetryIngest, TelemetryKind } from '#contract/telemetry/kind';
import { fillIn } from '#contract/telemetry/placeholders';
import type { CollectorOptions } from '../collector/collector-options.ts';
import { schemes } from '../endpoints/secrets.ts';
import { validationFailed } from '../errors.ts';
import type { OwnedDraft } from '../registry/provider-entry.ts';
import type { ComponentSettings } from './file.ts';
import { literal, literals } from './literal.ts';

/** One exporter, without its id. */
export interface Exporter {
  /** Type of the component, such as `otlp_http`. */
  readonly type: string;
  /** Where it sends to, as a URL where it is one. */
  readonly address: string;
  readonly settings: ComponentSettings;
  /** Types of processors that have to stand before it. */
  readonly processors: readonly string[];
}

/** Where OTLP is spoken over gRPC. */
const grpcPort = '4317';
/** And over HTTP, where the address of a back end is that of its queries. */
const httpPort = '4318';

/**
 * The stanza with which the collector sends to a back end, as its kind says. Nothing of the entry is
 * expanded by the collector but its credential, which is none of this file.
 */
export function exporterFor(
  entry: OwnedDraft,
  kind: TelemetryKind,
  options: Pick<CollectorOptions, 'secretsDir'> & { readonly storage: string | undefined },
): Exporter {
  const ingest = kind.ingest[entry.signal];
  if (ingest === undefined) {
    const reason = `${kind.kind} takes no ${entry.signal} from a collector`;
    throw validationFailed([{ field: `${entry.signal}/${entry.id}`, reason }]);
  }
  const url = addressOf(entry, kind, ingest);
  const isGrpc = ingest.exporter === 'otlp_http' && url.port === grpcPort;
  const type = isGrpc ? 'otlp_grpc' : ingest.exporter;
  const settings: ComponentSettings = {
    ...(literals(ingest.settings ?? {}) as ComponentSettings),
    ...(isGrpc
      ? { endpoint: literal(url.host) }
      : placed(ingest.address, literal(url.text), ingest.address.endsWith('[]'))),
    ...tlsOf(entry, isGrpc && url.protocol === 'http:'),
    ...withHeaders(entry, kind, ingest, options.secretsDir),
    ...queueOf(ingest, options.storage),
  };
  return { type, address: url.text, settings, processors: ingest.processors ?? [] };
}

/** Where it sends to: a URL, or what the kind makes of one. */
function addressOf(entry: OwnedDraft, { kind }: TelemetryKind, { url }: TelemetryIngest) {
  const { endpoint, pushUrl } = entry;
  const otlp = entry.otlpEndpoint ?? (kind === 'otlp' ? endpoint : withPort(endpoint, httpPort));
  const values: Readonly<Record<string, string>> = {
    endpoint,
    otlp,
    site: new URL(endpoint).hostname.replace(/^(?:api|app|otlp)\./, ''),
  };
  const filled = fillIn(url, ({ name, form }) => values[form ?? name] ?? values[name]);
  const text = pushUrl !== undefined && !/<otlp>/.test(url) ? pushUrl : (filled ?? endpoint);
  const parsed = URL.parse(text);
  const { port = '', host = '', protocol = '' } = parsed ?? {};
  return { text, port, host, protocol };
}

function withPort(endpoint: string, port: string): string {
  const url = new URL(endpoint);
  url.port = port;
  return url.origin;
}

/** `{ [last name of the path]: value }` inside of what stands before it. */
function placed(path: string, value: Json, isList = false): ComponentSettings {
  const names = path.replace(/\[\]$/, '').split('.');
  const last = isList ? [value] : value;
  return names.reduceRight<Json>((inner, name) => ({ [name]: inner }), last) as ComponentSettings;
}

function tlsOf({ tls }: OwnedDraft, isPlain: boolean): ComponentSettings {
  const { caFile, certFile, keyFile, serverName, insecureSkipVerify } = tls;
  const said = {
    ...(isPlain && { insecure: true }),
    ...(caFile !== undefined && { ca_file: literal(caFile) }),
    ...(certFile !== undefined && { cert_file: literal(certFile) }),
    ...(keyFile !== undefined && { key_file: literal(keyFile) }),
    ...(serverName !== undefined && { server_name_override: literal(serverName) }),
    ...(insecureSkipVerify && { insecure_skip_verify: true }),
  };
  return Object.keys(said).length === 0 ? {} : { tls: said };
}

function withHeaders(
  entry: OwnedDraft,
  kind: TelemetryKind,
  ingest: TelemetryIngest,
  secretsDir: string | undefined,
): ComponentSettings {
  const secret = secretOf(entry, secretsDir);
  const { auth } = entry;
  const isSetting = ingest.credential !== undefined && secret !== undefined;
  const headers: Record<string, string> = {
    ...tenantHeaders(entry, kind),
    ...(literals({ ...ingest.headers }) as Record<string, string>),
  };
  if (secret !== undefined && !isSetting && auth.type !== 'none') {
    headers[auth.header ?? 'Authorization'] = `${schemes[auth.type]}${secret}`;
  }
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(isSetting && placed(ingest.credential.join('.'), secret)),
  };
}

/** What the collector expands, and nobody else sees. */
function secretOf({ auth }: OwnedDraft, secretsDir: string | undefined): string | undefined {
  if (auth.type === 'none') return undefined;
  if (auth.env !== undefined) return `\${env:${auth.env}}`;
  return `\${file:${secretsDir}/${auth.secretRef}}`;
}

/** Two headers share a tenant that is written `12:34`. */
function tenantHeaders({ tenantId }: OwnedDraft, { tenant }: TelemetryKind) {
  if (tenantId === undefined || tenant === undefined) return {};
  const parts = tenant.length === 1 ? [tenantId] : tenantId.split(':');
  return Object.fromEntries(
    tenant.flatMap((name, index) => {
      const part = parts[index];
      return part === undefined ? [] : [[name, literal(part)]];
    }),
  );
}

/**
 * What could not be sent yet is kept on disk where the exporter can do that, and tried again for as
 * long as an outage may last.
 */
function queueOf({ queue }: TelemetryIngest, storage: string | undefined): ComponentSettings {
  if (queue === 'none') return {};
  const retry_on_failure = { enabled: true, max_elapsed_time: '15m' };
  if (queue === 'remote_write_queue') {
    return {
      retry_on_failure,
      remote_write_queue: { enabled: true, queue_size: 10_000, num_consumers: 5 },
    };
  }
  const batch = { flush_timeout: '200ms', min_size: 4096, max_size: 8192 };
  return {
    retry_on_failure,
    sending_queue: { ...(storage !== undefined && { storage }), queue_size: 5000, batch },
  };
}
