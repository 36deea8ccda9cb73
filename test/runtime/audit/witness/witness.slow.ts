import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { ServiceError } from '#contract/errors';
import type { Witness } from '#contract/house/witness';
import { Cosigner } from '../../../../runtime/audit/keys/cosignature.ts';
import { createWitness } from '../../../../runtime/audit/witness/witness.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { MadeUpLog, madeUpTree, origin } from './witness-logs.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const cosigner = new Cosigner('w.example.com/witness', Buffer.alloc(32, 3));
const log = new MadeUpLog();

/** What a witness says: the size that it has cosigned, or that it refused. */
async function ask(witness: Witness, of: MadeUpLog, from: number, to: number) {
  try {
    const answer = await witness.addCheckpoint(of.body(from, to));
    return answer.kind === 'cosigned' ? to : undefined;
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.status === 422, String(error));
    return undefined;
  }
}

test('PostgreSQL: two replicas of a witness never cosign two histories', async (t) => {
  const stores = await (await server.database(t)).replicas(2);
  const replicas = stores.map((store) =>
    createWitness({ store, logs: [log.vkey], cosigner: () => cosigner }),
  );
  // One of the two histories is cosigned first, and stays the only one.
  const fork = new MadeUpLog(madeUpTree('b', 0));
  let history: MadeUpLog | undefined;
  let size = 0;
  for (let round = 0; round < 40; round++) {
    const from = size;
    const questions = [1, 2, 3, 4].flatMap((more) =>
      replicas.flatMap((witness) =>
        [log, fork].map(async (of) => ({ of, to: await ask(witness, of, from, from + more) })),
      ),
    );
    const cosigned = (await Promise.all(questions)).filter(({ to }) => to !== undefined);
    assert.equal(cosigned.length, 1, `round ${round}`);
    history ??= cosigned[0]?.of;
    assert.equal(cosigned[0]?.of, history);
    size = cosigned[0]?.to ?? 0;
    const held = await Promise.all(replicas.map((witness) => witness.checkpoint(origin)));
    for (const note of held) assert.equal(note?.split('\n')[1], String(size));
  }
});
