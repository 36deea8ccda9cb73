import { DatabaseSync } from 'node:sqlite';
import { openReadOnly } from '../../process/read-only-database.ts';
import { StartError } from '../../process/start-error.ts';
import { identityFrom, type LogIdentity } from '../keys/log-identity.ts';

/** Version of the tables below, kept in `user_version`. */
const schemaVersion = 1;

/** Triggers stop mistakes, not somebody with the file: the proof comes from the checkpoints. */
const schema = `
  CREATE TABLE entry (
    seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL, hash BLOB NOT NULL, leaf BLOB NOT NULL) STRICT;
  CREATE TABLE tile (
    level INTEGER NOT NULL, idx INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (level, idx)) STRICT, WITHOUT ROWID;
  CREATE TABLE checkpoint (
    size INTEGER PRIMARY KEY, root BLOB NOT NULL, note TEXT NOT NULL, created TEXT NOT NULL) STRICT;
  CREATE TABLE anchor (
    size INTEGER NOT NULL, target TEXT NOT NULL, reference TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (target, size)) STRICT;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TRIGGER entry_kept BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'the audit log is write-once'); END;
  CREATE TRIGGER entry_stays BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'the audit log is write-once'); END;
  CREATE TRIGGER tile_grows BEFORE UPDATE ON tile
    WHEN new.level <> old.level OR new.idx <> old.idx
      OR substr(new.bytes, 1, length(old.bytes)) <> old.bytes
    BEGIN SELECT RAISE(ABORT, 'a tile only grows'); END;
  CREATE TRIGGER tile_stays BEFORE DELETE ON tile
    BEGIN SELECT RAISE(ABORT, 'the audit log is write-once'); END;
  CREATE TRIGGER checkpoint_kept BEFORE UPDATE ON checkpoint
    BEGIN SELECT RAISE(ABORT, 'a signed checkpoint stays'); END;
  CREATE TRIGGER checkpoint_stays BEFORE DELETE ON checkpoint
    BEGIN SELECT RAISE(ABORT, 'a signed checkpoint stays'); END;
`;

/**
 * Open the database for its only writer, and create the tables of a new log in one transaction. An
 * entry counts as written once its commit is flushed, hence `synchronous = FULL`.
 */
export function openForWriting(path: string, identity: LogIdentity): DatabaseSync {
  const database = new DatabaseSync(path, { defensive: true });
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; PRAGMA wal_autocheckpoint = 4000`);
    if (versionOf(database) === 0) create(database, identity);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Open the database beside its writer, to read what is committed. */
export function openForReading(path: string): DatabaseSync {
  const database = openReadOnly(path);
  database.exec('PRAGMA trusted_schema = OFF');
  return database;
}

/** Read who the log at `path` is; `undefined` when no log was created there yet. */
export function readIdentity(path: string): LogIdentity | undefined {
  const database = openReadOnly(path);
  try {
    const version = versionOf(database);
    if (version === 0) return undefined;
    if (version > schemaVersion) {
      throw new StartError(
        `the audit log ${path} has format ${version}, newer than the ${schemaVersion} of this version: start the version that wrote it`,
      );
    }
    return storedIdentity(database);
  } finally {
    database.close();
  }
}

/** Who the log in an open database is. */
export function storedIdentity(database: DatabaseSync): LogIdentity {
  const rows = database.prepare('SELECT name, value FROM meta').all();
  const meta = new Map(rows.map(({ name, value }) => [name, String(value)]));
  return identityFrom(meta);
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

function create(database: DatabaseSync, { origin, vkey }: LogIdentity): void {
  database.exec(`BEGIN IMMEDIATE; ${schema}`);
  const insert = database.prepare('INSERT INTO meta VALUES (?, ?)');
  insert.run('origin', origin);
  insert.run('vkey', vkey);
  database.exec(`PRAGMA user_version = ${schemaVersion}; COMMIT`);
}
