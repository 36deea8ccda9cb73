import { createInterface } from 'node:readline/promises';
import { type ClientFacts, type InputRequests, InputRequired } from '#contract/client';
import type { JsonObject } from '#contract/json';
import type { Call } from '../admission/call.ts';

/** Where a person can be asked, and how that is told. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** A command line is a client that asks whoever sits at its terminal. */
export function clientAt(terminal: Terminal | undefined): ClientFacts {
  return { capabilities: terminal ? { elicitation: { form: {} } } : {} };
}

/** Run `work`, and run it again once the person at the terminal has said yes or no to it. */
export async function withApproval<Result>(
  call: Call,
  terminal: Terminal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!terminal || !(error instanceof InputRequired) || !error.approval) throw error;
    const { requests, approval } = error;
    const responses = await askAt(terminal, requests);
    if (!responses) throw error;
    call.answers = { responses, round: 1, approval };
    return work();
  }
}

/** What the person at the terminal says to each request; nothing where one is no form. */
export async function askAt(
  terminal: Terminal,
  requests: InputRequests,
): Promise<Record<string, JsonObject> | undefined> {
  const responses: Record<string, JsonObject> = {};
  for (const [key, { method, params }] of Object.entries(requests)) {
    if (method !== 'elicitation/create') return undefined;
    const approve = await saysYes(terminal, params.message);
    responses[key] = { action: 'accept', content: { approve } };
  }
  return responses;
}

async function saysYes({ input, output }: Terminal, message: string): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    const answer = await lines.question(`${message}\nType yes to go on: `);
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}
