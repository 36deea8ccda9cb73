import { isObject } from '#contract/json';
import {
  type ApiOperation,
  apiOperations,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import { unsupportedFeatures } from '../../model/vendor/unsupported-features.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { credentialTest } from '../guess/credential-names.ts';
import { guessAuth } from '../guess/guess-auth.ts';
import { guessServer, ownServer, serversOf, usableServer } from '../guess/guess-server.ts';
import { guessOwnAuth } from '../guess/own-auth.ts';
import { isSignature } from '../guess/parameter-credentials.ts';
import { toldServer } from './told-server.ts';

/** What of a description its operations are held against. */
interface Described {
  readonly id: string;
  readonly document: ApiDocument;
  readonly origin: string | undefined;
}

/**
 * Find why requests of an operation would be wrong as they are drafted: what it demands and no tool
 * sends, a credential that no text can carry, a server of its own.
 */
export function obstacles({
  id,
  document,
  origin,
}: Described): (operation: ApiOperation) => string | undefined {
  const guessed = guessAuth(document, id);
  const own = guessOwnAuth(document, id, guessed);
  for (const operation of apiOperations(document).all) own.of(operation);
  const isCredential = credentialTest([guessed.auth, ...own.entries]);
  const { url: usual } = guessServer(document, id, origin);
  const others = (document.root.servers ?? []).filter(isObject);
  const isNamed = others.length > 0 || ownServer(document, origin) !== undefined;
  const unsent = (operation: ApiOperation) => {
    const demanded = own.unsent(operation);
    return demanded === undefined ? undefined : `it takes ${demanded}`;
  };
  // Below the host alone, as the usual one was found: its own path would stand twice.
  const near = origin ?? new URL('/', usual).href;
  const elsewhere = (operation: ApiOperation) => {
    const own = serversOf(operation);
    const urls = (own.length > 0 ? own : others).flatMap(
      (server) => usableServer(server, near)?.url ?? [],
    );
    const told = own.length > 0 ? undefined : toldServer(document, operation, { usual, origin });
    const [first] = told === undefined ? urls : [told];
    if (!isNamed || first === undefined || first === usual) return undefined;
    if (told === undefined && urls.includes(usual)) return undefined;
    return `its server is ${first}: give that an id in servers, and name it in from.server`;
  };
  return (operation) => {
    const [feature] = unsupportedFeatures(document, operation, isCredential).filter(
      ({ prevents }) => prevents,
    );
    return (
      feature?.message ??
      unsent(operation) ??
      signed(document, operation, isCredential) ??
      elsewhere(operation)
    );
  };
}

/** A required header with what is worked out from each request: nobody can give it as an argument. */
function signed(
  document: ApiDocument,
  operation: ApiOperation,
  isCredential: ReturnType<typeof credentialTest>,
): string | undefined {
  const found = parametersOf(document, operation).find(
    (parameter) =>
      parameter.in === 'header' &&
      parameter.required &&
      isSignature(parameter) &&
      !isCredential(parameter.node),
  );
  return found && `its header "${found.name}" is worked out from each request, which no tool does`;
}
