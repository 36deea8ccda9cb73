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
