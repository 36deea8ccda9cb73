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
