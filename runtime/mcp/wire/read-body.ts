import type { IncomingMessage } from 'node:http';
import { digestBody } from '../../process/body-digest.ts';
import { heldBodies } from '../../process/held-bodies.ts';

/** A body, or why there is none. */
export type Body = Buffer | 'too large' | 'incomplete';

/** Read a request body of at most `limit` bytes; `done` is called once. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Body) => void,
): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    done('too large');
    return;
  }
  let chunks: Buffer[] = [];
  let length = 0;
  let settled = false;
  const held = heldBodies.open(() => request.destroy());
  const digest = digestBody(request);
  const settle = (body: Body) => {
    if (settled) return;
    settled = true;
    chunks = [];
    heldBodies.close(held);
    digest?.end(Buffer.isBuffer(body));
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) settle('too large');
    else {
      chunks.push(chunk);
      digest?.add(chunk);
      heldBodies.add(held, chunk.length);
    }
  });
  request.on('end', () => settle(joined(chunks)));
  // It comes after the end as well, and after an error, which nobody listens to.
  request.on('close', () => settle('incomplete'));
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks);
}
