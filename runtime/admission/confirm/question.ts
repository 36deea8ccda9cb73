import { ToolError } from '#contract/errors';
import type { EarlierAct, Question } from '#contract/house/approval';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import { shownValue, TooLong } from './shown-value.ts';
import { visibleLine, visibleString } from './visible-text.ts';

/** What one page shows of the arguments of a call, in characters. */
export const mostShown = 65_536;
const longestDescription = 2000;
/** Titles mostly are; what could be Markdown stands in the block. */
const plainTitle = /^[\p{L}\p{N}][\p{L}\p{N} ,;:'-]*$/u;
const plainName = /^[\w.-]{1,64}$/;

/**
 * Say what a call will do, with every argument whole; whoever wrote them gets no say in how that
 * looks.
 *
 * @throws ToolError `invalid_arguments` where that is more than a person can be shown
 */
export function questionOf(
  { name, title, description, input }: Operation,
  args: Readonly<Record<string, unknown>>,
): Question {
  const declared = isObject(input?.['properties']) ? input['properties'] : {};
  let left = mostShown;
  const shown = Object.entries(args).map(([argument, value]) => {
    const label = plainName.test(argument) ? argument : `"${visibleString(argument)}"`;
    const text = argumentText(name, argument, value, Object.hasOwn(declared, argument), left);
    left -= label.length + text.length;
    if (left < 0) throw tooLong(name);
    return { name: label, value: text };
  });
  return {
    ...(title !== undefined && { title: visibleLine(title, longestDescription) }),
    ...(description !== undefined && {
      description: visibleLine(description, longestDescription),
    }),
    arguments: shown,
  };
}

function argumentText(
  tool: string,
  name: string,
  value: unknown,
  isDeclared: boolean,
  most: number,
) {
  try {
    return shownValue(name, value, isDeclared, most);
  } catch (error) {
    throw error instanceof TooLong ? tooLong(tool) : error;
  }
}

function tooLong(tool: string): ToolError {
  const message = `${tool} is done only after all of its arguments were shown to whoever confirms it, which are at most ${mostShown} characters; split this call into smaller ones`;
  return new ToolError('invalid_arguments', message, { retryable: false });
}

/**
 * A question as plain text, for forms and terminals. What others wrote stands in a block of code:
 * where a client takes the text for Markdown, nothing in it is a link, a picture or a heading.
 */
export function questionText(name: string, question: Question, earlier?: EarlierAct): string {
  const { title, description, arguments: shown } = question;
  const isPlain = title !== undefined && plainTitle.test(title);
  const lines = [
    ...(title === undefined || isPlain ? [] : [title]),
    ...(description === undefined ? [] : [description]),
    ...(earlier ? [earlierText(earlier)] : []),
    shown.length > 0 ? 'It is called with:' : 'It is called without arguments.',
    ...shown.map((argument) => `- ${argument.name}: ${argument.value.replaceAll('\n', '\n  ')}`),
  ];
  return [
    isPlain ? `Run "${title}" (${name})?` : `Run ${name}?`,
    '```',
    ...lines.map(withoutFences),
    '```',
  ].join('\n');
}

/** Three of them end the block for a client that does not look where they stand. */
function withoutFences(line: string): string {
  return line.replaceAll('```', '‹3 backticks›');
}

/** Say what came of the same call when it was approved before. */
export function earlierText({ state, at, answer }: EarlierAct): string {
  const when = new Date(at).toISOString();
  switch (state) {
    case 'running':
      return `ATTENTION: the very same call ran before. It began at ${when} and has not told its end: it may have taken effect.`;
    case 'failed':
      return `ATTENTION: the very same call ran before. It began at ${when} and failed: "${answer}". It may have taken effect all the same.`;
    case 'done':
      return `ATTENTION: the very same call ran before, and was done: it began at ${when}. This does it once more.`;
  }
}
