import type { FastifyInstance } from 'fastify';
import { ServiceError } from '#contract/errors';

/** What reads JSON, without members that would change prototypes. */
export type ParseJson = (text: string) => unknown;

/** The framework's own reading of JSON, with what is wrong said in the words of this server. */
export function jsonParser(server: FastifyInstance): ParseJson {
  const parse = server.getDefaultJsonParser('error', 'error');
  /** @throws ServiceError 400 */
  return (text) => {
    let outcome: readonly [Error | null, unknown] = [null, undefined];
    // It reads the text alone, and calls back before it returns.
    parse({} as never, text, (error, value) => {
      outcome = [error, value];
    });
    const [error, value] = outcome;
    if (error) throw new ServiceError('invalid_arguments', 400, refusalOf(text));
    return value;
  };
}

/** What is wrong with a body that is not taken. Nothing of the body is repeated: it may be secret. */
function refusalOf(text: string): string {
  if (text === '') return 'the body must be JSON, but it is empty';
  try {
    // A byte order mark is passed over, as above.
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return `the body must be JSON, but ${placeOf(error, text)}`;
  }
  return 'the body must be JSON without members that change prototypes, but it has "__proto__", or "constructor" with "prototype"';
}

/** Where the text stops being JSON, as far as the parser tells. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof SyntaxError ? error.message : '';
  if (message.startsWith('Unexpected end'))
    return `it ends too early, after ${text.length} characters`;
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  return position === undefined
    ? 'it is something else'
    : `it is wrong after ${position} characters`;
}
