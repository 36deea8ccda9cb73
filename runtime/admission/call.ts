import { randomUUID } from 'node:crypto';
import type { CallContext, Caller } from '#contract/caller';

/** Where the answer of a call goes: an HTTP response, as far as a call must know it. */
export interface Peer {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** The client closed the connection before it had its answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client left');
    this.name = 'ClientGone';
  }
}

/** One run of an operation. What many operations never ask for is made when it is asked for. */
export class Call implements CallContext {
  readonly caller: Caller;
  readonly progress?: NonNullable<CallContext['progress']>;
  readonly #peer: Peer | undefined;
  #id: string | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  /** Told when the call is aborted. */
  onAbort: ((reason: Error) => void) | undefined;

  constructor(caller: Caller, peer?: Peer, progress?: CallContext['progress']) {
    this.caller = caller;
    this.#peer = peer;
    if (progress) this.progress = progress;
  }

  get callId(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
      else this.#watchPeer(this.#peer);
    }
    return this.#controller.signal;
  }

  /** Stop the call; only the first reason counts. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.onAbort?.(reason);
  }

  #watchPeer(peer: Peer | undefined): void {
    if (peer?.destroyed) this.abort(new ClientGone());
    else peer?.once('close', () => peer.writableEnded || this.abort(new ClientGone()));
  }
}
