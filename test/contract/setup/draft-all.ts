import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '#contract/json';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.ts';
import { planProviderFolder } from '../../../generator/kinds/providers.ts';
import type { Curation } from '../../../generator/model/shape/curation.ts';
import type { ProviderModel } from '../../../generator/model/shape/provider-model.ts';
import { addProvider } from '../../../generator/provider/add-provider.ts';
import { parsePointer } from '../../../generator/read/text/json-pointer.ts';
import type { Description } from './descriptions.ts';

/** What became of a description. */
export interface DraftedVendor {
  readonly model: ProviderModel;
  readonly curation: Curation;
  /** Operations that it has. */
  readonly total: number;
  /** Tools that the draft alone had switched on. */
  readonly drafted: number;
  /** Operations that could not be switched on, and why. */
  readonly off: readonly Diagnostic[];
}

/** Why there is no tool. */
export interface RefusedVendor {
  readonly reason: string;
}

interface DraftOptions {
  readonly most?: number | undefined;
  readonly patience: number;
}

const day = '2026-01-31';
/** A mock is asked as often as the harness likes, and once for each call. */
const unhurried = [
  'rate_limit: { requests: 100000, per: 1s, burst: 100000, concurrency: 64 }',
  'retry: { max: 0 }',
];

/**
 * Draft a vendor as `provider add` does, then switch on everything that can be.
 *
 * @param options.most so many operations instead, evenly spread over the description
 * @param options.patience seconds that the mock has for an answer, at most 120
 */
export async function draftAll(
  { id, file, root }: Description,
  base: string,
  { most = Number.POSITIVE_INFINITY, patience }: DraftOptions,
): Promise<DraftedVendor | RefusedVendor> {
  const options = { id, base, description: file, root, day };
  const added = await addProvider(options);
  if (!('written' in added)) {
    const [error] = added.diagnostics.filter(isError);
    return { reason: added.problem ?? error?.message ?? 'nothing was written' };
  }
  const path = join(base, 'specs/providers', id, 'curation.yaml');
  const drafted = thinned(switchedOn(readFileSync(path, 'utf8')), most);
  writeFileSync(path, patient(drafted, patience));
  const off: Diagnostic[] = [];
  let isExtended = false;
  for (;;) {
    const { model, diagnostics } = isExtended
      ? await planProviderFolder(base, id)
      : await extended(options);
    const errors = diagnostics.filter(isError);
    if (errors.length === 0 && model) {
      const curation = parse(readFileSync(path, 'utf8')) as Curation;
      const { total, requests } = added;
      return { model, curation, total, drafted: requests.operations.length, off };
    }
    if (errors.length === 0) isExtended = true;
    const removed = removeFaulty(path, errors);
    off.push(...removed);
    if (removed.length === 0 && errors.length > 0) {
      return { reason: `${errors[0]?.code} ${errors[0]?.message}` };
    }
  }
}

/** Bring the other files up to the curation; the plan follows once that has succeeded. */
async function extended(
  options: Parameters<typeof addProvider>[0],
): Promise<{ model?: ProviderModel; diagnostics: readonly Diagnostic[] }> {
  const { diagnostics } = await addProvider(options);
  return { diagnostics };
}

/** A drafted curation with every operation commented in, and no patience of the vendor to keep to. */
export function switchedOn(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('rate_limit:')) return unhurried;
      const entry = /^ {2}# ( - |- | {2})(\S.*)$/.exec(line);
      return entry ? [`  ${entry[1]}${entry[2]}`] : [line];
    })
    .join('\n');
}

/** Every tool waits so many seconds for its answer. */
function patient(text: string, seconds: number): string {
  const line = `    timeout_ms: ${1000 * seconds}`;
  return text
    .split('\n')
    .flatMap((each) => (each.startsWith('  - ') ? [each, line] : [each]))
    .join('\n');
}

/** So many of the operations, evenly spread. */
function thinned(text: string, most: number): string {
  const starts = startsOf(text.split('\n'));
  const step = Math.max(1, starts.length / most);
  const kept = new Set(
    Array.from({ length: Math.min(most, starts.length) }, (_, at) => Math.floor(at * step)),
  );
  return without(text, (index) => !kept.has(index));
}

/** The lines with which operations begin. */
function startsOf(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, index) => (line.startsWith('  - ') ? [index] : []));
}

function without(text: string, isOut: (index: number) => boolean): string {
  const lines = text.split('\n');
  const starts = startsOf(lines);
  return lines
    .filter((line, at) => {
      const index = starts.findLastIndex((start) => start <= at);
      return !(index >= 0 && line.startsWith('  ') && isOut(index));
    })
    .join('\n');
}

/** Take the operations with errors out of the curation; gives the first error of each. */
function removeFaulty(path: string, errors: readonly Diagnostic[]): readonly Diagnostic[] {
  const text = readFileSync(path, 'utf8');
  const starts = startsOf(text.split('\n'));
  const { operations } = parse(text) as Curation;
  const faulty = new Map<number, Diagnostic>();
  for (const error of errors) {
    const index = error.file.endsWith('curation.yaml')
      ? starts.findLastIndex((start) => start < error.line)
      : operations.findIndex(({ from }) => isAt(path, error.pointer, from));
    if (index >= 0 && !faulty.has(index)) faulty.set(index, error);
  }
  writeFileSync(
    path,
    without(text, (index) => faulty.has(index)),
  );
  return [...faulty.values()];
}

/** Whether a pointer into the slice leads to the operation that a curation names, or to its whole path. */
function isAt(path: string, pointer: string, from: Curation['operations'][number]['from']) {
  const [holder, route = '', method] = parsePointer(pointer);
  if (holder !== 'paths') return false;
  if (from.path !== undefined) {
    return from.path === route && (method === undefined || from.method === method.toUpperCase());
  }
  const slice: unknown = parse(readFileSync(join(path, '../openapi.yaml'), 'utf8'));
  const item = isObject(slice) && isObject(slice['paths']) ? slice['paths'][route] : undefined;
  const all = isObject(item) ? Object.entries(item) : [];
  return all.some(
    ([key, node]) =>
      (method === undefined || key === method) &&
      isObject(node) &&
      node['operationId'] === from.operationId,
  );
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
