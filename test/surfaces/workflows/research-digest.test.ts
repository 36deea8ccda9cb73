import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import type { JsonObject } from '#contract/json';
import { createService, type Service } from '../../../runtime/main.ts';
import { ask, can } from '../../runtime/admission/confirm/confirm-server.ts';
import { ResearchVendors } from './research-vendors.ts';

// The research digest that ships, on a whole server, before arXiv, Crossref and Notion on loopback.

const vendors = new ResearchVendors();
const folder = mkdtempSync(join(tmpdir(), 'digest-'));
let service: Service;
let url: URL;

before(async () => {
  const vendor = await vendors.start();
  service = await createService({
    SERVICE_ENABLE_WORKFLOWS: '1',
    SERVICE_PROVIDER: 'arxiv,crossref,notion',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_PROVIDER_ARXIV_URL: vendor,
    SERVICE_PROVIDER_CROSSREF_URL: vendor,
    SERVICE_PROVIDER_NOTION_URL: vendor,
    SERVICE_NOTION_TOKEN: 'key',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_DATA_DIR: join(folder, 'data'),
  });
  await service.life.start();
  url = new URL('/mcp', await service.http.listen({ host: '127.0.0.1', port: 0 }));
});

after(async () => {
  vendors.stop();
  await service.http.close();
  await service.life.stop();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  vendors.asked.length = 0;
  Object.assign(vendors, { papers: 3, works: 3 });
});

const page = '1f2a6c3e-5b7d-4e90-9a41-3c8de5f60b12';

async function digest(subject: string) {
  const params = { name: 'research_digest', arguments: { subject, page } };
  const result = await ask(url, can.forms, params);
  assert.equal(result.isError, undefined, JSON.stringify(result));
  return result.structuredContent as unknown as {
    readonly state: string;
    readonly outputs: Readonly<Record<'preprints' | 'works', readonly JsonObject[]>> & {
      readonly page: string;
    };
  };
}

/** The lines of the page that Notion was asked to make. */
function lines(): readonly string[] {
  const { children } = (vendors.asked.at(-1)?.body ?? {}) as {
    readonly children: readonly Record<
      string,
      { rich_text: readonly { text: { content: string } }[] }
    >[];
  };
  return children.map((block) => {
    const { rich_text: texts = [] } = block[String(block['type'])] ?? {};
    return texts.map(({ text }) => text.content).join('');
  });
}

test('a digest puts the newest preprints and the most cited works on a page', async () => {
  const { state, outputs } = await digest('graph theory');
  assert.equal(state, 'completed');
  const [arxiv, crossref, notion, ...more] = vendors.asked;
  assert.deepEqual(more, []);
  assert.equal(arxiv?.query['search_query'], 'all:"graph theory"');
  assert.deepEqual([arxiv?.query['sortBy'], arxiv?.query['max_results']], ['submittedDate', '3']);
  assert.equal(crossref?.query['query'], 'graph theory');
  assert.equal(crossref?.query['sort'], 'is-referenced-by-count');
  assert.match(notion?.path ?? '', /\/pages$/);
  const { parent, properties } = (notion?.body ?? {}) as JsonObject;
  assert.deepEqual(parent, { page_id: page });
  assert.match(JSON.stringify(properties), /Research digest: graph theory/);
  const written = lines();
  assert.equal(written.length, 8);
  assert.match(written[1] ?? '', /^1\. Attention Is All You Need \S+1706\.03762v7$/);
  assert.match(written[7] ?? '', /^Toward a Unified Theory .+ 10\.5555\/3$/);
  assert.deepEqual([outputs.preprints.length, outputs.works.length], [3, 3]);
  assert.match(outputs.page, /^https:\/\/www\.notion\.so\//);
});

test('a digest of what hardly anybody has written about has shorter lines, and no null', async () => {
  Object.assign(vendors, { papers: 1, works: 0 });
  const { outputs } = await digest('something new');
  const written = lines();
  assert.match(written[1] ?? '', /^1\. Attention/);
  for (const line of [written[2], written[5]]) assert.doesNotMatch(line ?? '', /null|undefined|\{/);
  assert.deepEqual([outputs.preprints.length, outputs.works.length], [1, 0]);
});

test('what a caller writes is text to a workflow, and no expression', async () => {
  const subject = '{$inputs.page} $steps.preprints.outputs.papers {$response.body}';
  await digest(subject);
  assert.equal(vendors.asked[0]?.query['search_query'], `all:"${subject}"`);
  assert.equal(vendors.asked[1]?.query['query'], subject);
  const { properties } = (vendors.asked[2]?.body ?? {}) as JsonObject;
  assert.ok(JSON.stringify(properties).includes(subject));
});
