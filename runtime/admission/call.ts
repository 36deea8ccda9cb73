import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Arrival } from '#contract/arrival';
import type { CallContext, Caller } from '#contract/caller';
import type { Answers, ClientFacts } from '#contract/client';
import type { OpenSpan } from '#contract/telemetry/span';
import type { TraceContext } from '#contract/trace';

/** Where the answer of a call goes: an HTTP response, as far as a call must know it. */
export interface Peer {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Takes notifications for the client. */
export interface Notifier {
  notify(method: string, params: object): void;
}

/** The client closed the connection before it had its answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client left');
    this.name = 'ClientGone';
  }
}

/** What stands behind a call on the side of the client. */
export interface ClientSide {
  readonly client?: ClientFacts;
  readonly answers?: Answers;
  readonly progress?: CallContext['progress'] | undefined;
  readonly log?: CallContext['log'] | undefined;
  /** Where the client takes streams, that of this request. */
  readonly notifier?: Notifier | undefined;
  /** The id of the JSON-RPC request. */
  readonly requestId?: string | number;
  readonly inTask?: true;
  readonly stopping?: AbortSignal;
  readonly approval?: CallContext['approval'];
  /** Headers of the request, where they repeat arguments. */
  readonly headers?: IncomingHttpHeaders | undefined;
  readonly trace?: TraceContext | undefined;
  /** Where the call is traced here. */
  readonly span?: OpenSpan | undefined;
  readonly http?: Arrival | undefined;
  readonly idempotencyKey?: unknown;
  /** Where a call is the continuation of another one. */
  readonly callId?: string;
}

const unknownClient: ClientFacts = { capabilities: {} };
const noAnswers: Answers = { responses: {}, round: 0 };

/** One run of an operation. What many operations never ask for is made when it is asked for. */
export class Call implements CallContext {
  readonly caller: Caller;
  readonly client: ClientFacts;
  readonly progress?: NonNullable<CallContext['progress']>;
  readonly log?: NonNullable<CallContext['log']>;
  readonly notifier: ClientSide['notifier'];
  readonly requestId: ClientSide['requestId'];
  readonly headers: ClientSide['headers'];
  readonly trace?: TraceContext;
  readonly span?: OpenSpan;
  readonly http?: Arrival;
  readonly inTask?: true;
  readonly stopping?: AbortSignal;
  readonly approval?: NonNullable<CallContext['approval']>;
  /** Set once what the client sent back has been opened. */
  answers: Answers;
  /** Set where the operation takes one. */
  idempotencyKey: unknown;
  /** Set where the operation has a price. */
  payment?: NonNullable<CallContext['payment']>;
  /** Set where it was paid. */
  receipt?: NonNullable<CallContext['receipt']>;
  /** Set while something goes on without the call. */
  underWay?: CallContext['underWay'];
  /** Set once a request went out that asks for more than an answer. */
  mayBeDone?: CallContext['mayBeDone'];
  /** Set where it was approved. */
  actId?: string;
  /** Set where the client can wait for a task. */
  defer?: NonNullable<CallContext['defer']>;
  readonly #peer: Peer | undefined;
  #id: string | undefined;
  #controller: AbortController | undefined;
  readonly #stops: (() => void)[] = [];
  #isWatching = false;
  #reason: Error | undefined;
  /** Told when the call is aborted. */
  onAbort: ((reason: Error) => void) | undefined;
  /** Told when the call begins to do nothing but wait, and when it goes on. */
  onRest: ((isResting: boolean) => void) | undefined;

  constructor(caller: Caller, peer?: Peer, side: ClientSide = {}) {
    const { client = unknownClient, answers = noAnswers, progress, log } = side;
    this.caller = caller;
    this.#peer = peer;
    this.client = client;
    this.answers = answers;
    this.notifier = side.notifier;
    this.requestId = side.requestId;
    this.headers = side.headers;
    this.#id = side.callId;
    if (progress) this.progress = progress;
    if (log) this.log = log;
    if (side.inTask) this.inTask = true;
    if (side.stopping) this.stopping = side.stopping;
    if (side.approval) this.approval = side.approval;
    if (side.trace) this.trace = side.trace;
    if (side.span) this.span = side.span;
    if (side.http) this.http = side.http;
    this.idempotencyKey = side.idempotencyKey;
  }

  get callId(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
      else this.#watchPeer();
    }
    return this.#controller.signal;
  }

  whenAborted(stop: () => void): () => void {
    this.#watchPeer();
    if (this.#reason) {
      stop();
      return () => {};
    }
    this.#stops.push(stop);
    return () => {
      const at = this.#stops.indexOf(stop);
      if (at >= 0) this.#stops.splice(at, 1);
    };
  }

  async rest<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.onRest?.(true);
    try {
      return await wait();
    } finally {
      this.onRest?.(false);
    }
  }

  /** Stop the call; only the first reason counts. A client that leaves stops nothing that goes on without it. */
  abort(why: Error): void {
    if (this.#reason || (this.underWay && why instanceof ClientGone)) return;
    const reason = this.underWay ?? why;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const stop of this.#stops.splice(0)) stop();
    this.onAbort?.(reason);
  }

  #watchPeer(): void {
    const peer = this.#peer;
    if (this.#isWatching || !peer) return;
    this.#isWatching = true;
    if (peer.destroyed) this.abort(new ClientGone());
    else peer.once('close', () => peer.writableEnded || this.abort(new ClientGone()));
  }
}
