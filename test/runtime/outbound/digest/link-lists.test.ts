import assert from 'node:assert/strict';
import test from 'node:test';
import type { Paging } from '#contract/tool';
import { nextPage } from '../../../../runtime/outbound/digest/paging.ts';
import { within } from '../../../../runtime/outbound/digest/place.ts';

const paging: Paging = { style: 'next_url', next: ['links'] };
const place = { url: 'https://api.example/v1/things', path: '/things', hidden: ['api_key'] };

function after(links: unknown) {
  return nextPage(paging, {
    body: { things: [1], links },
    headers: {},
    count: 1,
    limit: undefined,
    cursor: undefined,
    continues: (address) => within(place, address),
  });
}

for (const [what, links, cursor] of [
  [
    '{rel, href}',
    [
      { rel: 'self', href: '/things' },
      { rel: 'next', href: '?page=2' },
    ],
    'page=2',
  ],
  ['{relation, url}', [{ relation: 'next', url: 'https://api.example/v1/things?at=7' }], 'at=7'],
  ['{rel, uri}', [{ rel: 'next', uri: '/v1/things?at=7' }], 'at=7'],
  ['several relations', [{ rel: ['alternate', 'Next'], href: '?page=2' }], 'page=2'],
  ['a method', [{ rel: 'next', method: 'get', href: '?page=2' }], 'page=2'],
  ['a credential', [{ rel: 'next', href: '?api_key=secret&page=2' }], 'page=2'],
  ['the query of the next page alone', [{ rel: 'next', href: 'page=2&q=a' }], 'page=2&q=a'],
  ['a credential in capitals', [{ rel: 'next', href: '?API_Key=secret&page=2' }], 'page=2'],
  [
    'no next page',
    [
      { rel: 'prev', href: '?page=1' },
      { rel: 'next-steps', href: '/a' },
    ],
    undefined,
  ],
  ['one to post to', [{ rel: 'next', method: 'POST', href: '?page=2' }], undefined],
  ['no address', [{ rel: 'next' }, { rel: 'next', href: '?page=2' }, null, 'next'], undefined],
  ['nothing', [], undefined],
] as const) {
  test(`the next page among links with ${what} is ${cursor}`, () => {
    assert.deepEqual(after(links), cursor === undefined ? {} : { cursor });
  });
}

test('a link to another list is not followed, and told', () => {
  const elsewhere = ['/secrets?page=2', 'https://evil.example/secrets?page=2', 'a=/../secrets?b=1'];
  for (const href of elsewhere) {
    const { cursor, hint } = after([{ rel: 'next', href }]);
    assert.equal(cursor, undefined);
    assert.match(hint ?? '', /goes on at an address that is not the one of this tool/);
  }
});
