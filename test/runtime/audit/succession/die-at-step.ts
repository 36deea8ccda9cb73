import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program, ends its process with SIGKILL in front of one of its steps: of the calls
 * that change a file or a database, counted in the main thread (`main:3`) or in its workers
 * (`worker:3`).
 */
const [thread, step] = (process.env['DIE_AT'] ?? '').split(':');
let left = thread === (isMainThread ? 'main' : 'worker') ? Number(step) : Number.POSITIVE_INFINITY;

function countCalls(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`there is no ${name}`);
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return Reflect.apply(original, this, args);
  });
}

for (const name of ['openSync', 'writeSync', 'fsyncSync', 'closeSync', 'renameSync']) {
  countCalls(fs, name);
}
countCalls(DatabaseSync.prototype, 'exec');
countCalls(StatementSync.prototype, 'run');
syncBuiltinESMExports();
