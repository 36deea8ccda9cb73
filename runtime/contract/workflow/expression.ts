import { isObject, type Json } from '../json.ts';
import { decodedSteps, encodedStep } from '../schema/pointer-steps.ts';

/** A runtime expression of Arazzo (1.0.1, runtime expressions), as far as tools can answer it. */
export interface Expression {
  readonly root: 'inputs' | 'steps' | 'outputs' | 'body' | 'statusCode';
  /** The step whose output it is (`steps`). */
  readonly step?: string;
  /** Names and positions below the root, of `steps` with the name of the output first. */
  readonly path: readonly string[];
}

/** What expressions can see while a workflow runs. */
export interface Scope {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What each step that has run gave, by its id. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the step that runs was answered; absent before. */
  readonly response?: { readonly statusCode: number; readonly body: unknown };
}

/** An expression that cannot be read; the message says what was expected. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const segment = /^(?:\.([\w-]+)|\[(\d+)\])/;
/** What begins like an expression; other texts with a dollar are texts. */
const known =
  /^\$(?:inputs|steps|outputs|response|request|statusCode|url|method|message|workflows|sourceDescriptions|components)(?![\w-])/;

/** Whether a text is meant as an expression, whole. */
export function isExpression(text: string): boolean {
  return known.test(text);
}

/**
 * Read one expression: `$inputs.name`, `$steps.id.outputs.name`, `$response.body`, `$outputs.name`,
 * each with `.name`, `[0]` or a JSON pointer (`#/a/0`) behind it, or `$statusCode`.
 *
 * @throws ExpressionError
 */
export function parseExpression(text: string): Expression {
  const [, root = '', rest = ''] = /^\$(\w+)(.*)$/s.exec(text) ?? [];
  switch (root) {
    case 'statusCode':
      if (rest !== '') throw unread(text, 'nothing may stand behind $statusCode');
      return { root, path: [] };
    case 'inputs':
    case 'outputs': {
      const path = pathOf(text, rest);
      if (path.length === 0) throw unread(text, `it must be $${root}.<name>`);
      return { root, path };
    }
    case 'steps': {
      const [, step, behind] = /^\.([\w-]+)\.outputs(.*)$/s.exec(rest) ?? [];
      const path = step === undefined ? [] : pathOf(text, behind ?? '');
      if (step === undefined || path.length === 0)
        throw unread(text, 'it must be $steps.<stepId>.outputs.<name>');
      return { root, step, path };
    }
    case 'response': {
      const [, behind] = /^\.body(.*)$/s.exec(rest) ?? [];
      if (behind === undefined)
        throw unread(text, 'of a response, tools give $response.body alone');
      return { root: 'body', path: pathOf(text, behind) };
    }
    default:
      throw unread(
        text,
        'there are $inputs, $steps, $outputs, $response.body and $statusCode, and no others',
      );
  }
}

function pathOf(text: string, rest: string): readonly string[] {
  const path: string[] = [];
  let left = rest;
  for (let found = segment.exec(left); found; found = segment.exec(left)) {
    path.push(found[1] ?? found[2] ?? '');
    left = left.slice(found[0].length);
  }
  if (left === '' || left === '#') return path;
  if (!left.startsWith('#/')) throw unread(text, `${JSON.stringify(left)} cannot be read`);
  return [...path, ...decodedSteps(left.slice(1))];
}

function unread(text: string, why: string): ExpressionError {
  return new ExpressionError(`the expression ${JSON.stringify(text)} cannot be read: ${why}`);
}

/** The value that an expression stands for; nothing where nothing is. */
export function evaluate({ root, step, path }: Expression, scope: Scope): unknown {
  switch (root) {
    case 'inputs':
      return descend(scope.inputs, path);
    case 'steps':
      return descend(scope.steps[step ?? ''], path);
    case 'outputs':
    case 'body':
      return descend(scope.response?.body, path);
    case 'statusCode':
      return scope.response?.statusCode;
  }
}

function descend(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) current = /^\d+$/.test(step) ? current[Number(step)] : undefined;
    else if (isObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

/** The expressions in a text that is not one itself: `Issue {$inputs.number}`. */
const embedded = /\{(\$[^{}]+)\}/g;

/** The expressions in a value, with the JSON pointers to the texts that hold them. */
export function expressionsIn(
  value: Json,
  pointer = '',
): readonly { readonly text: string; readonly pointer: string; readonly isWhole: boolean }[] {
  if (typeof value === 'string') {
    if (isExpression(value)) return [{ text: value, pointer, isWhole: true }];
    return [...value.matchAll(embedded)].map(([, text = '']) => ({
      text,
      pointer,
      isWhole: false,
    }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    expressionsIn(member, `${pointer}/${encodedStep(name)}`),
  );
}

/**
 * A value with all expressions in it replaced. Members of objects that stand for nothing are left
 * out, as arguments that nobody gives; in a list and in a text they are null and empty.
 */
export function resolveValue(value: Json, scope: Scope): Json | undefined {
  if (typeof value === 'string') {
    if (isExpression(value)) return evaluate(parseExpression(value), scope) as Json | undefined;
    return value.replaceAll(embedded, (_, text: string) =>
      written(evaluate(parseExpression(text), scope)),
    );
  }
  if (Array.isArray(value)) return value.map((member) => resolveValue(member, scope) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const resolved = resolveValue(member as Json, scope);
      // Answers of tools may have null in the place of any member.
      const isNothing = resolved === undefined || (resolved === null && member !== null);
      return isNothing ? [] : [[name, resolved] as const];
    }),
  );
}

function written(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
