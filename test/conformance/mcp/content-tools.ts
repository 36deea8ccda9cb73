import { setTimeout as sleep } from 'node:timers/promises';
import { MissingCapability } from '#contract/client';
import { ToolError } from '#contract/errors';
import type { ContentBlock, Tool } from '#contract/tool';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { png, wav } from './samples.ts';

// Tools that give back what a scenario wants to see.

const pauseMs = 50;

function giving(name: string, ...content: readonly ContentBlock[]): Tool {
  return toolOf({ name }, async () => ({ content }));
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' };

/** A tool that says in three log messages how far it has come. */
function logging(name: string): Tool {
  return toolOf({ name }, async (_args, { log }) => {
    log?.('info', 'Tool execution started');
    await sleep(pauseMs);
    log?.('info', 'Tool processing data');
    await sleep(pauseMs);
    log?.('info', 'Tool execution completed');
    return { content: [text('Tool with logging executed successfully')] };
  });
}

const withProgress = toolOf({ name: 'test_tool_with_progress' }, async (_args, { progress }) => {
  progress?.(0, 100);
  await sleep(pauseMs);
  progress?.(50, 100);
  await sleep(pauseMs);
  progress?.(100, 100);
  return { content: [text('Tool with progress executed successfully')] };
});

const failing = toolOf({ name: 'test_error_handling' }, async () => {
  throw new ToolError('upstream_error', 'This tool intentionally returns an error for testing');
});

const needsSampling = toolOf({ name: 'test_missing_capability' }, async (_args, { client }) => {
  if (!client.capabilities.sampling) throw new MissingCapability({ sampling: {} });
  return { content: [text('The client can sample')] };
});

const schema2020 = toolOf(
  {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  async ({ name }) => ({ content: [text(`Hello, ${name ?? 'nobody'}!`)] }),
);

/** Mirrors three of its arguments in headers (MCP 2026-07-28, custom headers). */
const mirrored = toolOf(
  {
    name: 'test_custom_headers',
    input: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        shard: { type: 'integer', 'x-mcp-header': 'Shard' },
        urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
        note: { type: 'string' },
      },
      additionalProperties: false,
    },
  },
  async (args) => ({ content: [text(JSON.stringify(args))] }),
);

export const contentTools: readonly Tool[] = [
  giving('test_simple_text', text('This is a simple text response for testing.')),
  giving('test_image_content', image),
  giving('test_audio_content', { type: 'audio', data: wav, mimeType: 'audio/wav' }),
  giving('test_embedded_resource', {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  }),
  giving('test_multiple_content_types', text('Multiple content types test:'), image, {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    },
  }),
  logging('test_tool_with_logging'),
  logging('test_logging_tool'),
  withProgress,
  failing,
  needsSampling,
  schema2020,
  mirrored,
];
