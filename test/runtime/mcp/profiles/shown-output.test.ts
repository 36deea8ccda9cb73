import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { relaxed, relaxedPage } from '#contract/schema/relaxed';
import type { SchemaProfile } from '#contract/schema-profile';
import type { ToolDefinition } from '#contract/tool';
import { createSchemaCompiler } from '../../../../runtime/admission/steps/schema-compiler.ts';
import { schemaForm } from '../../../../runtime/mcp/profiles/schema-form.ts';
import { shownShape } from '../../../../runtime/mcp/profiles/shown-output.ts';
import { everyTool } from './every-tool.ts';
import { valuesOf } from './schema-values.ts';

const parcel = { id: 'string', size: { height: 'number', width: 'number' } } as const;
const names = { id: {}, size: { properties: { height: {}, width: {} } } };
const compiler = createSchemaCompiler({ allErrors: false });

test('a result is shown whole where it is short beside the rest of its tool', () => {
  const output = relaxedPage(parcel);
  assert.equal(shownShape(output, 5 * JSON.stringify(output).length), output);
  const short = relaxed({ id: 'string' });
  assert.equal(shownShape(short, 0), short);
});

test('where it is longer, its names are shown, as deep as there is room for', () => {
  const output = relaxedPage({ ...parcel, sender: { name: 'string' } });
  const rest = { next_cursor: {}, truncated: {} };
  const item = { ...names, sender: { properties: { name: {} } } };
  const all = { type: 'object', properties: { items: { items: { properties: item } }, ...rest } };
  assert.deepEqual(shownShape(output, 5 * JSON.stringify(all).length), all);
  const flat = { id: {}, size: {}, sender: {} };
  const two = { type: 'object', properties: { items: { items: { properties: flat } }, ...rest } };
  assert.deepEqual(shownShape(output, 5 * JSON.stringify(two).length), two);
  const one = { type: 'object', properties: { items: {}, ...rest } };
  assert.deepEqual(shownShape(output, 0), one);
  const many = Array.from({ length: 40 }, (_, at) => [`member_${at}`, 'string'] as const);
  assert.deepEqual(shownShape(relaxed(Object.fromEntries(many)), 0), { type: 'object' });
});

test('a result of which more is told than names and types is shown whole', () => {
  const told = { type: ['string', 'null'], description: 'As the label has it, letters and all' };
  const properties = { items: { type: 'array', items: { type: 'object', properties: { told } } } };
  for (const output of [
    { type: 'object', properties },
    { type: 'object', properties: { ...names, told }, required: ['told'] },
  ])
    assert.equal(shownShape(output, 0), output);
});

test('models are shown the short form, programs and inspectors the whole one', () => {
  const output = relaxedPage(parcel);
  const tool: ToolDefinition = {
    ...{ name: 'parcels_list', description: 'List parcels', access: 'public', output },
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: { type: 'object', properties: {} },
  };
  const shownTo = (profile: SchemaProfile) => schemaForm(tool, profile).output;
  for (const profile of ['exact', 'sdk-v1'] as const) assert.equal(shownTo(profile), output);
  for (const profile of ['anthropic', 'openai-strict'] as const) {
    assert.ok(JSON.stringify(shownTo(profile)).length <= 100, profile);
  }
});

test('the short form of every tool takes each result that the whole one takes', async () => {
  let shortened = 0;
  for (const { output } of await everyTool()) {
    if (output?.['type'] !== 'object') continue;
    const shown = shownShape(output, 0);
    if (shown === output) continue;
    shortened++;
    const takes = compiler.compile(shown);
    fc.assert(
      fc.property(valuesOf(output), (value) => takes(value)),
      { numRuns: 5 },
    );
  }
  assert.ok(shortened > 50);
});
