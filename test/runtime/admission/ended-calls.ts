import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { Call } from '../../../runtime/admission/call.ts';
import { terminalArrival } from '../../../runtime/admission/http-arrival.ts';
import { authenticateLocal } from '../../../runtime/admission/local-caller.ts';
import { RunningCalls } from '../../../runtime/admission/running-calls.ts';

/**
 * Ends calls in a thread, and tells how many bytes each has left among the old objects. It is a
 * thread because the runner of tests notes every promise that is made beneath a test until the
 * promise is collected: those notes would be measured, not the calls.
 */

const calls = 20_000;
const caller = authenticateLocal(terminalArrival);
const running = new RunningCalls(10_000);

setFlagsFromString('--expose-gc');
// There is no other way to reach it once the process runs.
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/** Twice, for what survives that has become old: nothing depends on when V8 collects by itself. */
function oldBytes(): number | undefined {
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  return space?.space_used_size;
}

async function settle(): Promise<void> {
  for (let at = 0; at < calls; at++) await running.settle(new Call(caller), Promise.resolve(at));
}

// What V8 compiles for it is old, too.
await settle();
const before = oldBytes();
await settle();
const after = oldBytes();
// V8 may name its old space otherwise.
const each = before === undefined || after === undefined ? undefined : (after - before) / calls;
parentPort?.postMessage(each);
