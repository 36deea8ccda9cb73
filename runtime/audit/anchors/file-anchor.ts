import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AuditCheckpoint } from '#contract/house/audit';
import type { Anchor, AnchoredLog } from './anchor.ts';
import { requireSameLog } from './same-log.ts';

const keepEveryMs = 3_600_000;

/**
 * Keeps checkpoints in a folder on other storage: the newest under `newest`, and one an hour for
 * ever under its size. A folder for each log, named by its origin. Several replicas may share it.
 */
export function createFileAnchor(folder: string): Anchor {
  const target = `file:${folder}`;
  // Replicas do not write into the files of each other before those have their names.
  const suffix = `.${randomUUID()}.new`;
  let keptAt = Number.NEGATIVE_INFINITY;
  /** What this process has left there: it needs no proof. */
  let kept: Pick<AuditCheckpoint, 'note' | 'size'> | undefined;
  let running: Promise<unknown> | undefined;

  async function put(checkpoint: AuditCheckpoint, log: AnchoredLog): Promise<string | undefined> {
    const { note, size } = checkpoint;
    const place = join(folder, folderName(log.origin));
    const newest = join(place, 'newest');
    await makeFolder(place);
    await writeFlushed(newest + suffix, note);
    // The anchor never goes back: the memory of a larger log is what it is for.
    const known = await readIfThere(newest);
    const there =
      known !== undefined && known === kept?.note
        ? kept.size
        : await requireSameLog({ place: newest, note: known }, checkpoint, log);
    if (there > size) {
      await rm(newest + suffix);
      return undefined;
    }
    await rename(newest + suffix, newest);
    kept = { note, size };
    const reference = await keepForEver(place, checkpoint);
    await flushFolder(place);
    return reference ?? newest;
  }

  /** What is kept is never replaced. */
  async function keepForEver(place: string, { note, size }: AuditCheckpoint) {
    if (performance.now() - keptAt < keepEveryMs) return undefined;
    keptAt = performance.now();
    await removeLeftBehind(place);
    const path = join(place, String(size).padStart(20, '0'));
    if (await readIfThere(path)) return path;
    await writeFlushed(path + suffix, note);
    await rename(path + suffix, path);
    return path;
  }

  return {
    target,
    everyMs: 0,
    newest: (origin) => readIfThere(join(folder, folderName(origin), 'newest')),
    async put(checkpoint, log) {
      // A file system that has gone away would take one thread after the other.
      if (running !== undefined) throw new Error(`${folder} has not taken the last checkpoint yet`);
      const work = put(checkpoint, log).finally(() => {
        running = undefined;
      });
      running = work;
      return work;
    },
  };
}

function folderName(origin: string): string {
  return encodeURIComponent(origin).replace(/^\./, '%2E');
}

/** Make a folder and those above it. Node's own `recursive` tries for ever where nothing can be made. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const above = dirname(path);
    if (isCode(error, 'EEXIST')) return;
    if (!isCode(error, 'ENOENT') || above === path) throw error;
    await makeFolder(above);
    await make().catch((second: unknown) => {
      if (!isCode(second, 'EEXIST')) throw second;
    });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** It gets its own name afterwards, under which a file is whole or not there. */
async function writeFlushed(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function flushFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

/** Processes that died while they wrote have left files without a name. */
async function removeLeftBehind(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.endsWith('.new')) continue;
    const path = join(place, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > keepEveryMs) await rm(path, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
