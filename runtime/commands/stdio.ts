import { once } from 'node:events';
import { createLog } from '../observe/log.ts';
import { readConfiguration } from '../process/configuration.ts';
import { StartError } from '../process/start-error.ts';
import { Bridge } from '../stdio/bridge.ts';
import { Lines } from '../stdio/lines.ts';
import { startServer } from '../stdio/start-server.ts';
import { Upstream } from '../stdio/upstream.ts';
import { type Command, exitCode, UsageError } from './command.ts';
import { stopSignals } from './service-life.ts';

/** Bytes of input that are looked at before it is asked whether there is room for more. */
const pieceBytes = 16 * 1024;

/** So long a client may take to read what is there for it at the end. */
const lastWordsMs = 1000;

/**
 * Speak MCP on standard input and output. The server is the one that runs on the data directory;
 * where there is none, one is started (`stdio serve`) and stays as long as such clients do.
 */
export const stdio: Command = async ([word, ...rest]) => {
  if (rest.length > 0 || (word !== undefined && word !== 'serve')) {
    throw new UsageError('stdio takes nothing more; it speaks MCP on standard input and output');
  }
  if (word === 'serve') return (await import('./stdio-serve.ts')).serveStdio();
  const { config, warnings } = readConfiguration(process.env);
  const log = createLog(config.logLevel);
  for (const warning of warnings) log.warn(warning);
  const { dataDir, maxBodyBytes: maxLineBytes } = config;
  const upstream = new Upstream(dataDir, log, () => startServer(dataDir));
  const bridge = new Bridge({ upstream, output: process.stdout, log, maxLineBytes });
  // The client will ask for something; the server may as well be there by then.
  upstream.connect().catch((error: unknown) => {
    if (error instanceof StartError) log.error(error.message);
  });
  const left = Promise.race([stopSignals().first, once(process.stdout, 'close')]);
  await Promise.race([read(bridge, maxLineBytes), left.then(() => bridge.abort())]);
  upstream.close();
  process.stdin.destroy();
  // What is not read would keep the process; whoever ends a client waits for it (MCP 2025-11-25,
  // lifecycle, shutdown).
  if (!(await bridge.flushed(lastWordsMs))) process.exit(exitCode.success);
  return exitCode.success;
};

/** Take what the client writes until it closes its end, and wait for the answers. */
async function read(bridge: Bridge, limit: number): Promise<void> {
  const lines = new Lines({
    limit,
    line: (bytes) => bridge.take(bytes),
    tooLong: (start, end) => bridge.refuseLong(start, end),
  });
  for await (const chunk of process.stdin) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      lines.push(chunk.subarray(at, at + pieceBytes));
      await bridge.ready();
    }
  }
  lines.finish();
  await bridge.finish();
}
