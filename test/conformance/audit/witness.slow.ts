import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { before, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createWitnessAnchor } from '../../../runtime/audit/index.ts';
import { Signer } from '../../../runtime/audit/keys/signing-key.ts';
import { appendNotes, openLog } from '../../runtime/audit/audit-note.ts';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { auditRoutes } from '../../surfaces/audit/audit-routes.ts';
import { cosigner, startWitness, temporaryFolder } from '../../surfaces/audit/witness-server.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'witnesscheck-'));
const program = join(folder, 'witnesscheck');
const logKey = new Signer('tools.example.com/audit', Buffer.alloc(32, 7)).vkey;

// Made once: the compiler takes longer than all checks.
before(() => {
  const cwd = join(import.meta.dirname, 'witnesscheck');
  execFileSync('go', ['build', '-o', program, '.'], { cwd });
});

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A signing key as Go's note reads it. */
function signerKey(vkey: string, seed: number): string {
  const [name, id] = vkey.split('+');
  const key = Buffer.concat([Buffer.of(1), Buffer.alloc(32, seed)]).toString('base64');
  return `PRIVATE+KEY+${name}+${id}+${key}`;
}

test("Go's note opens a checkpoint of ours with the keys of its log and of its witness", async (t) => {
  const { anchor } = await startWitness(t, [logKey]);
  const log = await openLog(t, temporaryFolder(t), { anchors: [anchor] });
  await appendNotes(log, 5);
  await log.anchorNow();
  const routes = await auditRoutes({ log });
  const address = new URL('/audit/checkpoint', await startInMemoryServer(t, { routes })).href;
  const { stdout } = await run(program, ['cosigned', address, logKey, cosigner.vkey]);
  assert.equal(stdout, 'tools.example.com/audit and w.example.com/witness have signed\n');
  const stranger = new Signer('tools.example.com/audit', Buffer.alloc(32, 8)).vkey;
  await assert.rejects(
    run(program, ['cosigned', address, stranger, cosigner.vkey]),
    /1 signatures/,
  );
});

test('our witness cosigns a Tessera log while it grows', async (t) => {
  const { vkey } = new Signer('tessera.example.com/log', Buffer.alloc(32, 9));
  const { base } = await startWitness(t, [vkey]);
  const logFolder = join(temporaryFolder(t), 'log');
  const { stdout } = await run(program, [
    'log',
    logFolder,
    signerKey(vkey, 9),
    base,
    cosigner.vkey,
    '12',
  ]);
  assert.equal(stdout, '12 entries are cosigned by w.example.com/witness\n');
});

async function startForeignWitness(t: TestContext): Promise<string> {
  const child = spawn(program, ['witness', logKey, signerKey(cosigner.vkey, 3)]);
  t.after(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the witness did not start');
}

test('a witness built from the packages of others cosigns our log, and notices a rollback', async (t) => {
  const url = await startForeignWitness(t);
  const anchor = () => createWitnessAnchor({ url, vkey: cosigner.vkey });
  const log = await openLog(t, temporaryFolder(t), { anchors: [anchor()] });
  for (const size of [1, 2, 5, 250, 300]) {
    await appendNotes(log, size, size * 1000);
    assert.match((await log.anchorNow()).note, /\n— w\.example\.com\/witness \S+\n$/);
  }
  await log.close();
  const restarted = await openLog(t, temporaryFolder(t), { anchors: [anchor()] });
  assert.equal(restarted.status().state, 'rolled_back');
});
