import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from './temporary-directory.ts';

/**
 * Run a program on a file system of its own that holds 2 MiB, in the folder that its last argument
 * names, and give what it prints. Where no file system may be mounted, no file may grow beyond 800 KiB
 * instead, which SQLite takes for the same; `SMALL_DISK` tells the program which of both it has.
 */
export function runOnSmallDisk(t: TestContext, program: string): Record<string, unknown> {
  const folder = temporaryDirectory(t);
  const mount = 'mount -t tmpfs -o size=2m,mode=700 tmpfs "$0"';
  const mounted = spawnSync('unshare', ['-rm', 'sh', '-c', mount, folder]).status === 0;
  const words = [process.execPath, program, folder];
  const run = mounted
    ? spawnSync('unshare', ['-rm', 'sh', '-c', `${mount} && exec "$@"`, folder, ...words], {
        encoding: 'utf8',
        env: { ...process.env, SMALL_DISK: 'tmpfs' },
      })
    : spawnSync('bash', ['-c', 'ulimit -S -f 800; trap "" XFSZ; exec "$0" "$@"', ...words], {
        encoding: 'utf8',
        env: { ...process.env, SMALL_DISK: 'limit' },
      });
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}
