import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { wholeInput } from '../../../../runtime/outbound/request/whole-input.ts';

const name = 'things_create';
const kept = { definitions: { Id: { type: 'integer' } }, inputs: { [name]: { type: 'object' } } };

for (const [what, text, expected] of [
  ['is missing', undefined, /ENOENT/],
  ['is broken', '{"definitions":', /JSON/],
  ['holds something else', '[]', /null or undefined|not iterable|undefined/],
  [
    'is that of another build',
    JSON.stringify({ ...kept, inputs: {} }),
    /does not hold things_create/,
  ],
] as const) {
  test(`a call is not made where the file of its whole schema ${what}, and the error says what to do`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'whole-input-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'whole-inputs.json');
    if (text !== undefined) writeFileSync(file, text);
    await assert.rejects(wholeInput({ name, wholeInputs: pathToFileURL(file) }), (error: Error) => {
      assert.match(error.message, expected);
      assert.ok(error.message.startsWith(`${file} is not what the generator has written (`));
      assert.match(error.message, /run npm run generate/);
      return true;
    });
  });
}

test('the whole schema of a tool holds the definitions of its vendor', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-input-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'whole-inputs.json');
  writeFileSync(file, JSON.stringify(kept));
  assert.deepEqual(await wholeInput({ name, wholeInputs: pathToFileURL(file) }), {
    type: 'object',
    $defs: { Id: { type: 'integer' } },
  });
  assert.equal(await wholeInput({ name }), undefined);
});
