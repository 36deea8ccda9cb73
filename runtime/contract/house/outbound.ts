import type { JsonObject } from '../json.ts';

/** Why nothing came back that can be used. */
export type OutboundFault =
  /** The URL, or the address behind its name, is none that this server goes to. */
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  /** Too much is being fetched already, from this host or in all. */
  | 'busy'
  /** What this server would have to prove who it is with cannot be read, so nothing was sent. */
  | 'no_credential'
  /** A file of TLS cannot be used; the message says which, without its path, and may be told. */
  | 'tls_file'
  /** Something came that is no document: another status than 200, another type than JSON. */
  | 'unusable';

/**
 * A request to a stranger that failed. Its message is for the log: whoever chose the URL must not
 * learn from it what this server can reach.
 */
export class OutboundError extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.fault = fault;
  }
}

/** What is asked of a stranger. */
export interface StrangerRequest {
  readonly method?: string;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: URLSearchParams | Readonly<Record<string, string>>;
  /** A body of another type, which `headers` names. */
  readonly body?: string | Uint8Array;
  /** Most bytes of the answer, after decompression. */
  readonly maxBytes: number;
  /** From the first step to the last byte (default 5,000). */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What a stranger answered; redirections are answers too. */
export interface StrangerAnswer {
  readonly status: number;
  /** By their names in lower case; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** How a document is fetched and kept. */
export interface DocumentRules {
  readonly maxBytes: number;
  /** What Cache-Control asks for is kept within these bounds, in milliseconds. */
  readonly keepMs: { readonly least: number; readonly most: number };
  /** How long a failure is remembered; without it, the next who asks fetches again. */
  readonly failureMs?: number;
  /** Do with nothing that was fetched before this time. */
  readonly since?: number;
}

/** A JSON object that a stranger publishes. */
export interface StrangerDocument {
  readonly value: JsonObject;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
}

/**
 * The way to servers that strangers name. It leads over https to public addresses and to those of
 * SERVICE_OUTBOUND_ALLOW; the address that is checked is the one that is connected to. It follows
 * no redirection and carries nothing of this server but what it is told to.
 */
export interface Outbound {
  /** @throws OutboundError where no answer came */
  fetch(url: string, request: StrangerRequest): Promise<StrangerAnswer>;
  /**
   * A JSON object that is fetched once for all who ask, and kept.
   *
   * @throws OutboundError
   */
  document(url: string, rules: DocumentRules): Promise<StrangerDocument>;
}

/** The same for several tenants: none of them keeps another from fetching documents, or sees what it kept. */
export interface SharedOutbound extends Outbound {
  /** That of a tenant; without it, that of the server itself. */
  of(tenant: string): Outbound;
  /** The way to the operator's own servers, by rules of their own. */
  toBackEnds(rules: BackEndRules): BackEnds;
}

/** Where the operator's own servers may be. */
export interface BackEndRules {
  /** Names of hosts, in which `*` stands for any letters, and networks: their addresses may be private. */
  readonly allow: readonly string[];
  /** Ports that a URL may name. */
  readonly ports: readonly number[] | 'any';
  /** Ports that none may name, whatever else is said. */
  readonly refusedPorts: readonly number[];
  /** Where something listens that none may lead to. */
  readonly refusedPlaces: readonly ListeningPlace[];
  /** Whether nobody but the operator uses this server: then this very machine may be reached. */
  readonly isLocal: boolean;
  /** Where this server itself listens. */
  readonly ownPort: () => number | undefined;
}

/** Where a server listens. */
export interface ListeningPlace {
  /** A name or an address without brackets; `0.0.0.0` and `::` for each address of this machine. */
  readonly host: string;
  readonly port: number;
  /** What it is, for the message of a refusal, such as `the collector takes telemetry`. */
  readonly what: string;
}

/** What differs from the usual TLS, as paths of files. */
export interface BackEndTls {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

export type TlsFile = 'caFile' | 'certFile' | 'keyFile';

/** What is wrong with a file of TLS. */
export interface TlsFault {
  readonly file: TlsFile;
  readonly reason: string;
  /** Whether there is something at its path; a file may be on the machine of somebody else alone. */
  readonly isThere: boolean;
}

export interface BackEndRequest extends StrangerRequest {
  readonly tls?: BackEndTls | undefined;
}

/**
 * The way to servers that an operator registers. Each connection goes to an address that was checked
 * for it; no redirection is followed, no proxy of the environment is used.
 */
export interface BackEnds {
  /**
   * Check a URL and every address that its host has now.
   *
   * @throws OutboundError `refused`, whose message tells an operator what is wrong with it, or
   *   `unreachable` where the host has no address
   */
  check(url: string): Promise<void>;
  /** Look at the files of TLS without waiting for what writes into them. */
  tlsFaults(tls: BackEndTls): Promise<readonly TlsFault[]>;
  /** @throws OutboundError where no answer came */
  fetch(url: string, request: BackEndRequest): Promise<StrangerAnswer>;
  /** Let go of all connections. */
  close(): Promise<void>;
}
