import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '#contract/errors';
import type { Tool, ToolResult } from '#contract/tool';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { answersTo, fieldOf, form } from './answers.ts';

// Tools of the Tasks extension's scenarios (SEP-2663).

const said = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const text = { type: 'string' };

const greet = toolOf(
  { name: 'greet', input: { type: 'object', properties: { name: text }, required: ['name'] } },
  async ({ name }) => said(`Hello, ${name}!`),
);

const slow = toolOf(
  {
    name: 'slow_compute',
    task: 'optional',
    input: {
      type: 'object',
      properties: { seconds: { type: 'number', minimum: 0, maximum: 120 }, label: text },
      required: ['seconds'],
    },
  },
  async ({ seconds, label }, { signal }) => {
    await sleep(Number(seconds) * 1000, undefined, { signal });
    return said(`${label ?? 'computation'} took ${seconds} seconds`);
  },
);

const failing = toolOf({ name: 'failing_job', task: 'required' }, async () => {
  throw new ToolError('upstream_error', 'this job always fails');
});

/** Fails outside of what a tool may fail with, which is an error of the protocol. */
const broken = toolOf({ name: 'protocol_error_job', task: 'required' }, async () => {
  throw new Error('this job breaks');
});

const confirming = toolOf(
  {
    name: 'confirm_delete',
    task: 'optional',
    input: { type: 'object', properties: { filename: text }, required: ['filename'] },
  },
  async ({ filename }, context) => {
    const question = form(`Delete ${filename}?`, 'confirm', 'boolean');
    const { confirm } = answersTo({ confirm: question }, context);
    const isWanted = fieldOf(confirm, 'confirm') === 'true';
    return said(`${filename} was ${isWanted ? 'deleted' : 'kept'}`);
  },
);

const askingTwo = toolOf({ name: 'multi_input', task: 'optional' }, async (_args, context) => {
  const questions = {
    name: form('What is your name?', 'name'),
    confirm: form('Go on?', 'confirm', 'boolean'),
  };
  const given = answersTo(questions, context);
  return said(`${fieldOf(given['name'], 'name')}: ${fieldOf(given['confirm'], 'confirm')}`);
});

/** Asks before a task is made of it, and speaks of the answer inside the task. */
const asksFirst: Tool = {
  ...toolOf({ name: 'test_tool_with_task', task: 'required' }, async (_args, { answers }) =>
    said(`Hello, ${fieldOf(answers.responses['user_name'], 'name')}!`),
  ),
  async ask(_args, context) {
    answersTo({ user_name: form('What is your name?', 'name') }, context);
  },
};

export const taskTools: readonly Tool[] = [
  greet,
  slow,
  failing,
  broken,
  confirming,
  askingTwo,
  asksFirst,
];
