import { type InputRequests, InputRequired, lackedFor } from '#contract/client';
import { isObject } from '#contract/json';
import type { Tool, ToolResult } from '#contract/tool';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { answersTo, fieldOf, form, roots, sampling, textOf } from './answers.ts';

// Tools that ask the client before they answer (MCP 2026-07-28, multi round-trip requests).

const said = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });

const name = form('What is your name?', 'name');
const confirmation = form('Please confirm', 'ok', 'boolean');
const prefix = 'test_input_required_result_';

const elicits = toolOf({ name: `${prefix}elicitation` }, async (_args, context) => {
  const { user_name } = answersTo({ user_name: name }, context);
  return said(`Hello, ${fieldOf(user_name, 'name')}!`);
});

const samples = toolOf({ name: `${prefix}sampling` }, async (_args, context) => {
  const question = sampling('What is the capital of France?', 100);
  const { capital_question } = answersTo({ capital_question: question }, context);
  return said(textOf(capital_question));
});

const listsRoots = toolOf({ name: `${prefix}list_roots` }, async (_args, context) => {
  const { client_roots } = answersTo({ client_roots: roots }, context);
  return said(JSON.stringify(client_roots?.['roots']));
});

/** Remembers something between the two turns, and says whether it came back. */
function remembering(suffix: string): Tool {
  return toolOf({ name: prefix + suffix }, async (_args, context) => {
    answersTo({ confirm: confirmation }, context, { step: 1 });
    const { state } = context.answers;
    const isBack = isObject(state) && state['step'] === 1;
    return said(isBack ? 'state-ok' : 'there is no state');
  });
}

const asksThree = toolOf({ name: `${prefix}multiple_inputs` }, async (_args, context) => {
  const greeting = sampling('Generate a greeting', 50);
  const requests = { user_name: name, greeting, client_roots: roots };
  const given = answersTo(requests, context, { asked: Object.keys(requests) });
  return said(`${textOf(given['greeting'])} ${fieldOf(given['user_name'], 'name')}`);
});

const asksTwice = toolOf({ name: `${prefix}multi_round` }, async (_args, context) => {
  const { state } = context.answers;
  if (!isObject(state)) {
    const first = { step1: form('Step 1: What is your name?', 'name') };
    const { step1 } = answersTo(first, context, { name: null });
    return said(fieldOf(step1, 'name'));
  }
  const second = { step2: form('Step 2: What is your favorite color?', 'color') };
  const known = state['name'] ?? fieldOf(context.answers.responses['step1'], 'name');
  const { step2 } = answersTo(second, context, { name: known });
  return said(`${known} likes ${fieldOf(step2, 'color')}`);
});

const asksWhatItMay = toolOf({ name: `${prefix}capabilities` }, async (_args, context) => {
  const wanted: InputRequests = {
    user_name: name,
    greeting: sampling('Generate a greeting', 50),
    client_roots: roots,
  };
  const possible = Object.entries(wanted).filter(
    ([, request]) => lackedFor(request, context.client.capabilities) === undefined,
  );
  const given = answersTo(Object.fromEntries(possible), context);
  return said(`${Object.keys(given).length} answers`);
});

const streams = toolOf({ name: 'test_streaming_elicitation' }, async (_args, context) => {
  context.log?.('info', 'about to ask');
  if (context.answers.responses['user_name']) return said('thank you');
  throw new InputRequired({ user_name: name });
});

export const askingTools: readonly Tool[] = [
  elicits,
  samples,
  listsRoots,
  remembering('request_state'),
  remembering('tampered_state'),
  asksThree,
  asksTwice,
  asksWhatItMay,
  streams,
];
