import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '#contract/errors';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { openWork } from './keyed-work.ts';

const script = fileURLToPath(new URL('keyed-process.ts', import.meta.url));
const kills = 10;

test(`${kills} times kill -9 in the middle of calls with keys: nothing is done twice, and nobody pretends to know`, async (t) => {
  const dataDir = temporaryDirectory(t);
  const file = join(dataDir, 'done.txt');
  let next = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const child = spawn(process.execPath, [script, dataDir, file, String(next)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      // After another number of calls each time, at whatever moment of one that is.
      if (text.split('\n').length > 2 + kill) child.kill('SIGKILL');
    });
    await once(child, 'close');
    // A line may have been cut off.
    const lines = text.split('\n').slice(0, -1);
    next = Number(lines.at(-1)) + 1;
  }
  const before = doneIn(file);
  const { store, call } = await openWork(dataDir, file, {
    now: () => Date.now() + 60_000,
  });
  t.after(() => store.close());
  const outcomes = { replayed: 0, unknown: 0, new: 0 };
  for (let number = 0; number < next; number += 1) {
    const was = before.filter((each) => each === number).length;
    try {
      assert.deepEqual(await call(number), { number });
      outcomes[was === 1 ? 'replayed' : 'new'] += 1;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'outcome_unknown', String(error));
      outcomes.unknown += 1;
    }
  }
  const after = doneIn(file);
  assert.equal(new Set(after).size, after.length, 'nothing was done twice');
  assert.ok(outcomes.replayed >= kills, JSON.stringify(outcomes));
  assert.ok(outcomes.unknown <= kills, 'only what ran at a kill is not known');
  t.diagnostic(JSON.stringify(outcomes));
});

function doneIn(file: string): number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split('\n').map(Number);
}
