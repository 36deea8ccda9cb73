import type { PersonCredentials } from '#contract/connect/person-credentials';
import type { Clock } from './clock.ts';

/** What the composition root decides for all vendors together. */
export interface OutboundOptions {
  readonly version: string;
  /** Whom a vendor may write to (`SERVICE_CONTACT`). */
  readonly contact?: string | undefined;
  /** Where clients reach this server (`SERVICE_BASE_URL`). */
  readonly ownUrl?: string | undefined;
  /** CIDRs that the address check lets through (`SERVICE_OUTBOUND_ALLOW`). */
  readonly allow: readonly string[];
  readonly env: Environment;
  /** The parsed `SERVICE_PROVIDER_AUTH_JSON`. */
  readonly authJson?: Readonly<Record<string, unknown>> | undefined;
  /** Provider id -> base URL that replaces all of its servers (`SERVICE_PROVIDER_<ID>_URL`). */
  readonly baseUrls: ReadonlyMap<string, string>;
  /** Provider id -> base URL in the place of the origin of its addresses of OAuth. */
  readonly oauthUrls?: ReadonlyMap<string, string>;
  /** What people have connected; without it, all is done with the operator's credentials. */
  readonly credentials?: PersonCredentials;
  /** How long a call waits for a person who has opened a page, in milliseconds. */
  readonly patienceMs?: number;
  /** Ids of the tenants that may call a provider; without it, there is one. */
  readonly tenantsOf?: (providerId: string) => readonly string[];
  readonly limits?: Partial<OutboundLimits>;
  readonly clock?: Clock;
  /** Told of each answer that is not as its tool's output schema says, and of where. */
  readonly onMisfit?: (tool: string, places: readonly string[]) => void;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OutboundLimits {
  /** A whole call with its waits and retries, where the tool says nothing else. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** The longest wait for the rate bucket or a free slot. */
  readonly rateWaitMs: number;
  /** Calls that wait for a free slot of one provider. */
  readonly queue: number;
  /** A body, both as it is sent and after decompression. */
  readonly responseBytes: number;
  /** A larger body is read by a thread of its own. */
  readonly inlineBytes: number;
  /** What the values of a body may take in memory, in times of `responseBytes`. */
  readonly answerWeight: number;
  /** All bodies together that such threads are to read, in times of `responseBytes`. */
  readonly answersHeld: number;
  readonly digestThreads: number;
  /** Large answers of one vendor that wait for a thread. */
  readonly digestQueue: number;
  /** How long a thread may take to read one answer. */
  readonly digestMs: number;
  /** How long a stream is read that does not end, at most half of what the call has left. */
  readonly streamMs: number;
  /** So many events of it. */
  readonly streamEvents: number;
  readonly headerBytes: number;
  readonly redirects: number;
  /** The JSON text of a result, where the tool says nothing else. */
  readonly resultBytes: number;
  readonly imageBytes: number;
  /** Bytes of another kind that a result carries. */
  readonly contentBytes: number;
  /** One file in a multipart body. */
  readonly fileBytes: number;
  /** All cached bodies together. */
  readonly cacheBytes: number;
  readonly connections: number;
  /** Of a text in HTML, so much is turned into Markdown. */
  readonly htmlCharacters: number;
  /** So long may it take. */
  readonly markdownMs: number;
  /** Simultaneous requests of one call that reads its items one by one. */
  readonly followers: number;
}

export const defaultLimits: OutboundLimits = {
  timeoutMs: 20_000,
  connectTimeoutMs: 10_000,
  rateWaitMs: 5_000,
  queue: 256,
  responseBytes: 8 * 1024 * 1024,
  inlineBytes: 64 * 1024,
  answerWeight: 5,
  answersHeld: 8,
  digestThreads: 2,
  digestQueue: 32,
  digestMs: 15_000,
  streamMs: 10_000,
  streamEvents: 100,
  headerBytes: 32 * 1024,
  redirects: 5,
  resultBytes: 32 * 1024,
  imageBytes: 256 * 1024,
  contentBytes: 4 * 1024 * 1024,
  fileBytes: 1024 * 1024,
  cacheBytes: 32 * 1024 * 1024,
  connections: 64,
  htmlCharacters: 4 * 1024 * 1024,
  markdownMs: 8_000,
  followers: 4,
};
