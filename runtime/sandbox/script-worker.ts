import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { cpuMs, Machine } from './machine.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import { ScriptRun } from './script-run.ts';

const { wasm, limits } = workerData as ThreadData;
const port = parentPort;
if (!port) throw new Error('this module is the start of a thread');

// Linux gives each thread a priority of its own: scripts take what others leave.
if (process.platform === 'linux') setPriority(10);

const send = (message: FromThread) => port.postMessage(message);

/** Made while nobody waits for it. */
let next = Machine.create(wasm, limits);
let run: ScriptRun | undefined;

port.on('message', async (message: ToThread) => {
  if (message.kind === 'answer') run?.answer(message.id, message.ok, message.text);
  else if (message.kind === 'stop') run?.stop();
  else {
    run = new ScriptRun(await next, limits, send, () => {
      run = undefined;
      next = Machine.create(wasm, limits);
    });
    send({ kind: 'began', cpuMs: cpuMs() });
    run.begin(message.code);
  }
});
