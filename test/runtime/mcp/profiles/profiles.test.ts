import assert from 'node:assert/strict';
import test from 'node:test';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { ToolError } from '#contract/errors';
import type { JsonSchema } from '#contract/json';
import { type SchemaProfile, schemaProfiles } from '#contract/schema-profile';
import type { ToolDefinition } from '#contract/tool';
import { createSchemaCompiler } from '../../../../runtime/admission/steps/schema-compiler.ts';
import { schemaForm } from '../../../../runtime/mcp/profiles/schema-form.ts';
import { objectToolListing, toolListing } from '../../../../runtime/mcp/profiles/tool-listing.ts';
import { everyTool } from './every-tool.ts';
import { nastySchemas } from './nasty-schemas.ts';
import { checkRules } from './profile-rules.ts';
import { valuesOf } from './schema-values.ts';
import { writtenAs } from './written-values.ts';

const others = schemaProfiles.filter((profile) => profile !== 'exact');
const compiler = createSchemaCompiler({ allErrors: false });
const known = new Map<string, ReturnType<typeof compiler.compile>>();
const tools = await everyTool();

test('every tool has a name and schemas that each client takes (MCP 2026-07-28, tools)', () => {
  assert.ok(tools.length > 180);
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z][a-z0-9_]{2,47}$/);
    for (const profile of others) checkTool(tool, profile);
  }
});

for (const tool of tools) {
  test(`arguments of ${tool.name} survive every form of its schema`, () => roundTrips(tool, 10));
}

for (const [name, input] of Object.entries(nastySchemas)) {
  test(`a schema that is hard for clients: ${name}`, () => {
    const tool = toolWith(input);
    for (const profile of others) checkTool(tool, profile);
    roundTrips(tool, 150);
  });
}

test('a schema within itself is shown three times, and takes what lies deeper', () => {
  const node = {
    type: 'object',
    properties: { t: { $ref: '#/$defs/N' } },
    additionalProperties: false,
  };
  const tool = toolWith({ ...node, $defs: { N: node } } as JsonSchema);
  const deep = JSON.parse(`${'{"t":'.repeat(8)}{}${'}'.repeat(8)}`);
  for (const profile of others) {
    const { input } = schemaForm(tool, profile);
    // Three of them stand inside of each other, or in `$defs`; what is cut off says so.
    const shown = JSON.stringify(input).match(/"properties":\{"t":/g) ?? [];
    assert.equal(shown.length, 1 + 3, profile);
    if (profile !== 'openai-strict') assert.ok(compiled(input)(deep));
  }
});

test('a schema within itself is shown with its words once', () => {
  const properties = {
    name: { type: 'string', description: 'What the folder is called' },
    folders: { type: 'array', items: { $ref: '#/$defs/Folder' }, description: 'What lies in it' },
  };
  const $defs = { Folder: { type: 'object', properties, description: 'A folder' } };
  const tool = toolWith({ type: 'object', properties: { top: { $ref: '#/$defs/Folder' } }, $defs });
  for (const profile of ['anthropic', 'sdk-v1'] as const) {
    const shown = JSON.stringify(schemaForm(tool, profile).input);
    for (const words of ['What the folder is called', 'What lies in it', 'A folder']) {
      assert.equal(shown.split(words).length, 2, `${profile}: ${words}`);
    }
    assert.equal(shown.split('"name":{').length, 1 + 3, profile);
    assert.match(shown, /Nested further, in the form of Folder/);
  }
});

test('alternatives that forbid a property say nothing of its values in a form without them', () => {
  const tool = toolWith({
    type: 'object',
    properties: { meow: { type: 'integer' }, bark: { type: 'boolean' }, tag: {} },
    oneOf: [
      { required: ['meow'], properties: { bark: false, tag: { type: 'string' } } },
      { required: ['bark'], properties: { meow: false, tag: { type: 'number' } } },
    ],
  });
  assert.deepEqual(schemaForm(tool, 'anthropic').input['properties'], {
    meow: { type: 'integer' },
    bark: { type: 'boolean' },
    tag: { type: ['string', 'number'] },
  });
});

test('what is cut off below a refusal or a choice refuses nothing that is right', () => {
  const refusing = {
    type: 'object',
    properties: { t: { $ref: '#/$defs/N' }, bad: {} },
    not: { required: ['bad'], properties: { bad: { $ref: '#/$defs/N' } } },
  };
  const choosing = {
    oneOf: [
      { type: 'array', items: { $ref: '#/$defs/N' } },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
  };
  const depths = [1, 2, 3, 4, 5, 6];
  const right = [
    ...depths.map((depth) => [refusing, `${'{"t":'.repeat(depth)}{"bad":5}${'}'.repeat(depth)}`]),
    ...depths.map((depth) => [choosing, `${'['.repeat(depth)}"a"${']'.repeat(depth)}`]),
  ] as const;
  for (const [definition, text] of right) {
    const properties = { n: { $ref: '#/$defs/N' } };
    const tool = toolWith({ type: 'object', properties, $defs: { N: definition } });
    const value = { n: JSON.parse(String(text)) };
    assert.ok(compiled(tool.input)(value), 'the exact schema takes it');
    for (const profile of ['anthropic', 'sdk-v1'] as const) {
      assert.ok(compiled(schemaForm(tool, profile).input)(value), `${profile} ${text}`);
    }
  }
});

/** The validator of a schema; many forms of the same tool are alike. */
function compiled(schema: JsonSchema) {
  const text = JSON.stringify(schema);
  const validator = known.get(text) ?? compiler.compile(schema);
  known.set(text, validator);
  return validator;
}

function toolWith(input: JsonSchema): ToolDefinition {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return {
    name: 'nasty_tool',
    description: 'Nasty',
    annotations,
    access: 'public',
    input,
    output: input,
  };
}

function checkTool(tool: ToolDefinition, profile: SchemaProfile): void {
  const { input, output } = schemaForm(tool, profile);
  checkRules(profile, input, tool.input);
  compiled(input);
  if (output) {
    assert.equal(output['type'], 'object');
    compiled(output);
  }
  for (const listing of [toolListing, objectToolListing]) {
    const entry = JSON.parse(listing(tool, profile));
    const { error } = ListToolsResultSchema.safeParse({ tools: [entry] });
    assert.equal(error, undefined, `${tool.name} ${profile}`);
  }
}

/** What the exact schema takes can be written in each form, and what is written is read or refused. */
function roundTrips(tool: ToolDefinition, numRuns: number): void {
  const exact = compiled(resolvable(tool.input));
  const { input: strict, written } = schemaForm(tool, 'openai-strict');
  const validators = new Map(
    others.map((profile) => [profile, compiled(schemaForm(tool, profile).input)]),
  );
  const read = (args: unknown) => (written ? written.read(args as Record<string, unknown>) : args);
  fc.assert(
    fc.property(valuesOf(tool.input), (value) => {
      fc.pre(exact(value));
      for (const profile of ['anthropic', 'sdk-v1'] as const) {
        assert.ok(
          validators.get(profile)?.(value),
          explained(profile, value, validators.get(profile)?.errors),
        );
      }
      const form = writtenAs(strict, value);
      const takes = validators.get('openai-strict');
      assert.ok(takes?.(form), explained('openai-strict', form, takes?.errors));
      assert.equal(JSON.stringify(sorted(read(form))), JSON.stringify(sorted(value)));
    }),
    { numRuns },
  );
  fc.assert(
    fc.property(valuesOf(strict), (form) => {
      if (!validators.get('openai-strict')?.(form)) return;
      try {
        exact(read(form));
      } catch (error) {
        assert.ok(error instanceof ToolError, String(error));
      }
    }),
    { numRuns },
  );
}

/** References to nothing take everything, for the exact schema of such a tool cannot be compiled. */
function resolvable(schema: JsonSchema): JsonSchema {
  return JSON.stringify(schema).includes('#/$defs/Gone')
    ? { ...schema, $defs: { Gone: {} } }
    : schema;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, sorted(each)]);
}

function explained(profile: string, value: unknown, errors: unknown): string {
  return `${profile} refuses ${JSON.stringify(value)}: ${JSON.stringify(errors, ['instancePath', 'keyword', 'message'])}`;
}
