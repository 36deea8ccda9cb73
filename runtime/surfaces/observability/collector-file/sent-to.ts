import type { TelemetryKind } from '#contract/telemetry/kind';
import type { OwnedDraft } from '../registry/provider-entry.ts';

/** Whether the collector sends to a back end; what is only asked which alerts fire takes no telemetry. */
export function isSentTo(
  { enabled, ingest, delivery }: OwnedDraft,
  kind: TelemetryKind | undefined,
): boolean {
  const takesAnything = kind === undefined || Object.keys(kind.ingest).length > 0;
  return enabled && ingest && delivery === 'collector' && takesAnything;
}
