import assert from 'node:assert/strict';
import test from 'node:test';
import type { ToolError } from '#contract/errors';
import { path } from '#contract/path';
import { dateTime, digitsText, multipart } from '#contract/request';
import type { TypedVendorTool } from '#contract/tool';
import { callContext, testOutbound, testProvider, testTool } from '../harness.ts';

interface Arguments {
  readonly id?: string;
  readonly owner?: { readonly ids: readonly string[] };
  readonly photo?: string;
  readonly since?: string;
}

const request: TypedVendorTool<Arguments>['request'] = ({ id = 'x', owner, photo, since }) => ({
  method: 'POST',
  path: path`/things/${id}`,
  query: { owner: digitsText(owner?.ids), since: dateTime(since) },
  ...(photo !== undefined && { body: multipart({ photo: { base64: photo } }) }),
});

for (const [args, told] of [
  [{ id: '..' }, /- id: a path part must not be empty, "\." or "\.\.", but "\.\." was given$/],
  [{ owner: { ids: ['1', '99999999999999999999'] } }, /- owner\.ids\[1\]: expected the digits/],
  [{ photo: 'no base64!' }, /- photo: the file is not base64$/],
  [{ photo: 'data:image/png;base64,aGk=' }, /- photo: the file is a data URL: give what stands/],
  [{ since: '2026-01-01T10:00' }, /- since: expected a date or a date-time with its zone, such as/],
] as const) {
  test(`what cannot be sent is refused by the name of its argument: ${Object.keys(args)}`, async (t) => {
    const provider = testProvider('http://127.0.0.1:9');
    const tool = testOutbound(t).tool(provider, testTool({ request: request as never }));
    await assert.rejects(tool.call(args, callContext()), ({ code, message }: ToolError) => {
      assert.equal(code, 'invalid_arguments');
      assert.match(message, /^Invalid arguments for acme_things_list:\n/);
      assert.match(message, told);
      return true;
    });
  });
}
