import type { KeySource } from '../keys/key-files.ts';
import { identityOf } from '../keys/log-identity.ts';
import { Signer } from '../keys/signing-key.ts';
import { connected } from './connection.ts';
import { asStartError, seedsOf } from './log-database.ts';
import { addLog, newestLog } from './logs.ts';
import { ensureTables } from './schema.ts';
import { bytesOf } from './stored-tree.ts';

/** Read the head of the newest log of a database, as it was noted; it may be damaged. */
export function readNewest(url: string) {
  return connected(url, async (connection) => {
    await ensureTables(connection);
    const newest = await newestLog(connection);
    if (newest === undefined) return undefined;
    const { id, identity } = newest;
    const [head] = await connection.query('select size, root from audit_head where log = $1', [id]);
    const root = head === undefined ? '' : bytesOf(head['root']).toString('base64');
    return { id, ...identity, size: Number(head?.['size'] ?? 0), root };
  }).catch(fail);
}

/** Add a log that continues the one with the id `previous`, whose replicas hear of it. */
export async function addSuccessor(
  url: string,
  source: KeySource,
  { origin, previous }: { readonly origin: string; readonly previous: number | undefined },
): Promise<void> {
  const { vkey } = new Signer(origin, seedsOf(source, true).newest);
  const identity = identityOf(origin, vkey);
  await connected(url, (connection) => addLog(connection, identity, previous)).catch(fail);
}

function fail(error: unknown): never {
  throw asStartError(error);
}
