/** What decides about the telemetry of browsers: the same at an edge and in the server. */
export interface GateSettings {
  /** Keys of tokens, 32 bytes or more each: any of them will do, so that they can be changed. */
  readonly keys: readonly Uint8Array[];
  readonly project: string;
  /** Names of the server itself, which no page may have; without them, those that it has by default. */
  readonly ownServices?: readonly string[];
  /** Origins of pages that may send. */
  readonly origins: readonly string[];
  /** Requests of one session in a minute. */
  readonly perMinute: number;
  readonly maxBytes: number;
}

/** What a token says of whoever holds it (RFC 7519 section 4). */
export interface GateClaims {
  readonly iss: string;
  readonly aud: 'telemetry';
  readonly sub: string;
  readonly project: string;
  readonly origin: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** What a page has sent, checked. */
export interface Collected {
  readonly claims: GateClaims;
  /** In which form it is: that of the Faro SDK, or OTLP in JSON. */
  readonly kind: 'faro' | 'traces' | 'logs' | 'metrics';
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Why something was not passed on. Pages are never told. */
export type DropReason =
  | 'method'
  | 'path'
  | 'token'
  | 'origin'
  | 'rate'
  | 'size'
  | 'json'
  | 'shape'
  | 'busy'
  | 'upstream';

/** What a gate needs of whoever runs it. */
export interface GateParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Passes on what was collected. */
  readonly forward: (collected: Collected) => Promise<void>;
  /** Counts what became of a request. */
  readonly count: (outcome: 'passed' | DropReason) => void;
}

/** Answers a request of a page; every answer to it is 204 without a body. */
export type Gate = (
  request: Request,
  /** Lets work go on after the answer. */
  after?: (work: Promise<void>) => void,
) => Promise<Response>;

/** Where what was collected goes. */
export interface Ingest {
  /** Of a receiver for Faro, the URL itself; of one for OTLP, what its paths stand behind. */
  readonly url: string;
  readonly format: 'faro' | 'otlp';
  /** Whole value of the header Authorization. */
  readonly authorization?: string | undefined;
  /** Gives the status that was answered. */
  readonly post: (url: string, request: IngestRequest) => Promise<number>;
}

export interface IngestRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What pages send, as it is counted; `new_error` is an exception that was not seen before. */
export type ItemKind = 'exception' | 'log' | 'event' | 'measurement' | 'new_error';

/** What makes gates and tokens. */
export interface GateMaker {
  /** Counts what is in that which was collected. */
  tally(count: (kind: ItemKind, by: number) => void): (collected: Collected) => void;
  open(settings: GateSettings, parts: GateParts): Gate;
  /** Names that the server has whatever the settings say. */
  readonly ownServices: readonly string[];
  sign(claims: GateClaims, key: Uint8Array): Promise<string>;
  /** @throws Error where it was not taken */
  forward(ingest: Ingest, collected: Collected): Promise<void>;
  /** Logs of what the Faro SDK sends, in the form of OTLP. */
  logsOf(collected: Collected): OtlpLogs;
}

/** Records of logs of one resource (opentelemetry-proto, logs/v1, JSON). */
export interface OtlpLogs {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeLogs: readonly { readonly logRecords: readonly OtlpLog[] }[];
  }[];
}

export interface OtlpLog {
  readonly timeUnixNano: string;
  readonly severityText: string;
  readonly severityNumber: number;
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly OtlpAttribute[];
  readonly traceId?: string;
  readonly spanId?: string;
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}
