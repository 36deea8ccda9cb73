import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** SQLite's codes for what media that take no writes refuse: the files beside a database. */
const needsWriting: ReadonlySet<number> = new Set([8, 14]);

/**
 * Open a database to read it beside its writer, also on media that take no writes: nobody changes it
 * there, so that it is read as it is ("immutable"), without the files that SQLite keeps beside it.
 *
 * @throws what SQLite says; `NeedsCopy` where the newest commits lie in a file that only writers read
 */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    // Opening reads nothing yet.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode;
    if (code === undefined || !needsWriting.has(code & 0xff)) throw error;
    return openImmutable(path, error);
  }
}

function openImmutable(path: string, refusal: unknown): DatabaseSync {
  const { size = 0 } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size > 0) throw new NeedsCopy(path, refusal);
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return new DatabaseSync(url, { readOnly: true });
}

/** The database was copied while it was written, onto media where nobody can put that right. */
export class NeedsCopy extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `${path} cannot be read here: its newest entries are in ${path}-wal, and the folder cannot be written; copy both into one that can`,
      { cause },
    );
    this.name = 'NeedsCopy';
  }
}
