import type { IncomingHttpHeaders } from 'node:http';
import type { ClientFacts, LogLevel } from '#contract/client';
import type { TraceContext } from '#contract/trace';
import type { RunningCalls } from '../../admission/running-calls.ts';
import type { Catalogue } from '../../offer/catalogue.ts';
import type { Prompts } from '../../offer/prompts.ts';
import type { Resources } from '../../offer/resources.ts';
import type { Skills } from '../../offer/skills.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Era } from '../wire/classify.ts';
import type { Message, Params, RequestId } from '../wire/json-rpc.ts';
import type { Reply } from '../wire/reply.ts';
import type { Dialogue } from './dialogue.ts';
import type { Method } from './method.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A request that a revision has understood. */
export interface Decoded {
  readonly kind: 'decoded';
  /** The version that the client speaks. */
  readonly version: string;
  readonly method: Method;
  /** Where the revision knows less parameters than the method does. */
  readonly params?: Params;
  /** Present when the client wants to hear how far the request has come. */
  readonly progressToken: RequestId | undefined;
  readonly client: ClientFacts;
  /** The trace that the client says the request belongs to. */
  readonly trace?: TraceContext | undefined;
  /** The least severe of the messages that the client wants; without it, it wants none. */
  readonly logLevel?: LogLevel | undefined;
  /** Where a revision has headers that repeat arguments. */
  readonly headers?: IncomingHttpHeaders | undefined;
}

/** An error in the terms of JSON-RPC and HTTP. */
export interface Failure {
  readonly kind: 'failure';
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** What is known of a client that has a session, and what it can do there. */
export interface SessionSide {
  /** What the handshake agreed on. */
  readonly version: string;
  readonly client: ClientFacts;
  /** The least severe of the messages that the client wants now. */
  logLevel(): LogLevel;
  readonly methods: readonly (readonly [string, Method])[];
}

/** One way of speaking MCP. A new one is one file with one of these, and one row in `served.ts`. */
export interface ServedRevision {
  readonly era: Era;
  /** The versions that are spoken so, newest first. */
  readonly versions: readonly [string, ...string[]];
  /** The oldest version whose clients come back for a stream that was cut; absent where none does. */
  readonly resumableSince?: string;
  /** Speak it: within a session where the era has such, else for requests that stand alone. */
  speak(offer: Offer, session?: SessionSide): Revision;
}

/** A revision at work. */
export interface Revision {
  readonly methods: ReadonlyMap<string, Method>;
  /**
   * Check everything that stands around the parameters, and the parameters themselves. There are no
   * headers where the binding has none.
   */
  decode(message: Message, headers: IncomingHttpHeaders | undefined): Decoded | Failure;
  checkNotification(
    message: Message,
    headers: IncomingHttpHeaders | undefined,
  ): Failure | undefined;
  /** Put what came of a request for `method` into words. */
  encode(outcome: Outcome, id: RequestId, method: string): Reply;
}

/** What a revision gives access to. */
export interface Offer {
  readonly catalogue: Catalogue;
  readonly running: RunningCalls;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly dialogue: Dialogue;
  readonly subscriptions: Subscriptions;
  /** Absent where nothing keeps tasks. */
  readonly tasks?: Tasks | undefined;
  /** Absent where nothing is taught. */
  readonly skills?: Skills | undefined;
  /** Every version that this server speaks, newest first. */
  readonly supported: readonly [string, ...string[]];
}

export function failure(status: number, code: number, message: string, data?: object): Failure {
  return { kind: 'failure', status, code, message, ...(data && { data }) };
}
