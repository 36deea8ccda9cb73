import { ToolError } from '#contract/errors';
import type { JsonSchema } from '#contract/json';
import { longDigits } from '#contract/schema/relaxed';
import type { SchemaProfile } from '#contract/schema-profile';
import type { ToolDefinition } from '#contract/tool';
import type { Input } from '../../admission/steps/pipeline.ts';
import { type MirroredArgument, mirroredArguments } from '../../offer/mirrored-arguments.ts';
import { brieferRules } from './briefer-rules.ts';
import { inlinedOnce } from './inline-once.ts';
import { joinedTypes } from './joined-types.ts';
import { portableSchema, rootedSchema } from './portable-schema.ts';
import { lengthOf, shownShape } from './shown-output.ts';
import { strictSchema } from './strict-schema.ts';
import { Report } from './written-arguments.ts';

/** The schemas of a tool as a client takes them. */
export interface SchemaForm {
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** Absent where arguments are written as the exact schema has them. */
  readonly written?: WrittenForm;
}

/** Arguments that are written in another form than the exact one. */
export interface WrittenForm {
  /** Arguments that headers repeat; absent where there are none. */
  readonly mirrored?: readonly MirroredArgument[];
  /**
   * Give the arguments in the exact form, not validated.
   *
   * @throws ToolError where they cannot be read
   */
  read(args: Input): Input;
  /** An error of the exact form in terms of this one. */
  rephrase(error: unknown): unknown;
}

const forms = new Map<SchemaProfile, WeakMap<ToolDefinition, SchemaForm>>();

/** The schemas of a tool in the form of a profile, made once. */
export function schemaForm(definition: ToolDefinition, profile: SchemaProfile): SchemaForm {
  let known = forms.get(profile);
  if (!known) {
    known = new WeakMap();
    forms.set(profile, known);
  }
  let form = known.get(definition);
  if (!form) {
    form = makeForm(definition, profile);
    known.set(definition, form);
  }
  return form;
}

/** How a client writes the arguments of a tool; nothing where it writes them as they are checked. */
export function writtenForm(
  definition: ToolDefinition,
  profile: SchemaProfile,
): WrittenForm | undefined {
  return profile === 'openai-strict' ? schemaForm(definition, profile).written : undefined;
}

function makeForm(definition: ToolDefinition, profile: SchemaProfile): SchemaForm {
  const { input, output } = definition;
  switch (profile) {
    case 'exact':
      return { input, ...(output && { output }) };
    case 'sdk-v1': {
      const whole = portableOutput(output);
      return { input: shorter(portableSchema(input)), ...(whole && { output: whole }) };
    }
    case 'anthropic':
      return withOutput(definition, brieferRules(shorter(rootedSchema(input))));
    case 'openai-strict': {
      const { schema, decode } = strictSchema(input);
      const strict = withOutput(definition, schema);
      if (!decode) return strict;
      const mirrored = mirroredArguments(definition.name, schema);
      const read = readerOf(definition.name, decode);
      const repeated = mirrored.length > 0 && { mirrored };
      return { ...strict, written: { ...repeated, read, rephrase } };
    }
  }
}

/** The same rules and words in fewer characters. */
function shorter(schema: JsonSchema): JsonSchema {
  return joinedTypes(inlinedOnce(schema));
}

/** What models read before they call has little use for all of a result: it is in the page of the tool. */
function withOutput({ description, output }: ToolDefinition, input: JsonSchema): SchemaForm {
  const portable = portableOutput(output);
  if (!portable) return { input };
  return { input, output: shownShape(portable, description.length + lengthOf(input)) };
}

/** The v1 SDKs refuse a whole list in which an output is no object. */
export function portableOutput(output: JsonSchema | undefined): JsonSchema | undefined {
  return output?.['type'] === 'object' ? withoutDigits(portableSchema(output)) : undefined;
}

/** Which text stands for a long number has been looked at here; said at each, it is a tenth of a list. */
function withoutDigits(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const without = text.replaceAll(`,"pattern":${JSON.stringify(longDigits)}`, '');
  return without.length === text.length ? schema : JSON.parse(without);
}

function readerOf(tool: string, decode: NonNullable<ReturnType<typeof strictSchema>['decode']>) {
  return (args: Input): Input => {
    const report = new Report();
    const read = decode(args, report) as Input;
    if (report.problems.length === 0) return read;
    const { problems, count } = report;
    const more = count > problems.length ? [`and ${count - problems.length} more`] : [];
    const lines = [...problems, ...more].map((problem) => `\n- ${problem}`).join('');
    const message = `Invalid arguments for ${tool}:${lines}`;
    throw new ToolError('invalid_arguments', message, { retryable: false });
  };
}

const reminder =
  'These names and types are those after reading: in the schema that you were given, null leaves an argument out, and what is JSON text there has been read.';

function rephrase(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.code !== 'invalid_arguments') return error;
  return new ToolError(error.code, `${error.message}\n${reminder}`, error.detail, error);
}
