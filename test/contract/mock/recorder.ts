import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { isObject } from '#contract/json';

/** One objection of Prism. */
export interface Violation {
  /** `request.query.limit`, `response.body.items.0`. */
  readonly location: string;
  readonly code: string;
  readonly message: string;
}

/** A request as the vendor would get it. */
export interface Sent {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A request, and what the mock said of it. */
export interface Exchange extends Sent {
  readonly status: number;
  readonly answer: Buffer;
  /** Title of the error that Prism itself answers, such as `NO_PATH_MATCHED_ERROR`. */
  readonly problem: string | undefined;
  readonly violations: readonly Violation[];
}

/** What stands between the server and the mock, and notes what passes. */
export interface Recorder {
  readonly url: string;
  /** What has passed since the last time somebody asked. */
  take(): readonly Exchange[];
  /** Change the answer of the mock before it goes on. */
  change: ((answer: Answer, sent: Sent) => Answer) | undefined;
  /** Let the mock make answers up from its schemas, rather than take its examples. */
  dynamic: boolean;
  /** What requests go to. */
  mock: Addressed;
  /** What a mock says of a request that has passed before. */
  ask(mock: Addressed, sent: Sent): Promise<Exchange>;
  close(): Promise<void>;
}

/** A mock at an address, which is another one after it had to be started again. */
interface Addressed {
  readonly url: string;
}

export interface Answer {
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

/** The problem of a request that the mock had not answered when the caller gave up. */
export const mockSilent = 'the mock does not answer';

/** The problem of a request at which the mock ended. */
export const mockEnded = 'the mock has ended';

/** How long a mock that is asked again may take to answer, in milliseconds. */
const patienceMs = 60_000;

const verdictHeader = 'sl-violations';
const cutList = 'Too many violations! ';
/** For a list of which not even the first violation has arrived. */
const whole = { severity: 'Error', code: 'unknown', message: 'more than the mock tells' };
/** Headers of one connection alone (RFC 9110 section 7.6.1). */
const hopByHop = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'host',
  'content-length',
  'expect',
];

/** Start a recorder before a mock. */
export async function startRecorder(mock: Addressed): Promise<Recorder> {
  const dispatcher = new Agent({ maxHeaderSize: 1_048_576 });
  let exchanges: Exchange[] = [];
  let open: Sent[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = { method, url, headers, body };
    open.push(sent);
    try {
      const exchange = await pass(sent, response);
      if (open.includes(sent)) exchanges.push(exchange);
    } catch (error) {
      if (!open.includes(sent)) return;
      const answer = Buffer.from(String(error));
      exchanges.push({ ...sent, status: 502, answer, problem: mockEnded, violations: [] });
      response.writeHead(502).end(answer);
    } finally {
      open = open.filter((other) => other !== sent);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function pass(sent: Sent, response: ServerResponse): Promise<Exchange> {
    const { headers, ...exchange } = await replyOf(recorder.mock, sent);
    // Prism compresses nothing, whatever header it makes up.
    const told = without(headers, [...hopByHop, verdictHeader, 'content-encoding']);
    const given = { headers: told, body: exchange.answer };
    const changed = recorder.change?.(given, sent) ?? given;
    response.writeHead(exchange.status, changed.headers).end(changed.body);
    return { ...sent, ...exchange };
  }

  /** What a mock says; why it refuses a HEAD, it says where the same is read by GET. */
  async function replyOf(mock: Addressed, sent: Sent, signal?: AbortSignal) {
    const own = await plainlySaidOf(mock, sent, signal);
    if (sent.method !== 'HEAD' || own.status !== 422) return own;
    const { status, problem, violations } = await plainlySaidOf(
      mock,
      { ...sent, method: 'GET' },
      signal,
    );
    return status === own.status ? { ...own, problem, violations } : own;
  }

  /** What a mock says; where the document has a `Prefer` of its own, it cannot be told how to answer. */
  async function plainlySaidOf(mock: Addressed, sent: Sent, signal: AbortSignal | undefined) {
    const isAsked = recorder.dynamic && sent.headers['prefer'] === undefined;
    const said = await saidOf(mock, sent, isAsked, signal);
    const isHeld = said.violations.some(({ location }) => location === 'request.header.prefer');
    return isAsked && isHeld ? await saidOf(mock, sent, false, signal) : said;
  }

  async function saidOf(
    { url: base }: Addressed,
    { method, url, headers, body }: Sent,
    dynamic: boolean,
    signal: AbortSignal | undefined,
  ) {
    const reply = await request(base + url, {
      ...{ dispatcher, method: method as 'GET' },
      ...(signal && { signal }),
      headers: { ...without(headers, hopByHop), ...(dynamic && { prefer: 'dynamic=true' }) },
      ...(body.length > 0 && { body }),
    });
    const answer = Buffer.from(await reply.body.arrayBuffer());
    const { headers: told, statusCode: status } = reply;
    return { headers: told, status, answer, ...verdictOf(told, answer) };
  }

  const recorder: Recorder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const silent = { status: 504, answer: Buffer.alloc(0), problem: mockSilent, violations: [] };
      const taken = [...exchanges, ...open.map((sent) => ({ ...sent, ...silent }))];
      [exchanges, open] = [[], []];
      return taken;
    },
    change: undefined,
    dynamic: false,
    mock,
    async ask(other, sent) {
      const { headers: _, ...exchange } = await replyOf(
        other,
        sent,
        AbortSignal.timeout(patienceMs),
      );
      return { ...sent, ...exchange };
    },
    async close() {
      server.close().closeAllConnections();
      await once(server, 'close');
      await dispatcher.close();
    },
  };
  return recorder;
}

function without(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string | string[]> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || names.includes(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** Prism's own errors (its `problem+json` types) and the header with what it found. */
function verdictOf(headers: Readonly<Record<string, string | string[] | undefined>>, body: Buffer) {
  const isProblem = String(headers['content-type']).startsWith('application/problem+json');
  const problem = isProblem ? parsed(body.toString()) : undefined;
  const type = isObject(problem) ? String(problem['type']) : '';
  const isPrism = type.startsWith('https://stoplight.io/prism/errors#');
  const listed = isObject(problem) && isPrism ? problem['validation'] : undefined;
  const found = listed ?? listedIn(String(headers[verdictHeader] ?? '[]'));
  return {
    problem: isPrism ? type.slice(type.indexOf('#') + 1) : undefined,
    violations: Array.isArray(found) ? found.filter(isObject).flatMap(readViolation) : [],
  };
}

/** Prism cuts a long list off, after a sentence that says so; what the request has done stands first. */
function listedIn(header: string): unknown {
  if (!header.startsWith(cutList)) return parsed(header);
  const list = header.slice(cutList.length);
  return parsed(`${list.slice(0, list.lastIndexOf('},{') + 1)}]`) ?? [whole];
}

function readViolation(entry: Readonly<Record<string, unknown>>): Violation[] {
  const { location, severity, code, message } = entry;
  if (severity !== 'Error') return [];
  const steps = Array.isArray(location) ? location.map(String) : [];
  const isNamed = steps[0] === 'request' || steps[0] === 'response';
  return [
    {
      location: [...(isNamed ? [] : ['request']), ...steps].join('.'),
      code: String(code),
      message: String(message),
    },
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
