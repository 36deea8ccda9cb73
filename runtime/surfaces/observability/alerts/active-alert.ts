import { createHash } from 'node:crypto';
import { comparableText } from '#contract/json';
import type { AlertRule } from './alert-rule.ts';

type Labels = Readonly<Record<string, string>>;

export type AlertSource = 'health' | 'rule' | 'alertmanager';

/** A set of labels for which a condition holds now. */
export interface Found {
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly value: string;
  /** Where who was asked knows itself since when, and what that means. */
  readonly known?: { readonly state: 'pending' | 'firing'; readonly activeAt: number };
}

/** An alert whose condition holds, or has held until now. Times are milliseconds since the epoch. */
export interface ActiveAlert {
  readonly rule: string;
  readonly series: string;
  readonly alert: string;
  readonly source: AlertSource;
  readonly state: 'pending' | 'firing';
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly value: string;
  readonly activeAt: number;
  readonly firedAt: number | undefined;
  /** When the condition was seen to hold last. */
  readonly seenAt: number;
  readonly evaluatedBy: string;
}

/** Where alerts come from, and how long their condition has to hold. */
export interface Watched extends Pick<AlertRule, 'alert' | 'forMs' | 'keepMs'> {
  readonly rule: string;
  readonly source: AlertSource;
  readonly evaluatedBy: string;
}

/** What has become of the alerts of one rule. */
export interface Advanced {
  readonly active: readonly ActiveAlert[];
  /** Those among them that fire since now. */
  readonly fired: readonly ActiveAlert[];
  /** Those that have fired, and do not any more. */
  readonly resolved: readonly ActiveAlert[];
}

/** When the condition was looked at, now and before. */
export interface Looks {
  readonly now: number;
  readonly formerly: number | undefined;
  /** How much time lies between two looks where nothing is wrong. */
  readonly everyMs: number;
}

/** Names a set of labels. */
export function seriesOf(labels: Labels): string {
  return createHash('sha256').update(comparableText(labels)).digest('hex').slice(0, 32);
}

/**
 * Say what becomes of the alerts of one rule, of which `found` are the sets of labels for which its
 * condition holds now. What waits for the end of `for` does not wait through a time in which nobody
 * has looked, as after a restart.
 */
export function advance(
  watched: Watched,
  former: readonly ActiveAlert[],
  found: readonly Found[],
  looks: Looks,
): Advanced {
  const before = new Map(former.map((each) => [each.series, each]));
  const held = new Map(found.map((each) => [seriesOf(each.labels), each]));
  const holding = Array.from(held, ([series, each]) =>
    stillOrNew(watched, series, each, before.get(series), looks),
  );
  const ended = former.filter(({ series }) => !held.has(series));
  const kept = ended.filter(
    ({ state, seenAt }) => state === 'firing' && looks.now - seenAt < watched.keepMs,
  );
  return {
    active: [...holding, ...kept],
    fired: holding.filter(
      ({ series, state }) => state === 'firing' && before.get(series)?.state !== 'firing',
    ),
    resolved: ended.filter((each) => each.state === 'firing' && !kept.includes(each)),
  };
}

function stillOrNew(
  { forMs, keepMs: _, ...watched }: Watched,
  series: string,
  { labels, annotations, value, known }: Found,
  before: ActiveAlert | undefined,
  { now, formerly = now, everyMs }: Looks,
): ActiveAlert {
  const about = { ...watched, series, labels, annotations, value, seenAt: now };
  if (known !== undefined) {
    const { state } = known;
    // Nothing is so since a time that is still to come, whatever a clock elsewhere says.
    const activeAt = Math.max(0, Math.min(known.activeAt, now));
    const firedAt = Math.max(before?.firedAt ?? activeAt, activeAt);
    return { ...about, state, activeAt, firedAt: state === 'firing' ? firedAt : undefined };
  }
  if (before?.state === 'firing') {
    return { ...about, state: 'firing', activeAt: before.activeAt, firedAt: before.firedAt };
  }
  const unseen = Math.max(0, now - formerly - missedLooks * everyMs);
  const activeAt = before === undefined ? now : before.activeAt + unseen;
  const fires = now - activeAt >= forMs;
  return {
    ...about,
    activeAt,
    state: fires ? 'firing' : 'pending',
    firedAt: fires ? now : undefined,
  };
}

/** A look that comes late is no time in which nobody has looked. */
const missedLooks = 3;
