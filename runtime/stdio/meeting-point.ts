import { once } from 'node:events';
import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isObject } from '#contract/json';
import { makeDataFolder } from '../process/folders.ts';
import { version } from '../process/version.ts';

/** Where the server of a data directory is reached. */
export interface Meeting {
  readonly socket: string;
  readonly pid: number;
  readonly version: string;
}

const fileName = 'server.json';
const socketName = 'server.sock';
const folderPrefix = 'agent-tool-server-';

/** The system cuts a longer path of a socket, or refuses it: 104 bytes on macOS, 108 on Linux. */
const longestPath = 100;

/** The server of this data directory, as it has said when it began to listen. */
export function readMeeting(dataDir: string): Meeting | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8'));
    if (!isObject(value) || typeof value['socket'] !== 'string') return undefined;
    const { socket, pid, version } = value;
    // In a shared folder, somebody else could have put one in the place of ours.
    if (lstatSync(socket).uid !== process.getuid?.()) return undefined;
    return { socket, pid: Number(pid), version: String(version) };
  } catch {
    return undefined;
  }
}

/** Another process is the server of this data directory. */
export class PlaceTaken extends Error {}

/**
 * The place where bridges find the server of a data directory. Whoever holds it is the only one
 * that listens there; the system takes it back however the process ends.
 */
export class MeetingPoint {
  readonly #dataDir: string;
  readonly #lock: { close(): void };

  /** @throws PlaceTaken when another process holds it */
  constructor(dataDir: string) {
    this.#lock = lock(dataDir);
    this.#dataDir = realpathSync(dataDir);
    this.#clear();
  }

  /** Let the server listen, and say where. Nobody but this user can connect. */
  async listen(server: Server): Promise<void> {
    const socket = await this.#bind(server);
    const text = JSON.stringify({ socket, pid: process.pid, version } satisfies Meeting);
    const path = join(this.#dataDir, fileName);
    writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** Be found no more; whoever holds the place next may begin as soon as it is released. */
  leave(): void {
    this.#clear();
  }

  release(): void {
    this.#lock.close();
  }

  /** In the data directory; where its path is too long or its file system has no sockets, elsewhere. */
  async #bind(server: Server): Promise<string> {
    const inside = join(this.#dataDir, socketName);
    if (Buffer.byteLength(inside) <= longestPath) {
      const isBound = await bind(server, inside).then(
        () => true,
        () => false,
      );
      if (isBound) return inside;
    }
    const socket = join(makeFolder(), socketName);
    await bind(server, socket);
    return socket;
  }

  /** Take away what this server has left there, or one that was killed. */
  #clear(): void {
    const meeting = readMeeting(this.#dataDir);
    rmSync(join(this.#dataDir, fileName), { force: true });
    rmSync(join(this.#dataDir, socketName), { force: true });
    const folder = dirname(meeting?.socket ?? '');
    if (!basename(folder).startsWith(folderPrefix) || folder === this.#dataDir) return;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** SQLite's lock on an empty database: it costs no write, and the system gives it back. */
function lock(dataDir: string): DatabaseSync {
  makeDataFolder(dataDir);
  const held = new DatabaseSync(join(dataDir, 'server.lock'), { timeout: 0 });
  try {
    held.exec('BEGIN EXCLUSIVE');
    return held;
  } catch (error) {
    held.close();
    const isBusy = (error as { errcode?: number }).errcode === 5;
    throw isBusy ? new PlaceTaken('another process has the place', { cause: error }) : error;
  }
}

/** Only its owner can look into it, and its name cannot be foreseen. */
function makeFolder(): string {
  const roots = [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp'];
  let failure: unknown;
  for (const root of roots) {
    if (!root || Buffer.byteLength(root) + 40 > longestPath) continue;
    try {
      return mkdtempSync(join(root, folderPrefix));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function bind(server: Server, path: string): Promise<void> {
  // The socket is made before listen() returns.
  const before = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}
