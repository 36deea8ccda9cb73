import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../process/start-error.ts';
import { flushFolder } from '../keys/key-files.ts';
import { databasePath } from '../log/database-path.ts';
import { lockDirectory } from '../log/directory-lock.ts';

/** The database first: what is left beside it belongs to the one that went. */
const suffixes = ['', '-wal', '-shm'];

/** Where a successor is made, while the old log stays in its place. */
export function unfinishedPath(directory: string): string {
  return join(directory, 'audit.successor.new.sqlite');
}

/** A successor that is whole, with the entries that name the old head. */
function successorPath(directory: string): string {
  return join(directory, 'audit.successor.sqlite');
}

/** Forget what an interrupted succession has left, as long as nothing was set aside for it. */
export function forgetUnfinished(directory: string): void {
  for (const path of [unfinishedPath(directory), successorPath(directory)]) {
    for (const suffix of suffixes) rmSync(path + suffix, { force: true });
  }
}

/** Set the old log aside under a number, and put the finished successor in its place. */
export function putSuccessor(directory: string): void {
  const unlock = lockDirectory(directory);
  try {
    const made = unfinishedPath(directory);
    if (existsSync(`${made}-wal`)) throw new StartError(`${made} could not be closed`);
    renameSync(made, successorPath(directory));
    flushFolder(directory);
    const path = databasePath(directory);
    if (existsSync(path)) renameSync(path, asideFor(directory, ''));
    completeSuccession(directory);
  } finally {
    unlock();
  }
}

/**
 * Go on where `putSuccessor` was interrupted, after the old database has gone aside: beside the
 * write-ahead log of another one, a database would be damaged by it.
 */
export function completeSuccession(directory: string): void {
  const [path, successor] = [databasePath(directory), successorPath(directory)];
  if (existsSync(path) || !existsSync(successor)) return;
  for (const suffix of suffixes) {
    if (existsSync(path + suffix)) renameSync(path + suffix, asideFor(directory, suffix));
  }
  renameSync(successor, path);
  flushFolder(directory);
}

/** The name of the database that went last, or of the next one; with the suffix of what is beside. */
function asideFor(directory: string, suffix: string): string {
  let count = 1;
  while (existsSync(join(directory, `audit.${count}.sqlite`))) count++;
  return join(directory, `audit.${suffix === '' ? count : count - 1}.sqlite${suffix}`);
}
