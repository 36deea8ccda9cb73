import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../process/folders.ts';
import { StartError } from '../process/start-error.ts';

/** A longer log begins anew with the next server. */
const mostLogBytes = 1024 * 1024;

/**
 * As `npm start` has it: memory counts more than the last tenth of speed, and so small a young
 * generation is collected faster than helpers are woken for it.
 */
const nodeOptions = [
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
  '--max-old-space-size=512',
];

/** A server that is about to listen, or to give up. */
export interface StartingServer {
  readonly process: ChildProcess;
  /** What it had written to its log when it ended. */
  logged(): string;
}

/**
 * Start a server for the bridges of a data directory. It goes on when this process ends, so it
 * shares nothing with it: its log is a file in that directory.
 *
 * @throws StartError when that directory cannot be used
 */
export function startServer(dataDir: string): StartingServer {
  const log = openLog(dataDir);
  const before = fstatSync(log).size;
  // JavaScript in a clone, too.
  const command = fileURLToPath(new URL('../cli.js', import.meta.url));
  const args = [...process.execArgv, ...nodeOptions, command, 'stdio', 'serve'];
  // On stdio, clients of the handshake era expect to be asked and to be told of changes.
  const env = {
    ...process.env,
    SERVICE_MCP_SESSIONS: process.env['SERVICE_MCP_SESSIONS'] || 'true',
  };
  const stdio = ['ignore', 'ignore', log] as const;
  const child = spawn(process.execPath, args, { detached: true, env, stdio: [...stdio] });
  child.unref();
  let logged = '';
  child.once('exit', () => {
    logged = textFrom(log, before);
    closeSync(log);
  });
  return { process: child, logged: () => logged };
}

function openLog(dataDir: string): number {
  try {
    makeFolder(dataDir);
    const log = openSync(join(dataDir, 'server.log'), 'a+', 0o600);
    if (fstatSync(log).size > mostLogBytes) ftruncateSync(log);
    return log;
  } catch (error) {
    // Its message has a path of this machine, which is none of the client's business.
    const { code } = error as NodeJS.ErrnoException;
    const text = `the data directory cannot be used (${code}): see SERVICE_DATA_DIR`;
    throw new StartError(text, { cause: error });
  }
}

function textFrom(file: number, position: number): string {
  const text = Buffer.alloc(4096);
  return text.toString('utf8', 0, readSync(file, text, 0, text.length, position)).trim();
}
