import type { TelemetryKind } from '#contract/telemetry/kind';
import { telemetryKinds } from '../../../../generated/surfaces/observability/kinds.ts';
import type { Signal } from './provider-entry.ts';

/** The kinds of back ends that can be registered. */
const registrable = telemetryKinds.filter(({ inProcess }) => !inProcess);

/** Their names. */
export const kindNames: readonly string[] = registrable.map(({ kind }) => kind);

/**
 * The signals that a kind takes or is asked for, of alerts that of the metrics behind them; nothing
 * where there is no such kind.
 */
export function signalsOf(name: string): readonly Signal[] | undefined {
  const entry = registrable.find(({ kind }) => kind === name);
  if (entry === undefined) return undefined;
  const { ingests, answers, alerts } = entry;
  return [...new Set<Signal>([...ingests, ...answers, ...(alerts ? (['metric'] as const) : [])])];
}

/** Load those of these kinds that there are, by their names. */
export async function loadKinds(
  names: Iterable<string>,
): Promise<ReadonlyMap<string, TelemetryKind>> {
  const wanted = new Set(names);
  const entries = telemetryKinds.filter(({ kind }) => wanted.has(kind));
  return new Map(
    await Promise.all(entries.map(async ({ kind, load }) => [kind, await load()] as const)),
  );
}
