import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import {
  Cosigner,
  openCosignature,
  parseWitnessKey,
} from '../../../../runtime/audit/keys/cosignature.ts';
import { isSignedBy, parseVerifierKey } from '../../../../runtime/audit/verify/verify.ts';
import { createWitness } from '../../../../runtime/audit/witness/witness.ts';
import { createStore } from '../../../../runtime/store/index.ts';
import { temporaryFolder } from '../audit-note.ts';
import { MadeUpLog, madeUpTree, origin } from './witness-logs.ts';

const log = new MadeUpLog();
const fork = new MadeUpLog(madeUpTree('b', 5));
const cosigner = new Cosigner('w.example.com/witness', Buffer.alloc(32, 3));
const now = 1_700_000_000;

async function openStore(t: TestContext, dataDir = temporaryFolder(t)) {
  const store = createStore({ dataDir });
  await store.open();
  t.after(() => store.close());
  return store;
}

async function start(t: TestContext, logs: readonly string[] = [log.vkey]) {
  const store = await openStore(t);
  const reports: string[] = [];
  const evidence: object[] = [];
  const witness = createWitness({
    store,
    logs,
    cosigner: () => cosigner,
    clock: { now: () => now * 1000 + 5 },
    report(message, shown) {
      reports.push(message);
      evidence.push(shown);
    },
  });
  return { witness, reports, evidence, store };
}

function status(code: number) {
  return (error: unknown) => error instanceof ServiceError && error.status === code;
}

test('a log that grows is cosigned, and cosigned again (C2SP tlog-witness)', async (t) => {
  const { witness } = await start(t);
  for (const [from, to] of [
    [0, 3],
    [3, 8],
    [8, 8],
    [8, 300],
  ] as const) {
    const answer = await witness.addCheckpoint(log.body(from, to));
    assert.equal(answer.kind, 'cosigned');
    const { note } = log.checkpoint(to);
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    assert.equal(
      openCosignature(text, answer.lines, parseWitnessKey(cosigner.vkey), now),
      answer.lines,
    );
    assert.equal(await witness.checkpoint(origin), note + answer.lines);
  }
});

test('who is mistaken about the size hears it, and nothing is cosigned: 409', async (t) => {
  const { witness } = await start(t);
  assert.deepEqual(await witness.addCheckpoint(log.body(2, 4)), { kind: 'conflict', size: 0 });
  await witness.addCheckpoint(log.body(0, 4));
  for (const [from, to] of [
    [0, 8],
    [3, 8],
    [5, 8],
    [0, 3],
    [3, 3],
  ] as const) {
    assert.deepEqual(await witness.addCheckpoint(log.body(from, to)), {
      kind: 'conflict',
      size: 4,
    });
  }
  assert.match((await witness.checkpoint(origin)) ?? '', /^tools.example.com\/audit\n4\n/);
});

test('a log that does not continue its past is refused: 422, and 409 at the same size', async (t) => {
  const { witness, reports, evidence } = await start(t);
  await witness.addCheckpoint(log.body(0, 8));
  const held = await witness.checkpoint(origin);
  await assert.rejects(witness.addCheckpoint(fork.body(8, 9)), status(422));
  assert.deepEqual(evidence, [{ offered: fork.checkpoint(9).note, held }]);
  assert.deepEqual(await witness.addCheckpoint(fork.body(8, 8)), { kind: 'conflict', size: 8 });
  await assert.rejects(witness.addCheckpoint(log.body(8, 9, [])), status(422));
  await assert.rejects(witness.addCheckpoint(log.body(8, 8, log.proof(8, 9))), status(422));
  const message = `the audit log ${origin} does not continue what was cosigned`;
  assert.deepEqual(reports, [
    `${message}: no proof of consistency`,
    `${message}: another root of the same size`,
  ]);
  const shorter = new MadeUpLog(madeUpTree('b', 8));
  assert.equal((await witness.addCheckpoint(shorter.body(8, 12))).kind, 'cosigned');
});

test('the first checkpoint has no proof: 422', async (t) => {
  const { witness } = await start(t);
  await assert.rejects(witness.addCheckpoint(log.body(0, 3, log.proof(1, 3))), status(422));
});

test('logs that are not watched are 404, signatures of unknown keys 403', async (t) => {
  const { witness } = await start(t);
  const stranger = new MadeUpLog(madeUpTree(), { name: 'other.example.com/audit' });
  const thief = new MadeUpLog(madeUpTree(), { key: 8 });
  await assert.rejects(witness.addCheckpoint(stranger.body(0, 3)), status(404));
  await assert.rejects(witness.addCheckpoint(thief.body(0, 3)), status(403));
  const unsigned = log.body(0, 3).replace(/ \S+\n$/, ` ${Buffer.alloc(68).toString('base64')}\n`);
  await assert.rejects(witness.addCheckpoint(unsigned), status(403));
  assert.equal(await witness.checkpoint(origin), undefined);
});

test('signatures of unknown keys are ignored, and not kept', async (t) => {
  const { witness } = await start(t);
  const thief = new MadeUpLog(madeUpTree(), { key: 8 }).checkpoint(3).note.split('\n')[4];
  const [head, own] = log.body(0, 3).split('\n— ');
  const answer = await witness.addCheckpoint(`${head}\n${thief}\n— ${own}`);
  assert.equal(answer.kind, 'cosigned');
  const kept = (await witness.checkpoint(origin)) ?? '';
  assert.equal(kept, log.checkpoint(3).note + answer.lines);
});

test('while a log signs with two keys, both signatures are kept', async (t) => {
  const next = new MadeUpLog(madeUpTree(), { key: 8 });
  const { witness } = await start(t, [log.vkey, next.vkey]);
  const second = next.checkpoint(3).note.split('\n')[4];
  const answer = await witness.addCheckpoint(`${log.body(0, 3)}${second}\n`);
  assert.equal(answer.kind, 'cosigned');
  const kept = await witness.checkpoint(origin);
  assert.equal(kept, `${log.checkpoint(3).note}${second}\n${answer.lines}`);
});

test('a log may change its key, while both are known', async (t) => {
  const next = new MadeUpLog(madeUpTree(), { key: 8 });
  const { witness } = await start(t, [log.vkey, next.vkey]);
  await witness.addCheckpoint(log.body(0, 3));
  assert.equal((await witness.addCheckpoint(next.body(3, 5))).kind, 'cosigned');
  assert.ok(isSignedBy((await witness.checkpoint(origin)) ?? '', parseVerifierKey(next.vkey)));
});

const sound = log.body(2, 5);
const malformed: Readonly<Record<string, string>> = {
  nothing: '',
  'no old line': sound.replace(/^old 2\n/, ''),
  'a leading zero': sound.replace('old 2', 'old 02'),
  'a sign': sound.replace('old 2', 'old +2'),
  'a size beyond 2^53': sound.replace('old 2', 'old 9007199254740992'),
  'old larger than the checkpoint': log.body(2, 5).replace('old 2', 'old 6'),
  'a hash of 31 bytes': sound.replace(/\n\S{44}\n/, `\n${Buffer.alloc(31).toString('base64')}\n`),
  'a hash without padding': sound.replace('=\n', '\n'),
  '64 hashes': `old 2\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}\n${log.checkpoint(5).note}`,
  'no checkpoint': sound.slice(0, sound.indexOf('\n\n') + 2),
  'no signature': sound.slice(0, sound.indexOf('— ')),
  'no newline at the end': sound.slice(0, -1),
  'carriage returns': sound.replaceAll('\n', '\r\n'),
  'a control character': sound.replace('audit\n5', 'au\tdit\n5'),
};
for (const [what, body] of Object.entries(malformed)) {
  test(`a request with ${what} is 400`, async (t) => {
    const { witness } = await start(t);
    await assert.rejects(witness.addCheckpoint(body), status(400));
  });
}

test('of many requests at once, none takes back what another one was told', async (t) => {
  const { witness } = await start(t);
  await witness.addCheckpoint(log.body(0, 1));
  const bodies = [2, 3, 4, 5, 6, 7, 8, 9].map((to) => log.body(1, to));
  const answers = await Promise.all(bodies.map((body) => witness.addCheckpoint(body)));
  assert.equal(answers.filter(({ kind }) => kind === 'cosigned').length, 1);
});

test('what was cosigned is known after a restart', async (t) => {
  const { witness, store } = await start(t);
  await witness.addCheckpoint(log.body(0, 8));
  const again = createWitness({ store, logs: [log.vkey], cosigner: () => cosigner });
  await assert.rejects(again.addCheckpoint(fork.body(8, 9)), status(422));
  assert.equal((await again.addCheckpoint(log.body(8, 9))).kind, 'cosigned');
});

test('whatever the sizes, only what continues the past is cosigned (RFC 6962 section 2.1.2)', async (t) => {
  const sizes = fc.record({
    first: fc.integer({ min: 1, max: 600 }),
    more: fc.integer({ min: 0, max: 600 }),
    forkedAt: fc.integer({ min: 0, max: 1200 }),
  });
  const store = await openStore(t);
  await fc.assert(
    fc.asyncProperty(sizes, async ({ first, more, forkedAt }) => {
      await store.db.deleteFrom('witnessed_log').execute();
      const witness = createWitness({ store, logs: [log.vkey], cosigner: () => cosigner });
      await witness.addCheckpoint(log.body(0, first));
      const second = new MadeUpLog(madeUpTree('b', forkedAt));
      const answer = witness.addCheckpoint(second.body(first, first + more));
      if (forkedAt >= first) assert.equal((await answer).kind, 'cosigned');
      else if (more === 0) assert.deepEqual(await answer, { kind: 'conflict', size: first });
      else await assert.rejects(answer, status(422));
    }),
    { numRuns: 150 },
  );
});
