import { isObject, type JsonSchema } from '#contract/json';
import type { ToolDefinition } from '#contract/tool';
import { oncePerObject } from '../schema/once/once-per-object.ts';
import { hiddenIn } from './clean-text.ts';
import { instructionIn } from './instruction-text.ts';
import { oncePerText } from './once-per-text.ts';

/** Something in a definition that clients show to models, and that is wrong. */
export interface TextProblem {
  readonly code: 'P027' | 'P037';
  /** The argument in which it stands; absent where it stands in none. */
  readonly argument?: string;
  readonly message: string;
}

/** Keywords whose strings the caller sends or gets as they are: they cannot be cleaned. */
const valueKeywords = new Set(['enum', 'const', 'default', 'examples', 'title']);

type Published = Pick<ToolDefinition, 'name' | 'title' | 'description' | 'input' | 'output'>;

/** Find what hides in a definition, and orders in its values, and in its descriptions where those were not looked at. */
export function textProblems(
  { name, title, description, input, output }: Published,
  also?: 'descriptions',
): TextProblem[] {
  const keywords = also ? new Set([...valueKeywords, 'description']) : valueKeywords;
  const { properties, ...rest } = also ? input : withoutClean(input);
  const members = isObject(properties) ? Object.entries(properties) : [];
  const found = [{ title, description }, rest, output].flatMap((part) =>
    problemsIn(part, name, keywords),
  );
  for (const [argument, schema] of members) {
    const own = problemsIn(
      { properties: { [argument]: schema } },
      `argument "${argument}" of ${name}`,
      keywords,
    );
    found.push(...own.map((problem) => ({ ...problem, argument })));
  }
  return found;
}

/**
 * The schema without those of its definitions that are clean: they are those of many tools, and are
 * looked at once. Those that are called like a keyword of values hold values.
 */
function withoutClean(input: JsonSchema): JsonSchema {
  const { $defs } = input;
  if (!isObject($defs)) return input;
  const rest = Object.entries($defs).filter(
    ([name, definition]) =>
      valueKeywords.has(name) ||
      !isCleanName(name) ||
      !isObject(definition) ||
      !isClean(definition),
  );
  return { ...input, $defs: Object.fromEntries(rest) };
}

/** `U+200B, which nobody sees, in "od?d"`; nothing where all of a text is seen. */
export function hiddenNote(text: string): string | undefined {
  const [hidden] = hiddenIn(text);
  if (hidden === undefined) return undefined;
  const shown = JSON.stringify(text.slice(0, 40)).replace(/[^ -~]/g, '?');
  return `${hidden.what}, which nobody sees, in ${shown}`;
}

/** The same words and texts stand in the schemas of many tools: each is looked at once. */
const hiddenOf = oncePerText(hiddenNote);

const isClean = oncePerObject(
  (definition: JsonSchema) => problemsIn(definition, '', valueKeywords).length === 0,
);

const isCleanName = oncePerText(
  (name) => problemsIn({ [name]: true }, '', valueKeywords).length === 0,
);

/** @param ordering keywords whose strings are values */
function problemsIn(part: unknown, where: string, ordering: ReadonlySet<string>): TextProblem[] {
  const problems = new Map<string, TextProblem>();
  const note = (text: string, isValue: boolean) => {
    const hidden = hiddenOf(text);
    const order = isValue ? instructionIn(text) : undefined;
    if (hidden) add('P037', `${where} holds ${hidden}`);
    if (order)
      add(
        'P027',
        `a value in ${where} reads like an instruction to the model: ${JSON.stringify(order)}`,
      );
  };
  const add = (code: TextProblem['code'], message: string) =>
    problems.set(message, { code, message });
  const visit = (value: unknown, isValue: boolean): void => {
    if (typeof value === 'string') note(value, isValue);
    else if (Array.isArray(value)) for (const member of value) visit(member, isValue);
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        note(key, true);
        visit(member, isValue || ordering.has(key));
      }
    }
  };
  visit(part, false);
  return [...problems.values()];
}
