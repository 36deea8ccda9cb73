import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { rotateKeyFile } from '../../../../runtime/audit/succession/rotate.ts';
import { verifyPath } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, logOptions, note, openLog, temporaryFolder } from '../audit-note.ts';

const beside = (name: string) => join(import.meta.dirname, name);

/** Rotate in a process of its own, which dies at this step; gives whether it did. */
async function diesAt(step: string, folder: string): Promise<boolean> {
  const args = ['--import', beside('die-at-step.ts'), beside('rotating-process.ts'), folder];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DIE_AT: step },
    stdio: 'inherit',
  });
  const [code, signal] = await once(child, 'exit');
  assert.ok(signal === 'SIGKILL' || code === 0, `${step}: ended with ${code}`);
  return signal === 'SIGKILL';
}

for (const thread of ['main', 'worker']) {
  test(`killed at any step of the ${thread} thread, a rotation is undone or completed by the next start`, async (t) => {
    const folder = temporaryFolder(t);
    const made = await openLog(t, folder, { key: undefined });
    await appendNotes(made, 20);
    await made.close();
    cpSync(folder, `${folder}-made`, { recursive: true });
    t.after(() => rmSync(`${folder}-made`, { recursive: true }));
    const path = join(folder, 'data', 'audit.sqlite');
    const outcomes = { undone: 0, completed: 0 };

    for (let step = 0; ; step++) {
      rmSync(folder, { recursive: true });
      cpSync(`${folder}-made`, folder, { recursive: true });
      if (!(await diesAt(`${thread}:${step}`, folder))) break;
      const log = await openLog(t, folder, { key: undefined });
      assert.equal(log.status().state, 'open', `${thread}:${step}`);
      assert.equal(log.keys.at(-1)?.vkey, made.vkey);
      if (log.keys.length === 1) outcomes.undone++;
      else outcomes.completed++;
      await log.append(note(step));
      await log.close();

      const again = await rotateKeyFile(logOptions(folder, { key: undefined }));
      await again.close();
      assert.equal(again.keys.length, log.keys.length + 1, 'it can be rotated once more');
      for (const { vkey } of again.keys) assert.deepEqual(verifyPath(path, vkey).issues, []);
      for (const name of readdirSync(join(folder, 'data')).filter((each) => /key/.test(each))) {
        assert.equal(statSync(join(folder, 'data', name)).mode & 0o777, 0o600, name);
      }
    }
    t.diagnostic(`${outcomes.undone} undone, ${outcomes.completed} completed`);
    assert.ok(outcomes.undone > 0 && outcomes.completed > 0);
  });
}
