import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonSchema } from '#contract/json';
import type { Tool } from '#contract/tool';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { answersTo, elicitation, sampling, textOf } from './answers.ts';

// Tools of the scenarios of 2025-11-25, where the server sends the client requests of its own.

/** How long a stream of a session stays open in this leg. */
export const streamSeconds = 1;

const oneText = (name: string): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
  additionalProperties: false,
});

const samples = toolOf(
  { name: 'test_sampling', input: oneText('prompt') },
  async ({ prompt }, context) => {
    const { answer } = answersTo({ answer: sampling(String(prompt), 100) }, context);
    return { content: [{ type: 'text', text: `LLM response: ${textOf(answer)}` }] };
  },
);

/** A tool that gives back what the user filled in. */
function eliciting(name: string, message: string | undefined, schema: JsonSchema): Tool {
  const input = message === undefined ? { input: oneText('message') } : {};
  return toolOf({ name, ...input }, async (args, context) => {
    const question = elicitation(message ?? String(args['message']), schema);
    const { answer } = answersTo({ answer: question }, context);
    const text = `User response: ${JSON.stringify(answer)}`;
    return { content: [{ type: 'text', text }] };
  });
}

const person: JsonSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

/** SEP-1034: a default for every kind of field. */
const defaults: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  required: [],
};

const options = ['option1', 'option2', 'option3'];

function titled(titles: readonly string[]): readonly object[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}

/** SEP-1330: every kind of choice. */
const choices: JsonSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: {
      type: 'string',
      oneOf: titled(['First Option', 'Second Option', 'Third Option']),
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: {
      type: 'array',
      items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) },
    },
  },
  required: [],
};

/** Ends in the middle of the second stream, so the client has to come back once (SEP-1699). */
const outlasting = toolOf({ name: 'test_reconnection' }, async (_args, { signal }) => {
  await sleep(1.5 * streamSeconds * 1000, undefined, { signal });
  return { content: [{ type: 'text', text: 'Reconnection test completed successfully' }] };
});

export const sessionTools: readonly Tool[] = [
  samples,
  outlasting,
  eliciting('test_elicitation', undefined, person),
  eliciting('test_elicitation_sep1034_defaults', 'Check these values', defaults),
  eliciting('test_elicitation_sep1330_enums', 'Choose', choices),
];
