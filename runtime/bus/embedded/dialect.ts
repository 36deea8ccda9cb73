import { type RawBuilder, sql } from 'kysely';
import type { Statements } from '#contract/house/procedures';
import type { Store } from '#contract/house/store';

/** What the two databases say differently. Lists go in as one JSON text, whatever their length. */
export interface Dialect {
  /** The clock that all replicas share, in milliseconds. */
  readonly now: RawBuilder<number>;
  /** Rows of objects, as a table with these columns and their position `n` from 0. */
  rows(
    values: readonly object[],
    columns: Readonly<Record<string, 'text' | 'integer'>>,
  ): RawBuilder<unknown>;
  /** A list to look something up in: `x in ${list}`. */
  list(values: readonly (string | number)[]): RawBuilder<unknown>;
  /** Behind a query whose rows nobody else may change until the transaction ends. */
  readonly lock: RawBuilder<unknown>;
  /** Tell all replicas of something when the transaction is committed, where there are some. */
  notify(channel: string, payload: string): Statements<void>;
}

const sqlite: Dialect = {
  now: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
  rows(values, columns) {
    const members = Object.keys(columns).map(
      (name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`,
    );
    const json = JSON.stringify(values);
    return sql`(select key as n, ${sql.join(members)} from json_each(${json}))`;
  },
  list: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
  // SQLite has one writer at a time.
  lock: sql``,
  *notify() {},
};

const postgres: Dialect = {
  now: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  rows(values, columns) {
    const types = { text: sql`text`, integer: sql`bigint` };
    const members = Object.entries(columns).map(
      ([name, type]) => sql`${sql.ref(name)} ${types[type]}`,
    );
    const json = JSON.stringify(values.map((value, n) => ({ n, ...value })));
    return sql`json_to_recordset(${json}::json) as given(n bigint, ${sql.join(members)})`;
  },
  list(values) {
    const type = typeof values[0] === 'number' ? sql`bigint` : sql`text`;
    return sql`(select value::${type} from json_array_elements_text(${JSON.stringify(values)}::json))`;
  },
  lock: sql`for update`,
  *notify(channel, payload) {
    yield sql`select pg_notify(${channel}, ${payload})`;
  },
};

/** How this database is spoken to. */
export function dialectOf(engine: Store['engine']): Dialect {
  return engine === 'sqlite' ? sqlite : postgres;
}
