import { readTokens, writeTokens } from '../credentials/held-tokens.ts';
import type { RenewalParts } from '../credentials/renewal.ts';
import { mostResealed } from '../numbers.ts';

/** Seal anew what an older key has sealed, some at a time. */
export async function resealAll(
  { records, sealer, log }: Pick<RenewalParts, 'records' | 'sealer' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { current, all } = sealer.keyIds();
  const older = all.filter((id) => id !== current);
  for (const row of await records.sealedWith(older, mostResealed)) {
    signal.throwIfAborted();
    try {
      await records.reseal(row, await writeTokens(sealer, row, await readTokens(sealer, row)));
    } catch (err) {
      log.error({ err, provider: row.provider }, 'an account that was connected cannot be opened');
    }
  }
}
