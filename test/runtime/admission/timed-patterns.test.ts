import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { createSchemaCompiler } from '../../../runtime/admission/steps/schema-compiler.ts';
import { createValidation } from '../../../runtime/admission/steps/validate.ts';
import { OutputCheck } from '../../../runtime/outbound/answer/output-check.ts';

/** What is said of a text that has to match a pattern. */
async function said(pattern: string, text: string) {
  const input: JsonSchema = { type: 'object', properties: { text: { type: 'string', pattern } } };
  const operation = { name: 'find', input } as unknown as Parameters<
    ReturnType<typeof createValidation>
  >[0];
  const run = createValidation()(operation, async () => 'ran');
  try {
    return await run({ text }, {} as never);
  } catch (error) {
    return (error as Error).message;
  }
}

// Each takes a power of the length that no machine comes to the end of.
for (const pattern of [
  '^[a-z]+[a-z0-9]*[a-z]*[a-z]*@',
  '^(?=.*a.*a.*a.*a.*a.*b)',
  '(.*)(.*)(.*)(.*)(.*)x$',
]) {
  test(`a text that ${pattern} would never be done with is refused`, async () => {
    const message = await said(pattern, 'a'.repeat(20_000));
    assert.match(message, /a text in them is too long for the pattern that it has to match/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await said(pattern, 'aaaaaa@b aaaaaabx'), 'ran');
  });
}

test('a long text is held to its pattern as a short one is', async () => {
  const address = `https://example.com/${'a-b.c/'.repeat(2_000)}?q=1`;
  const pattern = '^https?://[^/]+/[^?]*\\?[a-z]+=[0-9]+$';
  assert.equal(await said(pattern, address), 'ran');
  assert.match(await said(pattern, `${address}x`), /must match the regular expression/);
});

test('an answer whose pattern takes too long does not fit, and is no failure', () => {
  const text = { type: 'string', pattern: '^a*a*a*a*b' };
  const compiler = createSchemaCompiler({ allErrors: true });
  const check = new OutputCheck({ type: 'object', properties: { text } }, compiler);
  assert.notEqual(check.held({ text: 'a'.repeat(20_000) }).misfit, undefined);
});
