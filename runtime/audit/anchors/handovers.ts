import type { AuditLog } from '#contract/house/audit';

/** A checkpoint by which an old key has confirmed the next one. */
export interface HandoverCheckpoint {
  readonly size: number;
  readonly note: string;
}

/**
 * Read the checkpoints between two sizes by which old keys have confirmed new ones: a copy of the log
 * needs them for those who have an old key.
 */
export async function readHandovers(
  log: Pick<AuditLog, 'keys' | 'proof'>,
  after: number,
  before: number,
): Promise<readonly HandoverCheckpoint[]> {
  const sizes = log.keys.map(({ since }) => since).filter((size) => size > after && size < before);
  return Promise.all(
    sizes.map(async (size) => {
      // A proof carries its checkpoint verbatim (C2SP tlog-proof).
      const proof = await log.proof(size - 1, size);
      if (proof === undefined) throw new Error(`the log has no checkpoint of ${size} entries`);
      return { size, note: withoutOthers(proof.slice(proof.indexOf('\n\n') + 2)) };
    }),
  );
}

/** Leave out what witnesses have added: the same is to be read at any time. */
function withoutOthers(note: string): string {
  const [origin, size, root, empty, ...lines] = note.split('\n');
  const own = lines.filter((line) => line === '' || line.startsWith(`— ${origin} `));
  return [origin, size, root, empty, ...own].join('\n');
}
