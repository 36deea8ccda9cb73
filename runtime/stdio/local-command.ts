import { json } from 'node:stream/consumers';
import { ServiceError } from '#contract/errors';
import { isObject } from '#contract/json';
import { StartError } from '../process/start-error.ts';
import { version } from '../process/version.ts';
import { isUnreachable, sendLocally } from './local-request.ts';
import { type Meeting, readMeeting } from './meeting-point.ts';
import { commandPath, type OperatorCommand } from './operator-command.ts';

/** How long the server that runs may take. */
const patienceMs = 30_000;

/**
 * Let the server that runs on this data directory do what the operator asks for, and give what is
 * printed; nothing where none runs there.
 *
 * @throws ServiceError where it is not understood
 * @throws StartError where the server could not do it
 */
export async function commandLocally(
  dataDir: string,
  command: OperatorCommand,
): Promise<string | undefined> {
  const meeting = readMeeting(dataDir);
  if (!meeting) return undefined;
  try {
    const answer = await sendLocally({
      socketPath: meeting.socket,
      method: 'POST',
      path: commandPath,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(command)),
      patienceMs,
    });
    return read(answer.statusCode ?? 0, await json(answer), meeting);
  } catch (error) {
    if (isUnreachable(error)) return undefined;
    if (error instanceof StartError || error instanceof ServiceError) throw error;
    const reason = (error as Error).message;
    throw new StartError(
      `the server that runs as process ${meeting.pid} did not do it: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

function read(status: number, told: unknown, { pid, version: other }: Meeting): string {
  const { text, detail } = isObject(told) ? told : {};
  if (status === 200 && typeof text === 'string') return text;
  if (typeof detail !== 'string') {
    throw new StartError(
      `the server that runs as process ${pid} has version ${other} and does not know commands of version ${version}; restart it`,
    );
  }
  if (status < 500) throw new ServiceError('invalid_arguments', status, detail);
  throw new StartError(`the server that runs as process ${pid} could not do it: ${detail}`);
}
