import { isOfMessage } from '#contract/text/field-value';
import { suggestion } from '../../../diagnostics/suggestion.ts';
import { escapeStep } from '../../../read/text/json-pointer.ts';
import type { CuratedOperation } from '../../shape/curation.ts';
import type { Report } from '../../texts/report.ts';
import type { ToolInput } from './tool-input.ts';

/** Whether a name in the curation means an input: its argument name or its name on the wire. */
export function speaksOf(name: string, input: ToolInput): boolean {
  return name === input.name || name === input.wire;
}

/** The entry of a curated map that means an input. */
export function curatedEntry<Entry>(
  entries: Readonly<Record<string, Entry>> | undefined,
  { name, wire }: ToolInput,
): Entry | undefined {
  if (entries === undefined) return undefined;
  if (Object.hasOwn(entries, name)) return entries[name];
  return Object.hasOwn(entries, wire) ? entries[wire] : undefined;
}

/** Headers that only the server itself may set. */
function isForbidden(name: string): boolean {
  return isOfMessage(name) || /^(?:authorization|cookie)$/i.test(name);
}

/** Report each name in the curation's `params` that means no input (P006). */
export function checkCuratedNames(
  { params = {}, name: tool }: CuratedOperation,
  at: {
    readonly pointer: string;
    readonly inputs: readonly ToolInput[];
    /** Names of arguments that the generator made. */
    readonly made: readonly string[];
  },
  report: Report,
): void {
  const { inputs, made } = at;
  const known = inputs.map((input) => input.name);
  for (const { name, pointer, madeToo } of namesIn(params)) {
    const meant = inputs.find((input) => speaksOf(name, input));
    const where = `${at.pointer}/params/${pointer}`;
    if (meant?.from === 'header' && isForbidden(meant.wire)) {
      report.curation('P006', where, `header "${name}" is set by the server alone`);
    } else if (meant === undefined && !(madeToo && made.includes(name))) {
      report.curation('P006', where, `${tool} has no parameter "${name}"`, {
        help: suggestion(name, known),
      });
    }
  }
}

interface CuratedName {
  readonly name: string;
  readonly pointer: string;
  /** It may also mean an argument that the generator made. */
  readonly madeToo: boolean;
}

function namesIn(params: NonNullable<CuratedOperation['params']>): CuratedName[] {
  const lists = ['include', 'hide', 'required_extra'] as const;
  const maps = ['rename', 'defaults', 'fixed', 'describe', 'examples'] as const;
  return [
    ...lists.flatMap((key) =>
      (params[key] ?? []).map((name, index) => ({
        name,
        pointer: `${key}/${index}`,
        madeToo: false,
      })),
    ),
    ...maps.flatMap((key) =>
      Object.keys(params[key] ?? {}).map((name) => ({
        name,
        pointer: `${key}/${escapeStep(name)}`,
        madeToo: key === 'describe' || key === 'examples' || key === 'defaults',
      })),
    ),
  ];
}
