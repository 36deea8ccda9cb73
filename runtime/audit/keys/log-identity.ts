import type { AuditKey } from '#contract/house/audit';

/** Under this name it is noted where a log went: nobody writes it any more where it was. */
export const movedNote = 'moved';

/** Which log it is: its origin is fixed when it is created, its key may be rotated. */
export interface LogIdentity {
  readonly origin: string;
  /** The newest key. */
  readonly vkey: string;
  /** All keys, the newest first. */
  readonly keys: readonly AuditKey[];
  /** The database that it was moved to; it is not written here any more. */
  readonly moved?: string | undefined;
}

/** Read what is noted of a log: of its keys the newest, and the list of all once there are several. */
export function identityFrom(meta: ReadonlyMap<unknown, string>): LogIdentity {
  const [origin, vkey] = [String(meta.get('origin')), String(meta.get('vkey'))];
  return { ...identityOf(origin, vkey, meta.get('keys')), moved: meta.get(movedNote) };
}

/** Who a log is, `keys` being the list of its keys as it is noted. */
export function identityOf(origin: string, vkey: string, keys?: string): LogIdentity {
  // Written by `LogWriter.rotate` alone.
  const all = keys === undefined ? [{ vkey, since: 0 }] : (JSON.parse(keys) as AuditKey[]);
  return { origin, vkey, keys: all };
}
