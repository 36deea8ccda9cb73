import type { FastifyInstance } from 'fastify';
import { ServiceError } from '#contract/errors';
import { jsonFault } from '#contract/text/json-fault';

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

/** What is wrong with a body that is not taken. */
function refusalOf(text: string): string {
  const fault = jsonFault(text);
  if (fault !== undefined) return `the body must be JSON, but ${fault}`;
  return 'the body must be JSON without members that change prototypes, but it has "__proto__", or "constructor" with "prototype"';
}
