import type { AuditCheckpoint } from '#contract/house/audit';
import { openCosignature, parseWitnessKey } from '../keys/cosignature.ts';
import { parseCheckpoint } from '../verify/verify.ts';
import { type Anchor, type AnchoredLog, ForkedLog } from './anchor.ts';

const mostBytes = 64 * 1024;
/** Others that write the same log may move the witness on while this one asks. */
const mostTries = 5;
/** A witness that knows the log answers neither; others have no such route, or none to read. */
const noSuchRoute: readonly number[] = [404, 405];
const sizeType = 'text/x.tlog.size';

export interface WitnessAnchorOptions {
  /** The submission prefix of the witness. */
  readonly url: string;
  /** Its verifier key, of type 4. */
  readonly vkey: string;
  readonly clock?: { now(): number };
}

/**
 * Has every checkpoint cosigned by a witness, which sees to it that the log only grows. What it
 * gives back as a reference is the cosignature (C2SP tlog-witness, add-checkpoint).
 */
export function createWitnessAnchor({ url, vkey, clock = Date }: WitnessAnchorOptions): Anchor {
  const key = parseWitnessKey(vkey);
  let held = 0;
  return {
    target: `witness:${key.name} ${url}`,
    everyMs: 0,
    cosigns: true,
    async newest(origin, signal) {
      const query = new URLSearchParams({ origin });
      const answer = await send(`${url}/checkpoint?${query}`, { method: 'GET', signal });
      // The route is of our own making: what another witness holds shows when it is asked to cosign.
      if (noSuchRoute.includes(answer.status)) return undefined;
      if (answer.status !== 200) throw new Error(`${key.name} answered ${answer.status}`);
      if (parseCheckpoint(answer.text)?.origin === origin) return answer.text;
      throw new Error(`${key.name} answered something else than a checkpoint of ${origin}`);
    },
    async put(checkpoint, log, signal) {
      const text = checkpoint.note.slice(0, checkpoint.note.indexOf('\n\n') + 1);
      if (held > checkpoint.size) held = 0;
      for (let tries = 1; tries <= mostTries; tries++) {
        const body = await requestBody(held, checkpoint, log);
        const answer = await send(`${url}/add-checkpoint`, { method: 'POST', body, signal });
        if (answer.status === 200) {
          held = checkpoint.size;
          return openCosignature(text, answer.text, key, Math.floor(clock.now() / 1000));
        }
        const size = sizeIn(answer);
        if (size === undefined || size === held) refuse(key.name, answer, held, checkpoint.size);
        held = size;
        await requireReached(key.name, size, log);
        if (size > checkpoint.size) return undefined;
      }
      throw new Error(`${key.name} was moved on by others ${mostTries} times`);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function send(
  url: string,
  options: { method: 'GET' | 'POST'; body?: string; signal: AbortSignal },
): Promise<Answer> {
  const { request } = await import('undici');
  const headers = options.method === 'POST' ? { 'content-type': 'text/plain; charset=utf-8' } : {};
  const { statusCode: status, headers: fields, body } = await request(url, { ...options, headers });
  const text = await boundedText(body);
  return { status, type: String(fields['content-type'] ?? ''), text };
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function requestBody(
  old: number,
  { size, note }: AuditCheckpoint,
  log: AnchoredLog,
): Promise<string> {
  const hashes = await log.consistency(old, size);
  if (hashes === undefined) throw new Error(`the log has no tree of ${size} entries`);
  return `old ${old}\n${hashes.map((hash) => `${hash}\n`).join('')}\n${note}`;
}

/** The size that the witness names where it has cosigned another one than was thought. */
function sizeIn({ status, type, text }: Answer): number | undefined {
  if (status !== 409 || !type.startsWith(sizeType)) return undefined;
  const size = /^(?:0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** A log that lacks entries which were cosigned has lost them. */
async function requireReached(name: string, size: number, log: AnchoredLog): Promise<void> {
  if ((await log.consistency(size, size)) !== undefined) return;
  throw new ForkedLog(`${name} has cosigned ${size} entries, which the log does not have`);
}

const meanings: Readonly<Record<number, string>> = {
  400: 'it takes the request for malformed',
  403: 'it knows the log under another key',
  404: 'it does not watch this log: give its operator the verifier key of the log',
  429: 'it is asked too often',
};

/** @throws ForkedLog when the witness has seen another history, else Error with what it says */
function refuse(name: string, { status }: Answer, old: number, size: number): never {
  // A root that differs at one and the same size is 409 too; some witnesses answer 422.
  if (status === 422 || (status === 409 && old === size)) {
    throw new ForkedLog(`the ${size} entries do not continue the ${old} that ${name} has cosigned`);
  }
  const meaning = meanings[status] ?? 'which add-checkpoint does not foresee';
  throw new Error(`${name} answered ${status}: ${meaning}`);
}
