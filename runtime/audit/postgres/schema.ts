import { StartError } from '../../process/start-error.ts';
import { type Connection, inTransaction } from './connection.ts';

/** Version of the tables below, kept in `audit_schema`. */
const schemaVersion = 1;

/** Any number, as long as it is the same in all versions: who makes tables or logs waits for it. */
export const schemaLock = 4_157_531_002;

/**
 * Several logs, one after the other: each successor is a row of `audit_log`, and the newest one is
 * written. Nothing of an older one is changed.
 *
 * The entries are not partitioned. Only the owner of the tables can add a partition, and the server
 * must do without that role: a log would stop for want of one. A log as a whole can be archived once
 * it has a successor.
 *
 * `audit_batch` has one row for each process that ever wrote: its newest batch.
 *
 * Triggers stop mistakes, not the owner of the tables: the proof comes from the checkpoints.
 */
const tables = `
  create table audit_schema (version integer not null);
  create table audit_log (
    id integer primary key, origin text not null unique, created timestamptz not null default now());
  create table audit_meta (
    log integer not null references audit_log, name text collate "C" not null, value text not null,
    primary key (log, name));
  create table audit_head (
    log integer primary key references audit_log, size bigint not null, hash bytea not null,
    root bytea not null, edge bytea not null, time bigint not null, successor text);
  create table audit_entry (
    log integer not null, seq bigint not null check (seq >= 0),
    bytes bytea not null check (length(bytes) <= 65535), hash bytea not null check (length(hash) = 32),
    leaf bytea not null check (length(leaf) = 32), primary key (log, seq));
  create table audit_tile (
    log integer not null, level integer not null, idx bigint not null,
    bytes bytea not null check (length(bytes) <= 8192), primary key (log, level, idx));
  create table audit_checkpoint (
    log integer not null references audit_log, size bigint not null, root bytea not null,
    note text not null, created text not null, primary key (log, size));
  create table audit_anchor (
    log integer not null references audit_log, size bigint not null, target text collate "C" not null,
    reference text not null, at text not null, primary key (log, target, size));
  create table audit_batch (
    replica uuid primary key, log integer not null references audit_log, number bigint not null,
    first bigint not null, count integer not null, at timestamptz not null default now());

  create function audit_refuse() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is write-once: % of % is refused', tg_op, tg_table_name; end $$;
  create function audit_grow() returns trigger language plpgsql as $$
    begin
      if (new.log, new.level, new.idx) is distinct from (old.log, old.level, old.idx)
        or substring(new.bytes from 1 for length(old.bytes)) is distinct from old.bytes
      then raise exception 'a tile only grows'; end if;
      return new;
    end $$;
  create trigger kept before update or delete or truncate on audit_entry
    for each statement execute function audit_refuse();
  create trigger kept before update or delete or truncate on audit_checkpoint
    for each statement execute function audit_refuse();
  create trigger kept before delete or truncate on audit_tile
    for each statement execute function audit_refuse();
  create trigger kept before update or delete or truncate on audit_log
    for each statement execute function audit_refuse();
  create trigger kept before delete or truncate on audit_head
    for each statement execute function audit_refuse();
  create trigger grows before update on audit_tile for each row execute function audit_grow();
  insert into audit_schema values (${schemaVersion});
`;

/**
 * Make the tables unless they are there, all of them or none. Where they are, no right to change
 * them is needed.
 *
 * @throws StartError when they were made by a newer version
 */
export async function ensureTables(connection: Connection): Promise<void> {
  if (await isCurrent(connection)) return;
  await inTransaction(connection, async () => {
    await connection.query('select pg_advisory_xact_lock($1)', [schemaLock]);
    if (!(await isCurrent(connection))) await connection.query(tables);
  });
}

/** Whether the tables are there; `ensureTables` makes them. */
export async function isCurrent(connection: Connection): Promise<boolean> {
  // Not to_regclass: within a transaction it remembers that there was none before another replica
  // made it.
  const made = await connection.query(
    "select 1 from pg_class where relname = 'audit_schema' and pg_table_is_visible(oid)",
  );
  if (made.length === 0) return false;
  const [row] = await connection.query('select version from audit_schema');
  const version = Number(row?.['version']);
  if (version <= schemaVersion) return true;
  throw new StartError(
    `the audit log in the database has format ${version}, newer than the ${schemaVersion} of this version: start the version that wrote it`,
  );
}
