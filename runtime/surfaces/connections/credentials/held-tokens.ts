import type { ConnectionRow } from '../../../../generated/surfaces/connections/tables.ts';
import type { Belonging, Sealer } from '../sealing/sealer.ts';

/** What is sealed of a connection: the token of OAuth, or the key. */
export interface HeldTokens {
  readonly access: string;
  readonly refresh?: string | undefined;
}

/** @throws ServiceError with status 503 where no key of this server opens it */
export async function readTokens(
  sealer: Sealer,
  row: Belonging & Pick<ConnectionRow, 'sealed'>,
): Promise<HeldTokens> {
  // Written by `writeTokens` alone.
  return JSON.parse(await sealer.open(row, row.sealed)) as HeldTokens;
}

/** Seal tokens for a row. */
export async function writeTokens(
  sealer: Sealer,
  belonging: Belonging,
  tokens: HeldTokens,
): Promise<Pick<ConnectionRow, 'sealed' | 'key_id'>> {
  const { sealed, keyId } = await sealer.seal(belonging, JSON.stringify(tokens));
  return { sealed, key_id: keyId };
}
