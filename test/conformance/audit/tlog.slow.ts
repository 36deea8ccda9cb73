import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { promisify } from 'node:util';
import { addNotes, startAuditServer } from '../../surfaces/audit/audit-server.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'tlogcheck-'));
const program = join(folder, 'tlogcheck');

// Made once: the compiler takes longer than all checks.
before(() => {
  const cwd = join(import.meta.dirname, 'tlogcheck');
  execFileSync('go', ['build', '-o', program, '.'], { cwd });
});

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

for (const size of [1, 2, 255, 256, 257, 600]) {
  test(`Go's note and tlog verify checkpoint, tiles and proofs of ${size} entries`, async (t) => {
    const server = await startAuditServer(t);
    await addNotes(server, size - 1);
    const log = await server.access.open();
    await log.anchorNow();
    const { stdout } = await run(program, [new URL('/', server.url).origin, log.vkey]);
    assert.equal(
      stdout,
      `${size} entries, checkpoint, tiles, inclusion and consistency proofs verified\n`,
    );
  });
}

test('Go refuses a log under the key of another', async (t) => {
  const [server, other] = [await startAuditServer(t), await startAuditServer(t)];
  const { vkey } = await other.access.open();
  await assert.rejects(run(program, [new URL('/', server.url).origin, vkey]), /note has no verif/);
});

test("Go's note opens a rotated log with the old key, the new one and both, while both sign", async (t) => {
  const [first, second] = [5, 6].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const directory = mkdtempSync(join(tmpdir(), 'audit-rotated-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const before = await startAuditServer(t, { log: { directory, key: first } });
  await addNotes(before, 298);
  const { vkey: old } = await before.access.open();
  await before.access.close();

  const both = await startAuditServer(t, { log: { directory, key: second, previousKey: first } });
  await addNotes(both, 300);
  const log = await both.access.open();
  await log.anchorNow();
  const base = new URL('/', both.url).origin;
  for (const keys of [[old], [log.vkey], [old, log.vkey]]) {
    const { stdout } = await run(program, [base, ...keys]);
    assert.match(stdout, /^600 entries, .* verified\n$/);
    assert.equal((await run(program, [base, '300', ...keys])).stdout, '300 proofs verified\n');
  }
  assert.equal((await run(program, [base, '299', old])).stdout, '299 proofs verified\n');
  await assert.rejects(run(program, [base, '299', log.vkey]), /note has no verif/);
  await both.access.close();

  const alone = await startAuditServer(t, { log: { directory, key: second } });
  await addNotes(alone, 1);
  await (await alone.access.open()).anchorNow();
  const later = new URL('/', alone.url).origin;
  assert.match((await run(program, [later, log.vkey])).stdout, /^601 entries, .* verified\n$/);
  await assert.rejects(run(program, [later, old]), /note has no verif/);
  assert.equal((await run(program, [later, '600', old])).stdout, '600 proofs verified\n');
});
