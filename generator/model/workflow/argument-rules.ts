import { isObject, type Json, type JsonSchema } from '#contract/json';
import { expressionsIn, isExpression } from '#contract/workflow/expression';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { valueFault } from '../schema/schema-check.ts';
import { lookUp, type Names, valueProblems } from './expression-rules.ts';
import type { Findings } from './finding.ts';
import { canBe, typesOf } from './schema-at.ts';
import type { RawParameter, RawStep } from './workflow-file.ts';

/** One argument that a step gives, and where it stands. */
interface GivenArgument {
  readonly name: string;
  readonly value: Json;
  readonly pointer: string;
}

/** What a step calls, as far as its arguments are concerned. */
export interface Callee {
  /** What it is called in messages. */
  readonly name: string;
  readonly input: JsonSchema;
  readonly isWorkflow: boolean;
}

/**
 * Put the arguments of a step together, from its parameters and its payload, and compare them with
 * what is called: unknown ones, missing ones, and values that cannot be right.
 */
export function planArguments(
  step: RawStep,
  shared: readonly RawParameter[],
  at: { readonly step: string; readonly workflow: string },
  { callee, names, findings }: { callee: Callee; names: Names; findings: Findings },
): Readonly<Record<string, Json>> {
  const own = given(step.parameters, `${at.step}/parameters`, callee, findings);
  const ownNames = new Set(own.map(({ name }) => name));
  const all = [
    ...given(shared, `${at.workflow}/parameters`, callee, findings).filter(
      ({ name }) => !ownNames.has(name) && takes(callee, name),
    ),
    ...own,
    ...Object.entries(step.requestBody?.payload ?? {}).map(([name, value]) => ({
      name,
      value,
      pointer: `${at.step}/requestBody/payload/${name}`,
    })),
  ];
  const seen = new Set<string>();
  for (const argument of all) {
    if (seen.has(argument.name)) {
      findings.add('FLOW004', argument.pointer, `${argument.name} is given twice`);
    }
    seen.add(argument.name);
    checkArgument(argument, callee, names, findings);
  }
  const { required } = callee.input;
  for (const name of Array.isArray(required) ? required : []) {
    if (seen.has(name)) continue;
    findings.add(
      'FLOW004',
      at.step,
      `${callee.name} needs the argument ${name}, which is not given`,
    );
  }
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

function given(
  parameters: readonly RawParameter[] = [],
  at: string,
  { isWorkflow, name: called }: Callee,
  findings: Findings,
): readonly GivenArgument[] {
  return parameters.flatMap(({ name, in: place, value, reference }, index) => {
    const pointer = `${at}/${index}`;
    // Said already (SPEC020).
    if (reference !== undefined) return [];
    if (name === undefined || value === undefined) {
      const missing = name === undefined ? 'name' : 'value';
      findings.add('FLOW004', pointer, `the parameter has no ${missing}`);
      return [];
    }
    if (place === undefined && !isWorkflow) {
      const message = `the parameter ${name} of ${called} must say where it stands: in: path, query or header`;
      findings.add('FLOW004', pointer, message);
    }
    return [{ name, value, pointer: `${pointer}/value` }];
  });
}

function takes({ input }: Callee, name: string): boolean {
  const { properties } = input;
  return isObject(properties) && Object.hasOwn(properties, name);
}

function checkArgument(
  { name, value, pointer }: GivenArgument,
  callee: Callee,
  names: Names,
  findings: Findings,
): void {
  const { properties } = callee.input;
  const known = isObject(properties) ? properties : {};
  const schema = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!isObject(schema)) {
    const message = `${callee.name} takes no argument ${JSON.stringify(name)}`;
    findings.add('FLOW004', pointer, message, suggestion(name, Object.keys(known)));
    return;
  }
  const problems = valueProblems(value, names);
  for (const problem of problems) {
    findings.add('FLOW002', `${pointer}${problem.pointer}`, problem.message);
  }
  if (problems.length > 0) return;
  const fault =
    typeof value === 'string' && isExpression(value)
      ? typeFault(value, schema, names)
      : literalFault(value, schema, callee.input);
  if (fault !== undefined) {
    findings.add('FLOW004', pointer, `the argument ${name} of ${callee.name} ${fault}`);
  }
}

/** A value that some expression decides about cannot be compared yet. */
function literalFault(value: Json, schema: JsonSchema, input: JsonSchema): string | undefined {
  const { $defs } = input;
  if (expressionsIn(value).length > 0) {
    const wanted = typesOf(schema);
    if (typeof value !== 'string' || wanted === undefined || wanted.includes('string'))
      return undefined;
    return `must be of type ${wanted.join(' or ')}, but a text with expressions in it is given`;
  }
  const whole = isObject($defs) ? { ...schema, $defs } : schema;
  const fault = valueFault(whole, value);
  if (fault === undefined) return undefined;
  return `is refused${fault.at === '' ? '' : ` at ${fault.at}`}: ${fault.message}`;
}

function typeFault(text: string, schema: JsonSchema, names: Names): string | undefined {
  const at = lookUp(text, names);
  if (typeof at === 'string' || at.kind !== 'known') return undefined;
  const [given, wanted] = [typesOf(at.schema), typesOf(schema)];
  if (given === undefined || wanted === undefined || canBe(given, wanted)) return undefined;
  return `must be of type ${wanted.join(' or ')}, but ${text} is of type ${given.join(' or ')}`;
}
