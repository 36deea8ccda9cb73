import { setImmediate as turn } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';

/**
 * Close a connection for good. Where its server has just gone, what was sent last fails in this turn
 * of the event loop; in the next one, nobody of the client would hear of that, and the process would
 * end with it.
 */
export async function closeConnection(connection: NatsConnection): Promise<void> {
  await turn();
  await connection.close();
}
