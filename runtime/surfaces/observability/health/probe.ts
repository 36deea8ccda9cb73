import { OutboundError } from '#contract/house/outbound';
import { valueAt } from '#contract/json';
import type { TelemetryHealth, TelemetryKind } from '#contract/telemetry/kind';
import type { ProviderClient } from '../endpoints/back-ends.ts';
import { tenantHeaders } from '../query/ask/tenant-headers.ts';
import type { ProviderEntry } from '../registry/provider-entry.ts';

/** What one look at a back end has found. */
export interface Probed {
  readonly works: boolean;
  /** Absent where nobody has looked. */
  readonly authWorks?: boolean;
  readonly latencyMs: number;
  /** What is wrong, in our own words: nothing of an answer is repeated. */
  readonly details?: string;
}

/** How long a back end may take to say how it is. */
const mostMs = 3000;
const mostBytes = 262_144;

const faults = {
  refused: 'its address is refused',
  unreachable: 'it cannot be reached',
  timeout: `it did not answer within ${mostMs} ms`,
  too_large: 'it answers more than a statement of health',
  busy: 'this server had no room to ask it',
  no_credential: 'this server has no credential for it that can be used',
  unusable: 'its answer cannot be used',
} as const;

/**
 * Ask a back end whether it works; with `asksCredential` also something cheap for which it wants its
 * credential.
 */
export async function probe(
  client: ProviderClient,
  entry: ProviderEntry,
  kind: TelemetryKind,
  { asksCredential, signal }: { readonly asksCredential: boolean; readonly signal: AbortSignal },
): Promise<Probed> {
  const begun = performance.now();
  const ask = async (path: string) =>
    client.fetch(entry, {
      ...{ path, signal, maxBytes: mostBytes, timeoutMs: mostMs },
      headers: tenantHeaders(kind.tenant, entry.tenantId),
    });
  const latency = () => Math.round(performance.now() - begun);
  try {
    const { status, body } = await ask(kind.health.path);
    const details = wrongWith(kind.health, status, body);
    const latencyMs = latency();
    if (details !== undefined) return { works: false, latencyMs, details };
    const question = asksCredential ? kind.query[entry.signal]?.probe : undefined;
    if (question === undefined) return { works: true, latencyMs };
    const answer = await ask(withQuery(question.path, question.parameters));
    const authWorks = answer.status < 400;
    if (authWorks) return { works: true, authWorks, latencyMs };
    const isRefused = answer.status === 401 || answer.status === 403;
    const what = isRefused ? 'it refuses the credential' : 'it is up and answers no query';
    return { works: true, authWorks, latencyMs, details: `${what} (status ${answer.status})` };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    return { works: false, latencyMs: latency(), details: detailsOf(error) };
  }
}

function detailsOf({ fault, message }: OutboundError): string {
  return fault === 'tls_file' ? message : faults[fault];
}

function wrongWith(
  { holds, unless }: TelemetryHealth,
  status: number,
  body: Uint8Array,
): string | undefined {
  if (status !== 200) return `it answers ${status} and not 200`;
  const text = Buffer.from(body).toString('utf8');
  if (holds !== undefined && !text.includes(holds)) return `its answer does not hold "${holds}"`;
  if (unless === undefined) return undefined;
  const said = valueAt(parsed(text), unless.path);
  return said === unless.equals ? `it says that it is ${unless.equals}` : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withQuery(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? path : `${path}?${query}`;
}
