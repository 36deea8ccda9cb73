import type { Worker } from 'node:worker_threads';
import { ServiceError } from '#contract/errors';
import type { LogPlace } from '../log/log-place.ts';
import type { ReadAnswer, ReadArguments, ReadMethod, ReadResult } from './reader-thread.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that reads the log; it starts with the first question. */
export class Reading {
  readonly #place: Pick<LogPlace, 'startReader'>;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #closed = false;

  constructor(place: Pick<LogPlace, 'startReader'>) {
    this.#place = place;
  }

  ask<M extends ReadMethod>(method: M, ...args: ReadArguments<M>): Promise<ReadResult<M>> {
    if (this.#closed) return Promise.reject(unreadable('it is closed'));
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ReadResult<M>>();
    this.#waiting.set(id, { resolve, reject });
    this.#worker.postMessage({ id, method, args });
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop('it is closed');
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = this.#place.startReader();
    worker.on('message', ({ id, value, failure }: ReadAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure !== undefined) waiting?.reject(unreadable(failure));
      // The thread answers with what the method returns.
      else waiting?.resolve(value as never);
    });
    worker.on('error', (error) => {
      this.#worker = undefined;
      this.#stop(error instanceof Error ? error.message : String(error));
    });
    return worker;
  }

  #stop(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(unreadable(reason));
    this.#waiting.clear();
  }
}

function unreadable(reason: string): ServiceError {
  return new ServiceError('audit_unavailable', 503, `the audit log cannot be read: ${reason}`);
}
