import pino, { type Logger, type LoggerOptions } from 'pino';

/** Names under which secrets travel; their values never reach a log. */
const secretNames = [
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'apiKey',
  'api_key',
  'credential',
];

const depths = ['', '*.', '*.*.', '*.*.*.'];

/**
 * Create the log of this process: JSON lines on standard error, so that results stay apart. `onLine`
 * is told each of them as it was written.
 */
export function createLog(
  level: LoggerOptions['level'] & string,
  onLine?: (line: string) => void,
): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: depths.flatMap((depth) => secretNames.map((name) => depth + name)) },
  };
  const out = pino.destination({ dest: 2, sync: true });
  return pino(options, onLine ? { write: (line: string) => writeTo(out, line, onLine) } : out);
}

function writeTo(
  out: { write(line: string): unknown },
  line: string,
  onLine: (line: string) => void,
): void {
  out.write(line);
  onLine(line);
}
