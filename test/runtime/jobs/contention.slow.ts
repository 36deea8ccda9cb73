import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { after, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { StoreOptions } from '../../../runtime/store/index.ts';
import { PostgresServer } from '../store/postgres-server.ts';

const server = await PostgresServer.start();
after(() => server.stop());

const script = fileURLToPath(new URL('contending-process.ts', import.meta.url));

const kills = 20;

interface Contender {
  readonly child: ChildProcess;
  readonly lines: string[];
}

const skewedClock = new URL('skewed-clock.ts', import.meta.url).href;

function contend(t: TestContext, options: StoreOptions, skewMs: number): Contender {
  const words = [`--import=${skewedClock}`, script, JSON.stringify(options)];
  const child = spawn(process.execPath, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CLOCK_SKEW_MS: String(skewMs) },
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  child.stdout.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')));
  return { child, lines };
}

test(`three processes, their clocks ten minutes apart, and ${kills} times kill -9: the job goes on, and never runs twice at once`, async (t) => {
  const { options } = await server.database(t);
  const all: Contender[] = [];
  const start = () => {
    const contender = contend(t, options, (all.length % 3) * 600_000 - 600_000);
    all.push(contender);
    return contender;
  };
  const alive = [start(), start(), start()];
  for (let kill = 0; kill < kills; kill++) {
    // Kill whoever has just begun a run, in the middle of it.
    const index = await Promise.any(
      alive.map(({ child }, at) => once(child.stdout ?? child, 'data').then(() => at)),
    );
    const victim = alive[index];
    assert.ok(victim);
    victim.child.kill('SIGKILL');
    await once(victim.child, 'exit');
    alive[index] = start();
  }
  const lines = all.flatMap((each) => each.lines);
  assert.ok(lines.length >= kills, `${lines.length} runs`);
  assert.deepEqual(
    lines.filter((line) => line !== 'run'),
    [],
  );
  t.diagnostic(`${lines.length} runs, ${kills} kills, no overlap`);
});
