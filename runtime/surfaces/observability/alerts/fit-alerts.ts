import { jsonBytes } from '#contract/text/fit';
import type { AlertEvent } from '../../../../generated/surfaces/observability/types.ts';
import { mostShown } from './numbers.ts';

/** What has room of a list of alerts, in its order, and whether something has none. */
export interface FittedAlerts {
  readonly events: readonly AlertEvent[];
  readonly truncated: boolean;
}

/**
 * Choose the alerts that have room in an answer, the first ones first. Half of the room is for those
 * that this server knows itself: one Alertmanager with many alerts does not push them out.
 */
export function fitAlerts(events: readonly AlertEvent[], maxBytes: number): FittedAlerts {
  const chosen = new Set<AlertEvent>();
  let left = maxBytes;
  const choose = (list: readonly AlertEvent[], most: number, reserved: number) => {
    for (const event of list) {
      if (chosen.size >= most) return;
      if (chosen.has(event)) continue;
      const bytes = jsonBytes(event) + 1;
      if (left - bytes < reserved) return;
      chosen.add(event);
      left -= bytes;
    }
  };
  choose(events.filter(isOwn), mostShown / 2, maxBytes / 2);
  choose(events, mostShown, 0);
  return {
    events: events.filter((event) => chosen.has(event)),
    truncated: chosen.size < events.length,
  };
}

/** Of a rule of the catalog the query is known, of one of another server it is not. */
function isOwn({ source, expr }: AlertEvent): boolean {
  return source === 'health' || expr !== undefined;
}
