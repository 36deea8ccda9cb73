import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { ToolError } from '#contract/errors';
import { decompress } from '../call/decompress.ts';
import { unreadable } from '../call/unusable-answer.ts';
import { decoderOf, digest } from './digest.ts';
import type { FromThread, ThreadLimits, ToThread } from './messages.ts';

const { maxBytes, mostWeight } = workerData as ThreadLimits;
const port = parentPort;
if (!port) throw new Error('this module is the start of a thread');

// Linux gives each thread a priority of its own: other calls come first.
if (process.platform === 'linux') setPriority(5);

port.on('message', async (job: ToThread) => {
  port.postMessage(await answerTo(job));
});

async function answerTo(job: ToThread): Promise<FromThread> {
  try {
    const { buffer, byteOffset, byteLength } = job.body;
    const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    const { coding } = job;
    const body = coding === undefined ? bytes : await decompress(bytes, coding, maxBytes);
    return { ok: true, digested: digest(job, body, decoderOf(job.plan, mostWeight)) };
  } catch (error) {
    const { code, message, detail } =
      error instanceof ToolError ? error : unreadable('it defeats whatever reads it');
    return { ok: false, code, message, detail };
  }
}
