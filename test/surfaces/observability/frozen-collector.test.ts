import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { OutboundError } from '#contract/house/outbound';
import { createSighup } from '../../../runtime/surfaces/observability/collector-apply/sighup.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { serveObservability } from './observing-server.ts';

/** A process that is taken for the collector, and takes SIGHUP. */
async function runStandIn(t: TestContext, folder: string): Promise<number> {
  const program = join(folder, 'collector.cjs');
  writeFileSync(
    program,
    "process.on('SIGHUP', () => {}); setInterval(() => {}, 1000); process.stdout.write('up');",
  );
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? assert.fail();
}

async function stop(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  while (!/\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await pause(5);
}

test('a collector that is stopped is not waited for, and the former file is back', async (t) => {
  const folder = join(temporaryDirectory(t), 'collector');
  mkdirSync(folder);
  const file = join(folder, 'collector.yaml');
  const pid = await runStandIn(t, folder);
  const { post, register, written } = await serveObservability(t, {
    SERVICE_OBSERVABILITY_COLLECTOR_OUTPUT_PATH: file,
    SERVICE_COLLECTOR_RELOAD_PID: String(pid),
  });
  const former = '# what was there before\n';
  writeFileSync(file, former);
  await register({
    ...{ id: 'l', signalType: 'log', kind: 'loki', endpoint: 'http://127.0.0.1:3100' },
  });
  await stop(pid);
  const { status, body } = await post('/observability/collector/apply', {});
  assert.deepEqual([status, body['error'], body['state']], [502, 'reload_failed', 'rolled_back']);
  assert.match(String(body['reason']), /\(process \d+\) is stopped and reloads nothing/);
  assert.equal(readFileSync(file, 'utf8'), former);
  assert.equal((await written('OBSERVABILITY_COLLECTOR_RELOAD_FAILED')).length, 1);
});

test('a health port that accepts and never answers gets no more than the time there is', async (t) => {
  const folder = temporaryDirectory(t);
  const pid = await runStandIn(t, folder);
  const given: number[] = [];
  const reloader = createSighup({
    ...{ pid: String(pid), binary: undefined, outputPath: folder, now: Date.now },
    healthUrl: 'http://127.0.0.1:13133/',
    backEnds: {
      async fetch(_, { timeoutMs = 0 }) {
        given.push(timeoutMs);
        await pause(timeoutMs);
        throw new OutboundError('timeout', 'no answer came');
      },
    },
  });
  const withinMs = 400;
  const { signal } = new AbortController();
  await assert.rejects(reloader.reload(signal, withinMs), /not healthy again within 400 ms/);
  // It was told before the last look, and the looks together have no more time than that.
  assert.ok(given.length >= 2, given.join());
  const sum = given.reduce((all, each) => all + each, 0);
  assert.ok(sum <= withinMs + 40, given.join());
});
