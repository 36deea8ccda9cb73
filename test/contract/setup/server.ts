import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server, in a process of its own, that has the drafted vendor and nothing else. */
export interface ContractServer {
  readonly url: URL;
  stop(): Promise<void>;
}

/**
 * Start the server of a workplace.
 *
 * @param patience seconds after which it gives up a call
 * @throws Error with what it wrote when it does not come up
 */
export async function startServer(
  base: string,
  env: Readonly<Record<string, string>>,
  patience: number,
): Promise<ContractServer> {
  const child = spawn(process.execPath, ['--max-old-space-size=2048', 'runtime/cli.js', 'serve'], {
    cwd: base,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      SERVICE_DATA_DIR: join(base, 'data'),
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_CALL_TIMEOUT: `${patience}s`,
      SERVICE_TOOL_MODE: 'direct',
      SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
      SERVICE_CONTACT: 'contract@example.org',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await firstMatch(child, /http:\/\/(?:127\.0\.0\.1|localhost):\d+/);
  return {
    url: new URL('/mcp', url),
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/**
 * Wait until a process writes what is looked for, and give it.
 *
 * @throws Error with what it wrote instead when it ends before
 */
export async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  const lines: string[] = [];
  const found = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      if (lines.length < 100) lines.push(line);
      const [match] = pattern.exec(line) ?? [];
      if (match !== undefined) found.resolve(match);
    });
  }
  child.once('exit', () => found.reject(new Error(lines.slice(-5).join(' | '))));
  return found.promise;
}
