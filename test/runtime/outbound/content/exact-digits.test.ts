import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { relaxed } from '#contract/schema/relaxed';
import { resultText } from '#contract/text/tool-result';
import type { ToolResult } from '#contract/tool';
import { caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import { answered } from './answered.ts';

// A double keeps 15 digits (IEEE 754), and prices of tokens, amounts and places have more.

const price = '0.1234567890123456789';
const sum = '12345678901234567.89';
const hint = '2 numbers of the answer have more digits than most programs keep, all in the text';

function textIn({ content: [block] }: ToolResult): string {
  return block?.type === 'text' ? block.text : '';
}

suite('fractions keep their digits in the text and on the wire', () => {
  for (const size of ['small', 'large'] as const) {
    test(`of a ${size} answer`, async (t) => {
      const filler = size === 'large' ? `,"filler":"${'x'.repeat(80_000)}"` : '';
      const body = `{"price":${price},"sum":-${sum},"half":0.5,"same":"${price}"${filler}}`;
      const { call } = await answered(t, { body });
      const result = await call();
      for (const text of [textIn(result), resultText(result)]) {
        assert.ok(text.includes(`"price":${price},"sum":-${sum},"half":0.5,"same":`), text);
      }
      const { price: read, hint: said } = result.structuredContent as Record<string, unknown>;
      assert.equal(read, Number(price));
      assert.equal(said, hint);
    });

    test(`of a ${size} list, whose pages keep to their size`, async (t) => {
      const count = size === 'large' ? 20_000 : 1000;
      const numbers = Array.from(
        { length: count },
        (_, at) => `0.1234${at + 100_000}1234567890123456`,
      );
      const { call } = await answered(t, { body: `[${numbers.join()}]` });
      const text = textIn(await call());
      assert.ok(text.includes(`[${numbers.slice(0, 300).join()},`));
      assert.ok(text.length <= 32_768, `${text.length} characters`);
    });
  }

  test('of what an output schema calls a number, which stays one', async (t) => {
    const { url } = await startUpstream(t, (response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"price":${price},"id":"x"}`);
    });
    const output = relaxed({ price: 'number', id: 'integer' });
    const { call } = caller(t, url, { tool: { output } });
    const result = await call();
    assert.match(textIn(result), /"price":0\.1234567890123456789,/);
    assert.equal((result.structuredContent as { price: number }).price, Number(price));
  });

  for (const size of ['small', 'large'] as const) {
    test(`beside a credential that is masked, in a ${size} answer`, async (t) => {
      const filler = size === 'large' ? 'x'.repeat(80_000) : '';
      const { url } = await startUpstream(t, (response, { headers }) => {
        const sent = JSON.stringify(headers.authorization);
        const body = `{"price":${price},"sent":${sent},"filler":"${filler}"}`;
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      const { call } = caller(t, url, {
        provider: { auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] },
        options: { env: { ACME_TOKEN: 'acme_0123456789_abcdef' } },
      });
      const text = textIn(await call());
      assert.match(text, /"price":0\.1234567890123456789,/);
      assert.match(text, /\[redacted\]/);
    });
  }

  test('of the events of a stream', async (t) => {
    const body = `data: {"price":${price}}\n\ndata: it's ${price} "\n\ndata: ${sum}\n\n`;
    const { call } = await answered(t, { type: 'text/event-stream', body });
    const text = textIn(await call());
    assert.ok(text.includes(`{"price":${price}}`) && text.includes(`"data":${sum}`), text);
  });
});

test('an answer whose numbers are all kept is said nothing about', async (t) => {
  const numbers = [0.1 + 0.2, 1 / 3, -1e-7 / 3, 5e-324, 1.7976931348623157e308, 1e21];
  const { data } = await answered(t, { body: JSON.stringify({ numbers }) });
  assert.deepEqual(await data(), { numbers });
});
