/** Where the server sends what it says of itself. */
export interface OtlpSettings {
  /** Base URL of OTLP over HTTP. */
  readonly endpoint: string;
  /** `name=value`, separated by commas, each value percent-encoded (OTLP exporter, configuration options). */
  readonly headers: string | undefined;
  readonly serviceName: string;
  readonly version: string;
  readonly metricIntervalMs: number;
  /** Whether tools that show traces of models get the spans too, and are told what they are in their words. */
  readonly forModels: boolean;
}

/** The URL of a signal (OTLP/HTTP: the base, and `v1/<signal>` behind it). */
export function signalUrl(
  { endpoint }: OtlpSettings,
  signal: 'traces' | 'metrics' | 'logs',
): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}

/** The headers as an object; what has no form of one is left out. */
export function headersOf({ headers = '' }: OtlpSettings): Record<string, string> {
  const entries = headers.split(',').flatMap((each) => {
    const at = each.indexOf('=');
    const name = each.slice(0, at).trim();
    if (at < 1 || name === '') return [];
    return [[name, decoded(each.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
