import { readTokens, writeTokens } from '../credentials/held-tokens.ts';
import type { RenewalParts } from '../credentials/renewal.ts';
import { mostResealed } from '../numbers.ts';
import type { SealedRow } from '../records/connections.ts';

/** Seal anew what an older key has sealed, some at a time; what cannot be opened is passed over. */
export async function resealAll(
  { records, sealer, log }: Pick<RenewalParts, 'records' | 'sealer' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { current, all } = sealer.keyIds();
  const older = all.filter((id) => id !== current);
  let last: SealedRow | undefined;
  do {
    const rows = await records.sealedWith(older, mostResealed, last);
    for (const row of rows) {
      signal.throwIfAborted();
      try {
        await records.reseal(row, await writeTokens(sealer, row, await readTokens(sealer, row)));
      } catch (err) {
        log.error({ err, provider: row.provider }, 'what a person has connected cannot be opened');
      }
    }
    last = rows.length < mostResealed ? undefined : rows.at(-1);
  } while (last);
}
