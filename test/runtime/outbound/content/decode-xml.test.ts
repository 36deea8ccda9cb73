import assert from 'node:assert/strict';
import test from 'node:test';
import type { ResponseShape } from '#contract/tool';
import { answered } from './answered.ts';

const feed = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:os="http://os.example">
  <os:total>1</os:total>
  <entry>
    <id>1234.5600</id><title>A &amp; B &lt;i&gt;</title>
    <author><name>One</name></author>
    <link href="https://x/1" rel="alternate"/>
    <note xmlns:n="http://n.example">plain</note><sized unit="mm">7</sized>
  </entry>
</feed>`;

const feedShape: ResponseShape = {
  decode: 'xml',
  items: ['feed', 'entry'],
  map: {
    id: ['id'],
    title: ['title'],
    authors: ['author', '*', 'name'],
    links: ['link', '*', 'href'],
    note: ['note'],
    size: ['sized', '#text'],
  },
};

test('XML keeps its texts as texts, and lists of one as lists', async (t) => {
  const { data } = await answered(t, {
    type: 'application/atom+xml',
    body: feed,
    response: feedShape,
  });
  assert.deepEqual(await data(), {
    items: [
      {
        id: '1234.5600',
        title: 'A & B <i>',
        authors: ['One'],
        links: ['https://x/1'],
        note: 'plain',
        size: '7',
      },
    ],
  });
});

test('XML is read in the encoding that it declares (XML 1.0, 4.3.3)', async (t) => {
  const body = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><b>é</b></a>', 'latin1');
  const { data } = await answered(t, { type: 'text/xml', body });
  assert.deepEqual(await data(), { a: { b: 'é' } });
});

test('many entities in XML are no attack', async (t) => {
  const { data } = await answered(t, {
    type: 'text/xml',
    body: `<a>${'&amp;&#233;'.repeat(20_000)}</a>`,
    response: { maxBytes: 100_000 },
  });
  assert.ok((await data())['a'] === '&é'.repeat(20_000));
});

const hostile = {
  'a billion laughs':
    '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;</l>',
  'an external entity': '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>',
  'a document type in lower case': '<!doctype l><l/>',
  'tags that do not match': '<a><b></a>',
  'no XML': 'hello',
  'too many levels': `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`,
};

for (const [name, body] of Object.entries(hostile)) {
  test(`XML with ${name} is upstream_error`, async (t) => {
    const { failure } = await answered(t, { type: 'application/xml', body });
    assert.equal((await failure()).code, 'upstream_error');
  });
}

test('the message of a failure in XML is found as in JSON; XML that is broken says nothing', async (t) => {
  const entry = '<entry><title>Error</title><summary>incorrect id format</summary></entry>';
  const messages: string[] = [];
  for (const body of [`<feed>${entry}</feed>`, `<feed>${entry}`, `<!DOCTYPE feed><feed/>`]) {
    const { failure } = await answered(t, {
      type: 'application/atom+xml; charset=utf-8',
      status: 400,
      body,
      response: { items: ['feed', 'entry'] },
      provider: { errors: { message: ['feed', 'entry', 0, 'summary'] } },
    });
    messages.push((await failure()).message);
  }
  assert.deepEqual(messages, [
    'Acme answered 400: incorrect id format',
    'Acme answered 400',
    'Acme answered 400',
  ]);
});
