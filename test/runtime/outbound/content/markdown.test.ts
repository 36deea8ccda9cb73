import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultLimits, type OutboundLimits } from '../../../../runtime/outbound/call/options.ts';
import { MarkdownConverter } from '../../../../runtime/outbound/content/markdown-converter.ts';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

function converter(t: TestContext, limits: Partial<OutboundLimits> = {}): MarkdownConverter {
  const made = new MarkdownConverter({ ...defaultLimits, markdownMs: allTime, ...limits });
  t.after(() => made.close());
  return made;
}

/** More than any machine needs for what is to be converted. */
const allTime = 600_000;

/** A converter that gives the first text little time, and those after it all. */
function hurried(t: TestContext) {
  const limits = { ...defaultLimits, markdownMs: 300 };
  const made = new MarkdownConverter(limits);
  t.after(() => made.close());
  return {
    convert: (texts: readonly string[]) => {
      const converted = made.convert(texts);
      limits.markdownMs = allTime;
      return converted;
    },
  };
}

/** HTML whose parsing takes time in the square of its size: minutes. */
const hostile = '<div>'.repeat(60_000);

test('texts come back in their order, each as Markdown', async (t) => {
  const made = converter(t);
  const texts = ['<b>a</b>', '', 'plain', '<b>a</b>', '<ul><li>x</li></ul>'];
  assert.deepEqual(await made.convert(texts), ['**a**', '', 'plain', '**a**', '*   x']);
  assert.deepEqual(await made.convert(['<b>a</b>', '<i>c</i>']), ['**a**', '_c_']);
});

test('HTML that takes too long loses its tags; the others do not wait for it for ever', async (t) => {
  const made = hurried(t);
  const slow = made.convert([`${hostile}words`]);
  const other = made.convert(['<b>a</b>']);
  assert.deepEqual(await slow, ['words']);
  assert.deepEqual(await other, ['**a**']);
});

test('a text that lost its tags because time ran out is converted the next time', async (t) => {
  const made = hurried(t);
  assert.deepEqual(await made.convert([hostile, '<b>a</b>']), ['', 'a']);
  assert.deepEqual(await made.convert(['<b>a</b>']), ['**a**']);
});

test('the server goes on while HTML is converted', async (t) => {
  const made = converter(t);
  await made.convert(['<i>start</i>']);
  let isDone = false;
  const slow = made.convert([hostile]).then(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone && turns < 10) {
    await sleep(5);
    turns += 1;
  }
  // Were it done in this thread, no turn would come before its end.
  assert.ok(turns > 1);
  await made.close();
  await slow;
});

test('HTML nested deeper than the stack reaches loses its tags', async (t) => {
  const made = converter(t);
  assert.deepEqual(await made.convert([`${'<b>'.repeat(8_000)}x`, '<b>a</b>']), ['x', '**a**']);
});

test('only so much of a text is converted, and only so many wait', async (t) => {
  const made = converter(t, { htmlCharacters: 8, queue: 1 });
  assert.deepEqual(await made.convert(['<b>abcdefgh</b>']), ['**abcde**']);
  const running = made.convert(['1']);
  const waiting = made.convert(['2']);
  await assert.rejects(made.convert(['3']), { code: 'rate_limited_local' });
  assert.deepEqual(await Promise.all([running, waiting]), [['1'], ['2']]);
});

test('after close texts come back without their tags', async (t) => {
  const made = converter(t);
  await made.convert(['<i>start</i>']);
  const running = made.convert([`${hostile}<b>a</b>`]);
  const waiting = made.convert(['<b>c</b>']);
  await made.close();
  assert.deepEqual(await running, ['a']);
  assert.deepEqual(await waiting, ['c']);
  assert.deepEqual(await made.convert(['<b>d</b>']), ['d']);
});

test('a call does not wait for a conversion beyond its deadline', async (t) => {
  const upstream = await startUpstream(t, (out) => sendJson(out, { text: hostile }));
  const { failure } = caller(t, upstream.url, {
    tool: { response: { markdown: [['text']] }, timeoutMs: 100 },
  });
  assert.equal((await failure()).code, 'upstream_timeout');
});
