import type { AuditCheckpoint } from '#contract/house/audit';
import { verifyConsistency } from '../tree/merkle.ts';
import { openCheckpoint, parseCheckpoint, parseVerifierKey } from '../verify/verify.ts';
import { type AnchoredLog, ForkedLog, UnreadableAnchor } from './anchor.ts';

/**
 * How much of this log a place knows by its newest checkpoint. The smaller tree has to be the
 * beginning of the larger one: else one of the two is not the log.
 *
 * @throws ForkedLog when the kept checkpoint is signed by the log all the same
 */
export async function requireSameLog(
  { place, note }: { readonly place: string; readonly note: string | undefined },
  ours: AuditCheckpoint,
  log: AnchoredLog,
): Promise<number> {
  if (note === undefined) return 0;
  const known = parseCheckpoint(note);
  if (known === undefined) {
    throw new UnreadableAnchor(`the newest checkpoint in ${place} is none`);
  }
  if (known.size === 0) return 0;
  const head = { size: ours.size, root: Buffer.from(ours.root, 'base64') };
  const [from, to] = known.size > head.size ? [head, known] : [known, head];
  // Of two equal trees there is nothing to ask.
  const proof = from.size === to.size ? [] : await log.consistency(from.size, to.size);
  const hashes = proof?.map((line) => Buffer.from(line, 'base64'));
  if (hashes !== undefined && verifyConsistency(from, to, hashes)) return known.size;
  const keys = log.keys.map(({ vkey }) => parseVerifierKey(vkey));
  const isSigned = openCheckpoint(note, ...keys) !== undefined;
  const reason = `the ${known.size} entries that ${place} knows are not those of this log`;
  throw isSigned ? new ForkedLog(reason) : new Error(`${reason}, which has not signed them`);
}
