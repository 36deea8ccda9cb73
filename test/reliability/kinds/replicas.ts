import { type Killed, replicaRounds } from '../../runtime/audit/postgres/replica-rounds.ts';
import type { PostgresServer } from '../../runtime/store/postgres-server.ts';
import { type Campaign, freshFolder } from '../engine.ts';
import { type Figures, Tally } from '../tally.ts';

/** Kills while two replicas append to one log; each of their moments has appends under way. */
export async function auditReplicas(
  campaign: Campaign,
  server: PostgresServer,
  killed: Killed,
): Promise<Figures> {
  const { engine, rounds, random } = campaign;
  const tally = new Tally(engine.name, `log: ${killed}`);
  const folder = freshFolder(campaign);
  const figures = await replicaRounds({ server, folder, rounds, kinds: [killed], random });
  for (let round = 0; round < figures.rounds; round++) tally.killed({ place: 'within' });
  // Each round has compared, verified, and seen that what was killed goes on by itself.
  tally.count('acknowledged', figures.acknowledged);
  tally.count('written', figures.written);
  tally.count('verified', figures.rounds);
  tally.count('restarts', figures.rounds);
  return tally.figures;
}
