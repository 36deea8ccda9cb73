import assert from 'node:assert/strict';
import test from 'node:test';
import { longDigits, relaxed } from '#contract/schema/relaxed';
import { schemaProfiles } from '#contract/schema-profile';
import type { ToolAnnotations, ToolDefinition } from '#contract/tool';
import { toolListing } from '../../../../runtime/mcp/profiles/tool-listing.ts';

// MCP 2026-07-28, ToolAnnotations: without a hint, a tool writes, destroys, is not idempotent, and is
// open to the world.

const hints = { readOnlyHint: true, openWorldHint: true };

test('which texts are long numbers is told to those alone who want all rules', () => {
  const tool: ToolDefinition = {
    ...{ name: 'test_tool', description: 'Test', access: 'public', annotations: hints },
    input: { type: 'object', properties: {} },
    output: relaxed({ id: 'long', at: { pattern: 'long' } }),
  };
  const type = ['integer', 'string', 'null'];
  for (const profile of schemaProfiles) {
    const { outputSchema } = JSON.parse(toolListing(tool, profile));
    const long = profile === 'exact' ? { type, pattern: longDigits } : { type };
    const { id, at } = outputSchema.properties;
    assert.deepEqual(profile === 'exact' || profile === 'sdk-v1' ? id : long, long, profile);
    assert.deepEqual(Object.keys(at.properties), ['pattern']);
  }
});

const writing = { readOnlyHint: false, destructiveHint: false };

const cases: readonly (readonly [all: ToolAnnotations, told: Partial<ToolAnnotations>])[] = [
  [{ readOnlyHint: true, openWorldHint: true }, { readOnlyHint: true }],
  [
    { readOnlyHint: true, openWorldHint: false },
    { readOnlyHint: true, openWorldHint: false },
  ],
  [{ ...writing, idempotentHint: false, openWorldHint: true }, writing],
  [
    { ...writing, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    { ...writing, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  ],
];

for (const [annotations, told] of cases) {
  test(`the hints ${JSON.stringify(annotations)} are told where their absence means another`, () => {
    const tool: ToolDefinition = {
      ...{ name: 'test_tool', description: 'Test', access: 'public', annotations },
      input: { type: 'object', properties: {} },
    };
    for (const profile of schemaProfiles) {
      const { annotations: shown } = JSON.parse(toolListing(tool, profile));
      assert.deepEqual(shown, profile === 'exact' ? annotations : told, profile);
    }
  });
}
