import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import pino from 'pino';
import { request } from 'undici';
import { prompts, resources, resourceTemplates, tools } from '../../../differential/mcp/offer.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { fuzzedRequest } from '../fuzzed-requests.ts';
import { open } from './session.ts';

// Whatever is sent in a session, or to one that does not exist: never 500, never silence.

const statuses = new Set([200, 202, 400, 404, 406, 415]);
/** Without the tool that breaks: then nothing may be an internal error. */
const sound = tools.filter(({ definition }) => definition.name !== 'test_broken');

test('every answer in a session is one that the protocol knows', async (t) => {
  const entries: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => entries.push(line) });
  const offer = { tools: sound, resources, resourceTemplates, prompts, log };
  const url = await startInMemoryServer(t, { ...offer, sessions: { limit: 10_000 } });
  const id = await open(url);
  const version = { 'mcp-protocol-version': '2025-11-25' };
  const sessions = fc.constantFrom({}, { 'mcp-session-id': id }, { 'mcp-session-id': 'other' });
  const era = fc.constantFrom({}, version, version);
  const seen = new Map<number, number>();
  const property = fc.asyncProperty(fuzzedRequest, sessions, era, async (sent, session, said) => {
    const headers = { ...sent.headers, ...session, ...said };
    const { body } = sent;
    const answer = await request(url, { method: 'POST', headers, body });
    let text = '';
    for await (const chunk of answer.body) {
      text += chunk;
      // A long event comes in several chunks.
      const isWhole = text.endsWith('\n\n');
      if (isWhole && text.includes('notifications/subscriptions/acknowledged')) break;
    }
    assert.ok(statuses.has(answer.statusCode), `${answer.statusCode}: ${text.slice(0, 300)}`);
    assert.doesNotMatch(text, /"code":-32603|"code":-320(?!02)[01]\d/);
    seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
  });
  await fc.assert(property, { numRuns: 1500 });
  assert.deepEqual(entries, []);
  for (const status of [200, 400, 404]) assert.ok((seen.get(status) ?? 0) > 20);
});
