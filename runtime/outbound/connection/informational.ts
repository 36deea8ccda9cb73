import type { Socket } from 'node:net';

/** How undici reads the head of an answer. */
interface HeadReader {
  onHeadersComplete(status: number, ...rest: unknown[]): unknown;
}

/**
 * Have a connection of undici take a 100 that nobody asked for as it takes every other answer that is
 * not the last one: it ends the connection, though the request is being done, and a client has to be able
 * to read it (RFC 9110 section 15.2). Its reader hangs on the socket under a symbol that it does not share.
 */
export function takeContinue(socket: Socket): void {
  const key = Object.getOwnPropertySymbols(socket).find(
    ({ description }) => description === 'parser',
  );
  const reader = (socket as unknown as Record<symbol, HeadReader>)[key ?? Symbol()];
  const read = reader?.onHeadersComplete;
  if (reader === undefined || read === undefined) return;
  reader.onHeadersComplete = (status, ...rest) =>
    read.call(reader, status === 100 ? 102 : status, ...rest);
}
