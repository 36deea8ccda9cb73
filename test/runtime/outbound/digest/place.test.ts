import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import { within } from '../../../../runtime/outbound/digest/place.ts';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const place = {
  url: 'https://api.acme.example/v1/users/me/things',
  path: '/users/me/things',
  hidden: ['key'],
};
const root = { url: 'https://acme.example/', path: '/', hidden: [] };

for (const [address, from = place] of [
  ['?page=2'],
  ['things?page=2'],
  ['/v1/users/me/things/?page=2'],
  ['http://api.acme.example/v1/users/me/things?page=2'],
  ['https://api.acme.example:8443/v1/users/me/things?page=2'],
  // A proxy takes a part of the path off, or puts one in front.
  ['http://10.0.0.7:8080/users/me/things?page=2'],
  ['https://api.acme.example/users/me/things?page=2'],
  ['https://gateway.example/acme/v1/users/me/things?page=2'],
  ['https://new.acme.example/rest/users/me/things?page=2'],
  ['/v2/users/me/things?page=2'],
  ['/acme/v1/users/me/things?page=2'],
  // The same path in other words.
  ['https://api.acme.example/V1/Users/ME/th%69ngs?page=2'],
  ["https://api.acme.example/v1/users('me')/things?page=2"],
  ['https://api.acme.example/v1/users/4711/things?key=secret&page=2#end'],
  ['/?page=2', root],
] as const) {
  test(`${address} is the next page of ${from.url}`, () => {
    const url = within(from, address);
    assert.equal(url?.href, `${from.url}?page=2`);
  });
}

for (const [address, from = place] of [
  ['/v1/users/me/others?page=2'],
  ['/v1/users/me?page=2'],
  ['https://evil.example/me/things?page=2'],
  ['https://evil.example/things?page=2'],
  ['ftp://api.acme.example/v1/users/me/things?page=2'],
  ['data:page=2'],
  ['http://[bad'],
  ['https://evil.example/things?page=2', root],
] as const) {
  test(`${address} is no page of ${from.url}`, () => {
    assert.equal(within(from, address), undefined);
  });
}

test('whatever host a next page is said to be at, nothing is sent there', async (t) => {
  const elsewhere = await startUpstream(t, (response) => sendJson(response, { items: ['stolen'] }));
  const upstream = await startUpstream(t, (response, _, count) =>
    sendJson(response, {
      items: [count],
      ...(count < 3 && { next: `${elsewhere.url}/v9/things?after=${count}` }),
    }),
  );
  const { data } = caller(t, `${upstream.url}/v1`, {
    tool: {
      paging: { style: 'next_url', next: ['next'] },
      request: (({ cursor }: { cursor?: string }) => ({
        method: 'GET',
        path: path`/things`,
        continueAt: cursor,
      })) as never,
      response: { items: ['items'] },
    },
  });
  const all: unknown[] = [];
  let cursor: unknown;
  do {
    const result = await data(cursor === undefined ? {} : { cursor });
    all.push(...(result['items'] as unknown[]));
    cursor = result['next_cursor'];
  } while (cursor !== undefined);
  assert.deepEqual(all, [1, 2, 3]);
  assert.deepEqual(
    upstream.seen.map(({ url }) => url),
    ['/v1/things', '/v1/things?after=1', '/v1/things?after=2'],
  );
  assert.deepEqual(elsewhere.seen, []);
});
