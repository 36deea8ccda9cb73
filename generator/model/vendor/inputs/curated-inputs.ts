import type { ToolSchemas } from '../../schema/tool-schema.ts';
import type { CuratedOperation } from '../../shape/curation.ts';
import type { Value } from '../../shape/request-plan.ts';
import type { Report } from '../../texts/report.ts';
import { vendorKeyOf } from '../vendor-key.ts';
import { argumentOf, argumentValue, describedArgument } from './argument-of-input.ts';
import { curatedEntry, speaksOf } from './curated-names.ts';
import { offsetArgument, type PagingPlan } from './paging.ts';
import type { Sent, ToolArgument } from './tool-argument.ts';
import type { BodyForm, ToolInput } from './tool-input.ts';

/** What the curation has made of the inputs of an operation. */
export interface CuratedInputs {
  readonly sent: readonly Sent[];
  readonly arguments: readonly ToolArgument[];
}

export interface Surroundings {
  readonly curated: CuratedOperation;
  /** JSON pointer of the operation in the curation. */
  readonly pointer: string;
  readonly body: BodyForm | undefined;
  /** What paging sends. */
  readonly filled: PagingPlan['filled'];
  /** The arguments that walk through a list. */
  readonly added: readonly ToolArgument[];
  /** Lower-case names of headers that are sent anyway. */
  readonly headers: ReadonlySet<string>;
  readonly schemas: ToolSchemas;
  readonly report: Report;
}

/** Decide for each input whether it is an argument, a constant or left out. */
export function curateInputs(inputs: readonly ToolInput[], around: Surroundings): CuratedInputs {
  const sent: Sent[] = [];
  const own: ToolArgument[] = [];
  for (const input of inputs) {
    const fate = fateOf(input, around);
    if (fate === 'argument') {
      const argument = argumentOf(input, around);
      own.push(argument);
      const { body, schemas } = around;
      const value = argumentValue(argument, input, { body, document: schemas.document });
      sent.push({ input, value });
    } else sent.push(fate === 'nothing' ? { input } : { input, value: fate });
  }
  const added = around.added.map((argument) => describedArgument(argument, around.curated));
  const slicing = around.curated.response?.slice === undefined ? [] : [offsetArgument];
  return { sent, arguments: [...own, ...added, ...slicing] };
}

function fateOf(input: ToolInput, around: Surroundings): Value | 'argument' | 'nothing' {
  const { params } = around.curated;
  const key = vendorKeyOf(around.curated);
  const fixed = curatedEntry(params?.fixed, input);
  if (fixed !== undefined) return { kind: 'constant', value: fixed };
  const filled = around.filled.get(input);
  if (filled !== undefined) return filled;
  const isKey = key !== undefined && speaksOf(key.name, input);
  if (isKey) return key.key === 'client' ? 'argument' : 'nothing';
  if (input.from === 'header' && key?.also?.some((name) => speaksOf(name, input))) return 'nothing';
  // Only answers carry it, whatever else is said of it.
  if (input.from === 'body' && around.schemas.readOnly.includes(input.schema)) return 'nothing';
  const isIncluded = params?.include?.some((name) => speaksOf(name, input)) ?? false;
  const isHidden =
    (input.from === 'header' && !isIncluded) ||
    (params?.hide?.some((name) => speaksOf(name, input)) ?? false);
  if (!isHidden) return 'argument';
  const usual = curatedEntry(params?.defaults, input);
  if (usual !== undefined) return { kind: 'constant', value: usual };
  if (input.required && !isSentAnyway(input, around)) reportHidden(input, around);
  return 'nothing';
}

function isSentAnyway({ from, wire }: ToolInput, { headers }: Surroundings): boolean {
  return from === 'header' && headers.has(wire.toLowerCase());
}

function reportHidden(input: ToolInput, { curated, pointer, report }: Surroundings): void {
  const index = curated.params?.hide?.findIndex((name) => speaksOf(name, input)) ?? -1;
  if (index >= 0) {
    const message = `"${input.name}" is required, but hidden without a default or fixed value`;
    report.curation('P007', `${pointer}/params/hide/${index}`, message);
    return;
  }
  const message = `header "${input.wire}" is required, but neither included, fixed nor constant`;
  report.curation('P007', `${pointer}/from`, message, {
    help: 'list it in params.include, or give it a value in headers',
  });
}
