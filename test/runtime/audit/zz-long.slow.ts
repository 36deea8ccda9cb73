import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { PostgresServer } from '../store/postgres-server.ts';
import { temporaryFolder } from './audit-note.ts';
import { type Killed, replicaRounds } from './replica-rounds.ts';

/** Of each kind; the series of the reliability report has more. */
const rounds = 15;

const server = await PostgresServer.start();
after(() => server.stop());

for (const kind of [
  'a replica',
  'both replicas',
  'the database',
  'everything',
] satisfies Killed[]) {
  test(`two replicas append, and ${kind} dies: no gap, no fork, nothing lost or doubled`, async (t) => {
    const folder = temporaryFolder(t);
    const figures = await replicaRounds({ server, folder, rounds, kinds: [kind] });
    assert.ok(figures.acknowledged > 0);
    t.diagnostic(JSON.stringify(figures));
  });
}
