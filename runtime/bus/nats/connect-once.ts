import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Link } from './nats-connection.ts';
import { connectionOptions, type NatsAddress } from './server-address.ts';

/** Time of one attempt to connect, and of an answer. */
const answerMs = 10_000;

/**
 * Connect for the time of a command; whoever does closes the connection.
 *
 * @throws what the client throws where the server cannot be reached, or refuses
 */
export async function connectOnce(address: NatsAddress): Promise<Link> {
  const connection = await connect({
    ...connectionOptions(address),
    ...{ name: 'agent-tool-server command', timeout: answerMs },
  });
  const options = { timeout: answerMs };
  const manager = await jetstreamManager(connection, { ...options, checkAPI: false });
  return { connection, manager, client: jetstream(connection, options) };
}
