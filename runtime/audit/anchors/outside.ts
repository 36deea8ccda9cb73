import type { AuditVerification } from '#contract/house/audit';
import { type Anchor, orAborted } from './anchor.ts';

/** How long somebody waits who does nothing else. */
const patientMs = 10_000;

/** A checkpoint that an anchor keeps. */
export interface KeptNote {
  readonly target: string;
  readonly note: string;
}

/** What one anchor knows of a log, or why it could not be asked. */
export interface Outside {
  readonly target: string;
  /** Absent where it has never heard of the log. */
  readonly note?: string | undefined;
  readonly failure?: Error;
}

/** Ask an anchor for the newest checkpoint of a log. */
export async function askAnchor(
  anchor: Anchor,
  origin: string,
  deadlineMs: number,
): Promise<Outside> {
  const { target } = anchor;
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    return { target, note: await orAborted(signal, anchor.newest(origin, signal)) };
  } catch (error) {
    return { target, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Ask every anchor for the newest checkpoint of a log. */
export function askAnchors(
  anchors: readonly Anchor[],
  origin: string,
): Promise<readonly Outside[]> {
  return Promise.all(anchors.map((anchor) => askAnchor(anchor, origin, patientMs)));
}

/** The checkpoints that are kept, of those that have one. */
export function notesOf(answers: readonly Outside[]): KeptNote[] {
  return answers.flatMap(({ target, note }) => (note === undefined ? [] : [{ target, note }]));
}

/**
 * An anchor that cannot be asked may be the one that knows better: without its answer nothing is
 * verified. Everybody may read the result, so that it names the kind of the anchor alone.
 */
export function withSilent(
  found: AuditVerification,
  answers: readonly Outside[],
): AuditVerification {
  const silent = answers.filter(({ failure }) => failure !== undefined);
  if (silent.length === 0) return found;
  const issues = silent.map(({ target }) => ({
    seq: found.records,
    reason: 'anchor_unreachable',
    detail: `no answer from an anchor of the kind ${target.split(':')[0]}`,
  }));
  return { ...found, ok: false, issues: [...found.issues, ...issues] };
}
