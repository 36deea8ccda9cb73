/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

const lists = ['logs', 'exceptions', 'events', 'measurements'] as const;
const mostItems = 200;

/** Whether a payload is one of the Faro SDK: lists of at most 200 objects in all, and what they are about. */
export function isFaro(payload: Members): boolean {
  const { meta, traces } = payload;
  if (meta !== undefined && !isMembers(meta)) return false;
  if (traces !== undefined && !(isMembers(traces) && Array.isArray(traces['resourceSpans']))) {
    return false;
  }
  let count = 0;
  for (const name of lists) {
    const list = payload[name] ?? [];
    if (!Array.isArray(list) || !list.every(isMembers)) return false;
    count += list.length;
  }
  return count <= mostItems && (count > 0 || traces !== undefined);
}

/** Whether a payload is OTLP in JSON of a signal. */
export function isOtlp(payload: Members, signal: 'traces' | 'logs' | 'metrics'): boolean {
  const names = { traces: 'resourceSpans', logs: 'resourceLogs', metrics: 'resourceMetrics' };
  const list = payload[names[signal]];
  return (
    Array.isArray(list) && list.length > 0 && list.length <= mostItems && list.every(isMembers)
  );
}

/** The same payload, in which each exception has a fingerprint that equal ones share. */
export async function withFingerprints(payload: Members): Promise<Members> {
  const exceptions = payload['exceptions'];
  if (!Array.isArray(exceptions) || exceptions.length === 0) return payload;
  const marked = await Promise.all(
    exceptions.map(async (exception: Members) => ({
      ...exception,
      error_fingerprint: await fingerprint(exception),
    })),
  );
  return { ...payload, exceptions: marked };
}

async function fingerprint({ type, value, stacktrace }: Members): Promise<string> {
  const frames = isMembers(stacktrace) ? stacktrace['frames'] : undefined;
  const last: unknown = Array.isArray(frames) ? frames.at(-1) : undefined;
  const frame = isMembers(last) ? last : {};
  const parts = [type, normal(textOf(value)), frame['function'], frame['filename']];
  const text = parts.map(textOf).join('|');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const bytes = new Uint8Array(digest).subarray(0, 8);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What differs from one time to the next is left out. */
function normal(value: string): string {
  return value
    .slice(0, 2000)
    .replace(/https?:\/\/[^\s"')]+/g, '<url>')
    .replace(/\b[0-9a-fA-F]{8,}\b/g, '<hash>')
    .replace(/\d+/g, '<n>');
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : String(JSON.stringify(value));
}
