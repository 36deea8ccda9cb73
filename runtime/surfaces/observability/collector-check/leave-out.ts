import { ServiceError } from '#contract/errors';
import { type BackEnds, OutboundError } from '#contract/house/outbound';
import type { TelemetryKind } from '#contract/telemetry/kind';
import { defaultTenant } from '#contract/tenant/tenants';
import type { CollectorOptions } from '../collector/collector-options.ts';
import { exporterFor } from '../collector-file/exporter.ts';
import { addressFields, type LeftOut } from '../collector-file/left-out.ts';
import { isSentTo } from '../collector-file/sent-to.ts';
import type { OwnedDraft } from '../registry/provider-entry.ts';
import { filterFault } from '../registry/span-condition.ts';
import { isPlainUrl } from '../registry/written-url.ts';

/** Says why the file of the collector is made without a back end; nothing where it is made with it. */
export type LeaveOut = (
  entry: OwnedDraft,
  kind: TelemetryKind | undefined,
) => Promise<LeftOut | undefined>;

/**
 * Look at back ends as they are kept: rules, kinds and what a name leads to may be others than when
 * they were registered. One that is not right any more costs itself alone.
 */
export function createLeaveOut(
  options: CollectorOptions,
  backEnds: Pick<BackEnds, 'check' | 'tlsFaults'>,
): LeaveOut {
  return async (entry, kind) => {
    // There is one collector, that of the server itself.
    if (entry.tenant !== defaultTenant || !isSentTo(entry, kind)) return undefined;
    const leftOut = (field: LeftOut['field'], reason: string): LeftOut => ({
      ...{ provider: `${entry.signal}/${entry.id}`, field, reason },
    });
    if (kind === undefined) return leftOut('kind', `there is no kind ${entry.kind} any more`);
    for (const field of addressFields) {
      const reason = await refusalOf(backEnds, entry[field]);
      if (reason !== undefined) return leftOut(field, reason);
    }
    // The collector opens them when it starts, and would wait for what writes into a pipe.
    const broken = (await backEnds.tlsFaults(entry.tls)).find(({ isThere }) => isThere);
    if (broken !== undefined) return leftOut('tls', `${broken.file} ${broken.reason}`);
    const fault = filterFault(entry.spanFilter);
    if (fault !== undefined) return leftOut('spanFilter', fault);
    const sentTo = addressOf(entry, kind, options);
    if ('reason' in sentTo) return leftOut('kind', sentTo.reason);
    // What the kind makes of its endpoint may be another host or port.
    const reason = await refusalOf(backEnds, sentTo.address);
    return reason === undefined ? undefined : leftOut('endpoint', `${reason} (${sentTo.address})`);
  };
}

function addressOf(entry: OwnedDraft, kind: TelemetryKind, options: CollectorOptions) {
  try {
    const { address } = exporterFor(entry, kind, { ...options, storage: undefined });
    // The native protocol of a back end has a scheme of its own.
    return { address: /^https?:/i.test(address) ? address : undefined };
  } catch (error) {
    if (error instanceof ServiceError) return { reason: error.message };
    throw error;
  }
}

async function refusalOf(
  backEnds: Pick<BackEnds, 'check'>,
  url: string | undefined,
): Promise<string | undefined> {
  if (url === undefined) return undefined;
  if (!isPlainUrl(url)) {
    return 'is no absolute URL, or holds blanks, backslashes or control characters';
  }
  try {
    await backEnds.check(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A name without an address now is a matter of health, and no reason to leave it out.
    return error.fault === 'refused' ? error.message : undefined;
  }
}
