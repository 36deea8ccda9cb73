import { type Signal, signals, type TelemetryKind } from '#contract/telemetry/kind';
import { camelCase } from '../texts/names.ts';

/** What a file in `specs/telemetry/` says. */
export type TelemetryFile = Omit<TelemetryKind, 'kind'>;

/** A kind and what its module is called. */
export interface TelemetryModel {
  readonly kind: TelemetryKind;
  readonly exportName: string;
}

export function planTelemetry(content: TelemetryFile, id: string): TelemetryModel {
  return { kind: { kind: id, ...content }, exportName: camelCase(id) };
}

/** The signals that stand in a map of signals, in their own order. */
export function signalsIn(map: { readonly [Kept in Signal]?: unknown }): readonly Signal[] {
  return signals.filter((signal) => map[signal] !== undefined);
}
