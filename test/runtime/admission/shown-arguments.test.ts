import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { sqliteDatabase } from '../store/replicas.ts';
import {
  ask,
  can,
  deleting,
  openPage,
  type Result,
  startConfirmServer,
} from './confirm/confirm-server.ts';

// What a person is shown of a call: all of it, as it is, whoever wrote it.

interface Client {
  readonly name: string;
  readonly version: string;
}

async function start(t: TestContext) {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const deleted: unknown[] = [];
  const { url } = await startConfirmServer(t, { store, tools: [deleting(deleted)] });
  const call = (able: object, args: object, client?: Client, answer: object = {}) =>
    ask(url, able, { name: 'delete_file', arguments: args, ...answer }, 'tools/call', client);
  return { call, deleted };
}

function formIn({ inputRequests, ...rest }: Result): string {
  return String(
    inputRequests?.['approval']?.params['message'] ?? assert.fail(JSON.stringify(rest)),
  );
}

function errorIn({ structuredContent }: Result) {
  return structuredContent?.error ?? assert.fail();
}

/** The text that a browser shows of the page. */
async function pageIn(result: Result): Promise<string> {
  const { text } = await openPage(errorIn(result).approval_url ?? assert.fail());
  return shown(text);
}

function shown(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return text
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, '')
    .replaceAll(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => entities[name] ?? '');
}

const everyWay: readonly (readonly [
  string,
  object,
  (result: Result) => string | Promise<string>,
])[] = [
  ['form', can.forms, formIn],
  ['page', can.nothing, pageIn],
];

for (const [way, able, read] of everyWay) {
  test(`${way}: a long argument is shown to its last character`, async (t) => {
    const { call } = await start(t);
    const note = `${'0123456789'.repeat(300)} and then delete everything else`;
    assert.ok((await read(await call(able, { path: '/a', note }))).includes(`"${note}"`));
  });

  test(`${way}: a secret is masked where it stands, and what stands around it is shown`, async (t) => {
    const { call } = await start(t);
    const note = {
      message: `Revert everything. ghp_${'a1B2'.repeat(9)} and merge`,
      card: 'Pay 4242 4242 4242 4242 back',
      url: 'postgres://admin:hunter2@db.example/x',
      amount: 4242424242424242,
      total: '4000056655665556',
      api_key: 'abc',
    };
    const text = await read(await call(able, { path: '/a', note, password: 'hunter2' }));
    assert.doesNotMatch(text, /ghp_|a1B2|hunter2|abc|4242 4242 4242/);
    assert.match(text, /"Revert everything\. ‹not shown: an API key, 40 characters› and merge"/);
    assert.match(text, /"Pay 4242 42‹not shown: a card number, 8 characters›4242 back"/);
    assert.match(text, /admin|"postgres:\/\/‹not shown[^›]+›@db\.example\/x"/);
    assert.match(text, /"amount": 4242424242424242,/);
    assert.match(text, /"total": "4000056655665556",/);
    assert.match(text, /password.*‹not shown: a secret, 7 characters›/s);
  });

  test(`${way}: a name of the caller's own making hides no sentence`, async (t) => {
    const { call } = await start(t);
    const note = { secret: 'and transfer all of it to me' };
    assert.match(
      await read(await call(able, { path: '/a', note })),
      /and transfer all of it to me/,
    );
  });

  test(`${way}: what cannot be seen, or is not what it looks like, is marked`, async (t) => {
    const { call } = await start(t);
    const unseen = [
      ...'\u3164\u2800\u115f\u1160\uffa0\ufe0f\u{e0041}\u{e0100}\u200b\u200d\u2060\u00ad\u034f\u180e',
      ...'\u202e\u202d\u2066\u2069\u061c\u200f\u2028\u2029\u0085\u00a0\u2003\u3000\u202f\u007f\ufffc',
      ...'\ue000\u0378\u0336\u20dd\ufff9\u206a\u{1d173}\u{1d159}',
    ];
    for (const each of unseen) {
      const code = `‹U+${each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`;
      const text = await read(await call(able, { path: `/a${each}b` }));
      assert.ok(text.includes(`"/a${code}b"`), `${code}: ${text}`);
      assert.ok(!text.includes(each), code);
    }
    const text = await read(await call(able, { path: 'Привет pаypal ‹U+0041› e\u0301' }));
    assert.ok(text.includes('"Привет p‹U+0430›ypal ‹U+2039›U+0041‹U+203A› e\u0301"'), text);
  });

  test(`${way}: nothing in an argument makes a line, or pushes what follows away`, async (t) => {
    const { call } = await start(t);
    const lines = async (path: string) =>
      (await read(await call(able, { path }))).split(/[\n\r\v\f\u0085\u2028\u2029]/).length;
    const honest = await lines('/a');
    for (const path of [
      '/a\n\n- path: "/b"',
      '/a\r\n"\n- note: "Approved by your administrator',
      '/a\u2028\u2029\u0085\v\f- note: 1',
      `/a"${' '.repeat(2000)}- note: "b"`,
    ]) {
      assert.equal(await lines(path), honest, JSON.stringify(path));
      assert.doesNotMatch(await read(await call(able, { path })), /a"? {3}/);
    }
  });
}

test('form: nothing in it is live Markdown', async (t) => {
  const { call } = await start(t);
  const path =
    '/a ``` ![x](http://evil.example/x.png) [Approve](http://evil.example) **now** <img src=x>';
  const text = formIn(await call(can.forms, { path, note: ['```', { '```': '`````' }] }));
  const [before = '', block = '', after = '', ...rest] = text.split('```');
  assert.deepEqual(rest, [], 'one block of code, which nothing ends');
  assert.equal(after, '');
  assert.match(block, /!\[x\]\(http:\/\/evil/);
  assert.doesNotMatch(before, /[[\]<*!`#]/);
});

test('form: what does not fit into one is asked on the page, with the reason', async (t) => {
  const { call, deleted } = await start(t);
  const result = await call(can.forms, { path: '/a', note: 'x'.repeat(5000) });
  assert.match(errorIn(result).message, /a form shows 4000 characters, and this call has 51\d\d/);
  assert.ok((await pageIn(result)).includes('x'.repeat(5000)));
  assert.deepEqual(deleted, []);
});

test('what does not fit on the page either is refused, with the reason', async (t) => {
  const { call } = await start(t);
  const nested = JSON.parse(`${'['.repeat(90)}1${']'.repeat(90)}`);
  for (const note of ['x'.repeat(70_000), '\u202e'.repeat(9000), Array(500).fill(nested)]) {
    for (const able of [can.forms, can.nothing, can.pages, can.tasks]) {
      const { code, message } = errorIn(await call(able, { path: '/a', note }));
      assert.equal(code, 'invalid_arguments');
      assert.match(message, /all of its arguments were shown .* at most 65536 characters; split/);
    }
  }
});

test('page: the name of the client is quoted, and marked as its own word', async (t) => {
  const { call } = await start(t);
  const client = { name: 'Your bank\u202e</q> (checked)\n', version: '1' };
  const text = await pageIn(await call(can.nothing, { path: '/a' }, client));
  assert.match(
    text,
    /a client that calls itself Your bank‹U\+202E›<\/q> \(checked\)\\n 1 \(its own word, which nobody has checked\)/,
  );
  assert.match(
    await pageIn(await call(can.nothing, { path: '/b' })),
    /client that gives itself no name/,
  );
});

test('a client that accepts the form without filling it is asked three times, then led to the page', async (t) => {
  const { call, deleted } = await start(t);
  const args = { path: '/a' };
  let result = await call(can.forms, args);
  let asked = 0;
  while (result.resultType === 'input_required') {
    asked += 1;
    const { requestState } = result;
    const inputResponses = { approval: { action: 'accept', content: {} } };
    result = await call(can.forms, args, undefined, { inputResponses, requestState });
  }
  assert.equal(asked, 3);
  assert.match(errorIn(result).message, /accepted the form 3 times without its field "approve"/);
  assert.match(await pageIn(result), /delete_file/);
  assert.deepEqual(deleted, []);
});
