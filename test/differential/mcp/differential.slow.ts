import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { request } from 'undici';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { type Answer, answerOf } from './answers.ts';
import { ListedDifferences } from './listed.ts';
import { prompts, resources, resourceTemplates, tools } from './offer.ts';
import { createReference } from './reference.ts';
import { type Case, requests } from './requests.ts';

// The same requests go to this server and to one that is built with the official SDK. They answer
// alike, or differences.yaml says which sentence of the specification decides.

suite('differential', () => {
  const listed = new ListedDifferences();
  const reference = createReference();
  const closers: (() => unknown)[] = [];
  let url: URL;

  before(async () => {
    const offer = { tools, resources, resourceTemplates, prompts };
    url = await startInMemoryServer({ after: (close) => closers.push(close as never) }, offer);
  });
  after(async () => {
    for (const close of closers) await close();
  });

  async function ask({ httpMethod, headers, body }: Case): Promise<Answer> {
    const method = httpMethod as 'POST';
    const answer = await request(url, { method, headers, body: body ?? null });
    const type = String(answer.headers['content-type'] ?? '');
    return answerOf(answer.statusCode, type, await answer.body.text());
  }

  async function askReference({ httpMethod, headers, body }: Case): Promise<Answer> {
    const sent = new Request('http://127.0.0.1/mcp', {
      method: httpMethod,
      headers,
      body: body ?? null,
    });
    const answer = await reference(sent);
    return answerOf(answer.status, answer.headers.get('content-type') ?? '', await answer.text());
  }

  const all = requests();

  test(`${all.length} requests are answered alike, or the difference is listed`, async () => {
    assert.ok(all.length >= 400);
    const unlisted: string[] = [];
    for (const one of all) {
      const [ours, theirs] = await Promise.all([ask(one), askReference(one)]);
      const found = listed.unlisted(one.name, ours, theirs);
      unlisted.push(...found.map((difference) => `${one.name}: ${difference}`));
    }
    assert.deepEqual(unlisted, []);
  });

  test('every difference that is listed was seen, and has its decision', () => {
    assert.deepEqual(listed.unseen, []);
    assert.deepEqual(listed.undecided, []);
  });
});
