import type { ServerResponse } from 'node:http';
import type { EventStreams } from '../wire/event-streams.ts';

/** How an answer of the SDK is sent on. */
export interface Relayed {
  readonly headers: Readonly<Record<string, string>>;
  /** Sent before everything else. */
  readonly opening?: string | undefined;
  /** The client has to come back after this time; 0 sets no end. */
  readonly lifetimeMs: number;
  /** Bytes that may wait for the client; without it, as many as an answer may have. */
  readonly mostUnread?: number | undefined;
}

/**
 * Send the events of an answer of the SDK on, until they or the client end. Everything is taken
 * from the SDK at once: how much may wait for a client that does not read is for `streams` to say.
 */
export async function relay(
  events: ReadableStream<Uint8Array>,
  response: ServerResponse,
  streams: EventStreams,
  { headers, opening, lifetimeMs, mostUnread }: Relayed,
): Promise<void> {
  const reader = events.getReader();
  // Makes the SDK forget the stream, and the loop below end.
  const stop = () => void reader.cancel();
  if (response.destroyed) {
    stop();
    return;
  }
  response.once('close', stop);
  const timer = lifetimeMs > 0 ? setTimeout(stop, lifetimeMs).unref() : undefined;
  streams.open(response, headers);
  // A client that waits for its first event must know that there will be one.
  response.flushHeaders();
  if (opening !== undefined) streams.pass(response, opening);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    streams.pass(response, value, mostUnread);
  }
  clearTimeout(timer);
  response.off('close', stop);
  if (!response.destroyed) response.end();
}
