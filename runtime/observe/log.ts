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

/** Create the log of this process: JSON lines on standard error, so that results stay apart. */
export function createLog(level: LoggerOptions['level'] & string): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: depths.flatMap((depth) => secretNames.map((name) => depth + name)) },
  };
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
