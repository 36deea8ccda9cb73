import { StartError } from '../../process/start-error.ts';

/** What the connections of servers are called. */
const serverName = 'agent-tool-server%';

/**
 * Make sure that no server uses a PostgreSQL database; a file has a lock for that.
 *
 * @throws StartError that says how many connections there are
 */
export async function requireNoServer(databaseUrl: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity
       where datname = current_database() and application_name like $1`,
      [serverName],
    );
    const count = Number(rows[0]?.count);
    if (count === 0) return;
    const message = `servers use this database (${count} connections); stop all of them first`;
    throw new StartError(message);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the database cannot be reached: ${reason}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}
