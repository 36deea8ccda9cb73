import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { ToolError } from '#contract/errors';
import { continued } from '#contract/request';
import { pageMeaning, speaksOfPages } from '#contract/text/page-names';

const known = (cursor: string) => continued(cursor, 'q', 'lang', ['tag']);

test('a cursor that is a query string sets what the operation takes, and names of pages', () => {
  const whole = 'page=2&q=a+b&%24skiptoken=x%3D&lang=en&tag=a&tag=b';
  assert.equal(known(whole), whole);
  assert.equal(known('admin=true&access_token=t&after=1&api_key_page=k&role=root'), 'after=1');
  assert.equal(continued(undefined, 'q'), undefined);
  assert.throws(() => known('admin=true&limit=20'), ToolError);
  assert.throws(() => known('admin=true&per_page=20'), ToolError);
});

test('nothing comes twice but the members of a list', () => {
  assert.equal(known('page=2&page=2'), 'page=2');
  for (const cursor of ['page=2&page=3', 'q=a&page=2&q=b'])
    assert.throws(() => known(cursor), { code: 'invalid_arguments', message: /next_cursor/ });
});

// As the addresses of next pages have them in the wild.
const places =
  'page _page page[number] page[after] page[cursor] page_token pageToken nextPageToken next_token $skip $skiptoken $skipToken cursor _cursor cursorMark offset start startAt startIndex start_key startkey exclusiveStartKey NextPartitionKey NextRowKey after afterId id_after starting_after ending_before since since_id max_id maxId marker next-marker continuationToken continue resumptionToken __paging_token pagination[page] scroll_id bookmark last_id lastEvaluatedKey from begin iterator';
const sizes =
  'limit _limit per_page perPage page[size] pagesize $top first count max-results rows take pagelen page_limit';
const others =
  'account stop from_user key token id p index api_key access_token session address_before user_id topic discount password is_admin role include_deleted fromage pageant next_of_kin lastname first_name before_hook keyword authorization org filter[after_hours] sinceWhen tokenid nonce a b';

test('a name in odd characters is none of a page', () => {
  for (const odd of [' limit', 'limit\0', 'page\n', 'ｐage', 'page;x', 'page&x', 'li\u200bmit'])
    assert.equal(pageMeaning(odd), undefined, JSON.stringify(odd));
});

test('what a curation hides comes back only where its name is that of a page', () => {
  const hidden = (names: string) => names.split(' ').filter((name) => speaksOfPages(name));
  const ofPages =
    'page_token listOptions.continue page[cursor] $skiptoken next_order_id nextPageToken start_after_order_id starting_after batch_token resume_token last_seen_id last_doc offset options[page] exclusive_start_key';
  assert.deepEqual(
    hidden(ofPages),
    ofPages.split(' ').filter((name) => name !== 'last_doc'),
  );
  const others =
    'first_name last_name last_modified_by include_deleted page_owner from_account user[after] filter[page] limit_to_tenant since_login next_of_kin start_user topic[first] options[admin] list[owner_id]';
  assert.deepEqual(hidden(others), []);
});

test('only whole words that speak of pages make a name of a page', () => {
  const wrong = (names: string, meaning: string | undefined) =>
    names.split(' ').filter((name) => pageMeaning(name) !== meaning);
  assert.deepEqual(wrong(places, 'place'), []);
  assert.deepEqual(wrong(sizes, 'size'), []);
  assert.deepEqual(wrong(others, undefined), []);
});

const words = [
  'page',
  'after',
  'next',
  'token',
  'key',
  'id',
  'limit',
  'size',
  'skip',
  'from',
  'last',
];
const strangers = ['user', 'account', 'stop', 'admin', 'secret', 'address', 'role', 'x', 'api', ''];
const joints = ['', '_', '-', '.', '[', '$', ']'];
const word = fc.oneof(fc.constantFrom(...words, ...strangers), fc.string({ maxLength: 6 }));
const name = fc
  .array(fc.tuple(word, fc.constantFrom(...joints), fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((parts) =>
    parts.map(([text, joint, capital]) => (capital ? text.toUpperCase() : text) + joint).join(''),
  );
const forged = fc.array(
  fc.tuple(fc.oneof(name, fc.constantFrom('q', 'lang', 'tag')), fc.string()),
  { maxLength: 6 },
);

test('whatever a forged cursor holds, only known names and those of pages are sent, each once', () => {
  fc.assert(
    fc.property(forged, (pairs) => {
      let sent: URLSearchParams;
      try {
        sent = new URLSearchParams(known(new URLSearchParams(pairs).toString()));
      } catch (error) {
        assert.ok(error instanceof ToolError);
        return;
      }
      const once = [...sent.keys()].filter((each) => each !== 'tag');
      assert.equal(new Set(once).size, once.length);
      for (const each of sent.keys()) {
        if (['q', 'lang', 'tag'].includes(each)) continue;
        // Take the words of pages away, and nothing is left; something was there besides `id` and `key`.
        const rest = each.replace(/page|after|next|token|key|id|limit|size|skip|from|last/gi, '');
        const isOfPages = rest.replace(/[^\p{L}\p{N}]/gu, '') === '';
        assert.ok(isOfPages || pageMeaning(each) !== undefined, each);
        // `pagestop` are `pages` and `top`, too: the one name of strangers that is one of a page.
        assert.doesNotMatch(each, /user|account|(?<!page)stop|admin|secret|address|role|api/i);
        assert.doesNotMatch(each, /^[\W_]*(?:(?:token|key|id)[\W_]*)*$/i);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the longest name is read at once', () => {
  for (const part of ['start', 'id', 'idx', 'row', 'items', 'min', 'at'])
    pageMeaning(`${part.repeat(30).slice(0, 63)}!`);
});
