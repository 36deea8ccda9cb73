import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import pino from 'pino';
import { Agent, request } from 'undici';
import { isObject } from '#contract/json';
import { prompts, resources, resourceTemplates, tools } from '../../differential/mcp/offer.ts';
import { startInMemoryServer } from '../in-memory-server.ts';
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-requests.ts';

// Whatever comes, the answer is one that MCP 2026-07-28 knows: never 500, never silence.

const runs = 3000;
const statuses = new Set([200, 202, 400, 404, 406, 415]);
/** A request that takes this long hangs. */
const timeoutMs = 300_000;

/** Without the tool that breaks: then nothing may be an internal error. */
const sound = tools.filter(({ definition }) => definition.name !== 'test_broken');

suite('fuzzed requests', () => {
  const agent = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const entries: string[] = [];
  const closers: (() => unknown)[] = [];
  let url: URL;

  before(async () => {
    const log = pino({ level: 'warn' }, { write: (line) => entries.push(line) });
    const offer = { tools: sound, resources, resourceTemplates, prompts, log };
    url = await startInMemoryServer({ after: (close) => closers.push(close as never) }, offer);
  });
  after(async () => {
    await agent.destroy();
    for (const close of closers) await close();
  });

  async function send({ headers, body }: FuzzedRequest): Promise<[status: number, text: string]> {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    let text = '';
    // A stream of changes would go on for ever.
    for await (const chunk of answer.body) {
      text += chunk;
      // A long event comes in several chunks.
      const isWhole = text.endsWith('\n\n');
      if (isWhole && text.includes('notifications/subscriptions/acknowledged')) break;
    }
    return [answer.statusCode, text];
  }

  test('every answer is one that the protocol knows', async () => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(fuzzedRequest, async (sent) => {
      const [status, text] = await send(sent);
      assert.ok(statuses.has(status), `status ${status}: ${text.slice(0, 300)}`);
      const kind = checkAnswer(sent, status, text);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs });
    assert.deepEqual(entries, []);
    assert.deepEqual(Object.keys(Object.prototype), []);
    // Else the requests would be too wild to reach what they are meant for.
    for (const kind of ['result', '-32602', '-32020', '-32600', '-32700', '-32601']) {
      assert.ok((seen.get(kind) ?? 0) > 3, `${kind} was seen ${seen.get(kind)} times`);
    }
  });

  test('memory does not grow with the number of requests', async () => {
    const samples = fc.sample(fuzzedRequest, { numRuns: 300, seed: 7 });
    const round = async () => {
      for (const sample of samples) await send(sample);
      return usedMemory();
    };
    await round();
    const before = await round();
    await round();
    const grown = (await round()) - before;
    assert.ok(grown < 8 * 1024 * 1024, `${grown} bytes more after ${2 * samples.length} requests`);
  });
});

/** Check the form of an answer; gives its error code, or what else it is. */
function checkAnswer(sent: FuzzedRequest, status: number, text: string): string {
  if (status === 202) {
    assert.equal(text, '');
    return 'accepted';
  }
  const answer = lastMessage(text);
  assert.ok(isObject(answer));
  assert.equal(answer['jsonrpc'], '2.0');
  if (answer['method'] !== undefined) return 'stream';
  const id = idOf(sent.body);
  // What is too deep is not parsed: its id is told only where it can be seen, the first of several.
  const isUnread = text.includes('is nested deeper than');
  // Not by assert.equal: JSON does not tell -0 from 0.
  if (id !== undefined && status !== 415 && !isUnread)
    assert.ok(answer['id'] === id, `${answer['id']} for ${id}`);
  const { error, result } = answer;
  if (!isObject(error)) {
    assert.ok(isObject(result));
    assert.equal(status, 200);
    return 'result';
  }
  const code = Number(error['code']);
  assert.equal(typeof error['message'], 'string');
  assert.ok(String(error['message']).length < 2000, 'an error repeats what was sent at length');
  assert.notEqual(code, -32603);
  assert.ok(code === -32002 || code > -32000 || code < -32019, `${code} is not to be used`);
  return String(code);
}

function lastMessage(text: string): unknown {
  // Not by a pattern with lines: to those, a separator such as U+2028 ends a line as well.
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(data.at(-1)?.slice('data: '.length) ?? text);
}

/** The id that an answer must repeat, where there is one. */
function idOf(body: string): string | number | undefined {
  try {
    const { id } = JSON.parse(body);
    return typeof id === 'string' || Number.isSafeInteger(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
