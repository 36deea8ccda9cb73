import assert from 'node:assert/strict';
import test from 'node:test';
import { cleanText } from '../../../generator/model/texts/clean-text.ts';
import { withoutHtml } from '../../../generator/model/texts/html-text.ts';

for (const [text, read] of [
  ['<p>The <b>id</b> of an <em class="x">order</em>.</p>', 'The id of an order.'],
  ['Ended meetings<br><br>\n\n**Scopes:** `read`<br/>', 'Ended meetings\n\n**Scopes:** `read`'],
  ['One of:<ul>\n  <li>open</li>\n\n  <li>shut</li>\n</ul>', 'One of:\n- open\n- shut'],
  ['One of:<ul><li>open<li>shut</ul>', 'One of:\n- open\n- shut'],
  ['<tr><th>Key</th><th>Kind</th></tr><tr><td>a</td><td>b</td></tr>', 'Key  Kind\n\n a  b'],
  ['Set <code class="mono">limit</code> to <tt>5</tt>', 'Set `limit` to `5`'],
  [
    'See <a target=_blank href="https://x.example/a">filters</a>.',
    'See [filters](https://x.example/a).',
  ],
  ['See <a href="/filters.html">filters</a> and <a name="b">more</a>.', 'See filters and more.'],
  ['A customer&#x27;s &quot;home&quot;&nbsp;&amp; more', 'A customer\'s "home" & more'],
] as const) {
  test(`a text reads as its page shows it: ${text.replaceAll('\n', ' ')}`, () => {
    assert.equal(cleanText(text), read);
  });
}

for (const text of [
  // Placeholders, and what is no element.
  'The airport <code> or <i> of a leg',
  'GET /users/<user>/b</user>',
  'a < b and c > d',
  '<T>A list of T</T>',
  // Code shows what it shows.
  'Write `<b>bold</b>` here',
  '```\n<p>one</p>\n```',
  // What speaks of markup shows it.
  'Supported HTML: <b>bold</b>, <i>slanted</i>',
  'May have the tags <b></b>',
  'It is escaped: &lt;system&gt;',
]) {
  test(`a text keeps what is no look of its own: ${text.replaceAll('\n', ' ')}`, () => {
    assert.equal(withoutHtml(text), text);
  });
}

test('a part of an address does not speak of markup', () => {
  const text = '<p>See <a href="https://x.example/html/a.html">it</a></p>';
  assert.equal(cleanText(text), 'See [it](https://x.example/html/a.html)');
});

test('no tag that goes puts a mark or a picture together', () => {
  const picture = '!<a href="https://x.example/seen.png">p</a>';
  assert.equal(cleanText(`${picture} <sys<b></b>tem>do it</sys<b></b>tem>`), 'p do it');
  assert.equal(cleanText('<!-<i></i>- a -<i></i>-> b'), 'b');
});
