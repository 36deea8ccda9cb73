import assert from 'node:assert/strict';
import test from 'node:test';
import { createSchemaCompiler } from '../../../runtime/admission/steps/schema-compiler.ts';

test('a schema is compiled once in a process, for each kind of compiler', () => {
  const schema = { type: 'object', required: ['a', 'b'], $id: 'urn:one' };
  const [first, again, all] = [false, false, true].map((allErrors) =>
    createSchemaCompiler({ allErrors }).compile(schema),
  );
  assert.equal(first, again);
  assert.notEqual(first, all);
  assert.equal(first?.({}), false);
  assert.equal(first?.errors?.length, 1);
  assert.equal(all?.({}), false);
  assert.equal(all?.errors?.length, 2);
});

for (const allErrors of [false, true]) {
  test(`what is no schema is refused, allErrors ${allErrors}`, () => {
    const { compile } = createSchemaCompiler({ allErrors });
    for (const wrong of [
      { type: 'whole' },
      { required: 'name' },
      { properties: { size: { minimum: '1' } } },
      { $defs: { name: { enum: 'a' } } },
      { required: ['a', 'a'] },
      { anyOf: [] },
    ]) {
      assert.throws(() => compile(wrong), /schema is invalid: data\//, JSON.stringify(wrong));
    }
    assert.throws(() => compile({ pattern: '(' }), 'a pattern that is none');
    assert.ok(compile({ properties: { size: { minimum: 1 } } })({ size: 1 }));
  });
}
