import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { digestBody } from '../../process/body/body-digest.ts';
import { heldBodies } from '../../process/body/held-bodies.ts';
import { readBody } from '../../process/body/read-body.ts';

/**
 * Read a whole body.
 *
 * @throws ServiceError 413 as soon as there are more than `limit` bytes
 */
export function collect(payload: IncomingMessage, limit: number): Promise<Buffer> {
  if (payload.destroyed) return Promise.reject(cutOff());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  readBody(payload, limit, (body) => {
    if (body !== 'too large') return resolve(body);
    // The rest is not read; the connection must live on, for the answer goes through it.
    payload.pause();
    reject(tooLarge(limit));
  });
  payload.on('close', () => {
    if (!payload.complete) reject(cutOff());
  });
  return promise;
}

/**
 * Give a body as it arrives; it is read no faster than it is taken.
 *
 * @throws ServiceError 413 as soon as there are more than `limit` bytes
 */
export async function* bounded(
  payload: IncomingMessage,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (Number(payload.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  let length = 0;
  // The connection must live on: the answer to what is too large goes through it.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    yield chunk;
  }
}

/** The same for a body that is kept until it is complete: all of them together have an end, too. */
export async function* held(
  payload: IncomingMessage,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const body = heldBodies.open(() => payload.destroy());
  const digest = digestBody(payload);
  let isWhole = false;
  try {
    for await (const chunk of bounded(payload, limit)) {
      heldBodies.add(body, chunk.length);
      digest?.add(chunk);
      yield chunk;
    }
    isWhole = true;
  } finally {
    heldBodies.close(body);
    digest?.end(isWhole);
  }
}

/** The client has left: nobody hears of it. */
function cutOff(): ServiceError {
  return new ServiceError('invalid_arguments', 400, 'the body was cut off');
}

export function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', 413, `the body is larger than ${limit} bytes`);
}
