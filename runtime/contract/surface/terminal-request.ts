import { createHmac, timingSafeEqual } from 'node:crypto';

/** What an operator asks the server that runs to do, from a process of the same data directory. */
export interface TerminalRequest {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Makes each request another one. */
  readonly nonce: string;
}

/** For which key of the deployment it is signed. */
export const terminalPurpose = 'terminal';

/** Path at which the server takes it. */
export const terminalPath = '/agent/operator';

/** HMAC-SHA-256 of a request, in base64url: only who can read the key of the deployment can make it. */
export function terminalMac(key: Buffer, request: TerminalRequest): string {
  const { name, words, options, time, nonce } = request;
  const text = JSON.stringify([name, words, Object.entries(options).sort(), time, nonce]);
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Compare in a time that does not tell where they differ. */
export function isTerminalMac(key: Buffer, request: TerminalRequest, mac: string): boolean {
  const expected = Buffer.from(terminalMac(key, request));
  const given = Buffer.from(mac);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
