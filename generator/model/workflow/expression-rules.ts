import type { Json, JsonSchema } from '#contract/json';
import { didYouMean } from '#contract/nearest-name';
import { expressionsOf, parseCondition } from '#contract/workflow/condition';
import {
  type Expression,
  ExpressionError,
  expressionsIn,
  isExpression,
  parseExpression,
} from '#contract/workflow/expression';
import { type SchemaAt, schemaAt } from './schema-at.ts';

/** What expressions of a workflow may speak of. */
export interface Names {
  readonly inputs: JsonSchema;
  /** The steps that may have run by then, with what each of them gives. */
  readonly steps: ReadonlyMap<string, StepOutputs>;
  /** What the step that runs is answered; absent where no step has run. */
  readonly body?: JsonSchema | 'anything' | undefined;
  /** Whether that is another workflow, whose outputs are `$outputs`. */
  readonly isWorkflow?: boolean;
}

export interface StepOutputs {
  readonly outputs: Readonly<Record<string, string>>;
  readonly names: Names;
}

const anything: SchemaAt = { kind: 'unknown' };

/** Read an expression in a document and say what is known of its value; a text says what is wrong. */
export function lookUp(text: string, names: Names): SchemaAt | string {
  try {
    return schemaOf(parseExpression(text), text, names);
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

function schemaOf(expression: Expression, text: string, names: Names): SchemaAt | string {
  const { root, step = '', path } = expression;
  switch (root) {
    case 'inputs':
      return found(schemaAt(names.inputs, path), text);
    case 'steps': {
      const known = names.steps.get(step);
      if (!known) {
        const hint = didYouMean(step, names.steps.keys());
        return `the expression ${text} names the step ${JSON.stringify(step)}, which does not come before it${hint}`;
      }
      const [output = '', ...rest] = path;
      const source = Object.hasOwn(known.outputs, output) ? known.outputs[output] : undefined;
      if (source === undefined) {
        const hint = didYouMean(output, Object.keys(known.outputs));
        return `the expression ${text} names the output ${JSON.stringify(output)}, which ${step} does not have${hint}`;
      }
      // What is wrong with the output itself is said where it stands.
      const of = lookUp(source, known.names);
      if (typeof of === 'string' || of.kind !== 'known') return anything;
      return found(schemaAt(of.schema, rest), text);
    }
    case 'outputs':
      if (!names.isWorkflow) return `the expression ${text} is for steps that run a workflow`;
      return inBody(path, text, names);
    case 'body':
      if (names.isWorkflow)
        return `the expression ${text} is for steps that call a tool: use $outputs`;
      return inBody(path, text, names);
    case 'statusCode':
      if (names.body === undefined) return `the expression ${text} stands where no step has run`;
      return { kind: 'known', schema: { type: 'integer' } };
  }
}

function inBody(path: readonly string[], text: string, { body }: Names): SchemaAt | string {
  if (body === undefined) return `the expression ${text} stands where no step has run`;
  return body === 'anything' ? anything : found(schemaAt(body, path), text);
}

function found(at: SchemaAt, text: string): SchemaAt | string {
  if (at.kind !== 'missing') return at;
  const hint = didYouMean(at.name, at.known);
  return `the expression ${text} names ${JSON.stringify(at.name)}, which is not there${hint}`;
}

/** What is wrong with the expressions in a value, and where in it. */
export function valueProblems(
  value: Json,
  names: Names,
): readonly { readonly pointer: string; readonly message: string }[] {
  return expressionsIn(value).flatMap(({ text, pointer }) => {
    const at = lookUp(text, names);
    return typeof at === 'string' ? [{ pointer, message: at }] : [];
  });
}

/** What is wrong with a simple condition. */
export function conditionProblem(text: string, names: Names): string | undefined {
  try {
    for (const expression of expressionsOf(parseCondition(text))) {
      const problem = schemaOf(expression, shown(expression), names);
      if (typeof problem === 'string') return problem;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** What is wrong with an output: it is one expression. */
export function outputProblem(text: string, names: Names): string | undefined {
  if (!isExpression(text)) {
    return `an output must be a runtime expression such as $response.body#/id, but it is ${JSON.stringify(text)}`;
  }
  const at = lookUp(text, names);
  return typeof at === 'string' ? at : undefined;
}

function shown({ root, step, path }: Expression): string {
  const head = { inputs: '$inputs', steps: `$steps.${step}.outputs`, outputs: '$outputs' };
  const rest = path.map((part) => `.${part}`).join('');
  if (root === 'statusCode') return '$statusCode';
  return root === 'body' ? `$response.body${rest}` : `${head[root]}${rest}`;
}
