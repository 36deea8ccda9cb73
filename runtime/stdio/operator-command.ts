import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ServiceError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import { readBody } from '../process/body/read-body.ts';

/** What an operator asks a server to do, by the words of the command line. */
export interface OperatorCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

/** Takes one command, as JSON; whoever can open the socket is the operator. */
export const commandPath = '/command';

/** Everything that an operator has typed, as JSON. */
const mostCommandBytes = 65_536;

export interface CommandParts {
  /** What surfaces do at the terminal, by the first word of the command. */
  readonly commands: Readonly<Record<string, SurfaceCommand>>;
  readonly log: Logger;
}

/**
 * Do what an operator asks for, and answer with what is printed, or with why nothing is: JSON with
 * a member `text` or `detail`.
 */
export function answerCommand(
  parts: CommandParts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  readBody(request, mostCommandBytes, async (body) => {
    const { status, told } = await run(parts, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(told));
  });
}

async function run({ commands, log }: CommandParts, body: Buffer | string) {
  try {
    const { name, words, options } = parse(body);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) {
      const detail = `no surface that is enabled at the server that runs knows ${name}`;
      return { status: 404, told: { detail } };
    }
    return { status: 200, told: { text: await command(words, options) } };
  } catch (error) {
    if (error instanceof ServiceError) {
      return { status: error.status, told: { detail: error.message } };
    }
    log.error({ err: error }, 'a command of the operator has failed');
    return { status: 500, told: { detail: (error as Error).message } };
  }
}

function parse(body: Buffer | string): OperatorCommand {
  const expected = 'a command is {"name": string, "words": strings, "options": {string: string}}';
  const value = typeof body === 'string' ? undefined : parsed(body);
  if (!isObject(value)) {
    const given = typeof body === 'string' ? body : 'no JSON object';
    throw new ServiceError('invalid_arguments', 400, `${expected}; this is ${given}`);
  }
  const { name, words, options } = value;
  const isText = (each: unknown) => typeof each === 'string';
  const isCommand =
    isText(name) &&
    Array.isArray(words) &&
    words.every(isText) &&
    isObject(options) &&
    Object.values(options).every(isText);
  if (!isCommand) throw new ServiceError('invalid_arguments', 400, expected);
  return value as unknown as OperatorCommand;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
