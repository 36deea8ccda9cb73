import {
  type ApiOperation,
  type ApiParameter,
  apiOperations,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type GuessedAuth, tokenOf } from './auth-candidate.ts';
import { isDemandedCredential } from './credential-names.ts';
import { demandsOf, readSchemes } from './guess-auth.ts';
import { placeOf, type Schemes } from './joined-way.ts';
import { isSignature, schemeOfParameter } from './parameter-credentials.ts';
import type { ReadScheme } from './security-schemes.ts';

/** What an operation demands one of, each of several that are sent together. */
export interface OperationDemands {
  readonly sets: readonly (readonly string[])[];
  readonly schemes: Schemes;
  /** Whether the usual credential satisfies it. */
  readonly isSent: boolean;
}

/** Who a key belongs to, where a header says it that is demanded with that key and never without: `Api-Username`. */
const owner =
  /^(?:x[-_])?(?:[a-z\d]+[-_]){0,2}(?:account|app(?:lication)?|client|consumer|e?mail|login|merchant|user(?:name)?)(?:[-_]?(?:id|name))?$/i;

/** The name of the usual credential where that is a parameter and no declared scheme. */
export const usualParameter = 'usual';

/**
 * What operations demand: of the declared schemes (OpenAPI 3.1, security requirement object), and by
 * required parameters that are credentials by their names. `Authorization` among them says nothing to
 * the letter (parameter object), but whoever writes it means it. Beside a declared scheme keys in an
 * address are no other credential, unless some operation is called with them alone.
 */
export function operationDemands(
  document: ApiDocument,
  id: string,
  { auth: usual, schemes: sent = [], headers = {} }: GuessedAuth,
): { of(operation: ApiOperation): OperationDemands } {
  const declared = readSchemes(document, id);
  const env = [tokenOf(id)];
  const usualPlace = usual.type === 'none' ? undefined : placeOf({ auth: usual });
  const parametersIn = (operation: ApiOperation) => parametersOf(document, operation);
  const isOwner = ownersBesideKeys(document);
  const keysOf = (operation: ApiOperation) =>
    parametersIn(operation).filter(
      (parameter) =>
        (isDemandedCredential(parameter) || isOwner(parameter)) &&
        placeIn(parameter) !== usualPlace,
    );
  const baseOf = (operation: ApiOperation) => {
    const security = operation.node['security'] ?? document.root.security;
    if (sent.length > 0) return security === undefined ? [sent] : demandsOf(security);
    const isUsual = parametersIn(operation).some((each) => placeIn(each) === usualPlace);
    return isUsual ? [[usualParameter]] : [];
  };
  const alone = apiOperations(document).all.filter((each) => baseOf(each).length === 0);
  const own = new Set(alone.flatMap((operation) => keysOf(operation).map(placeIn)));
  // A secret in a header is none that a model should hold; a bare "token" is the usual one, told twice.
  const isKey = (parameter: ApiParameter) =>
    own.has(placeIn(parameter)) || (parameter.in === 'header' && !/^token$/i.test(parameter.name));
  const sentBeside = new Set(Object.keys(headers).map((name) => `header ${name}`.toLowerCase()));
  return {
    of(operation) {
      const keys = keysOf(operation).filter(isKey);
      const read = new Map(keys.map((key) => [nameOf(key, declared), key]));
      const schemes = new Map<string, ReadScheme>([
        ...declared,
        ...(sent.length === 0 ? [[usualParameter, { auth: usual }] as const] : []),
        ...[...read].flatMap(([name, key]) =>
          isSignature(key) ? [] : [[name, schemeOfParameter(key, env)] as const],
        ),
      ]);
      const names = [...read.keys()];
      const base = baseOf(operation);
      const placesOf = (set: readonly string[]) =>
        set.flatMap((name) => schemes.get(name) ?? []).map(placeOf);
      const beside = (set: readonly string[]) => {
        const taken = placesOf(set);
        return names.filter((name) => !taken.some((place) => placesOf([name]).includes(place)));
      };
      const all = base.length === 0 && names.length > 0 ? [[]] : base;
      const sets = all.map((set) => [...set, ...beside(set)]);
      const usualNames = [...sent, usualParameter];
      const isUsual = (name: string) => usualNames.includes(name);
      // One token in the header of two schemes is all that can be sent of both, and each takes it.
      const isSameToken = (name: string) =>
        usual.type === 'bearer' && schemes.get(name)?.auth?.type === 'bearer';
      const isSentToo = (name: string) =>
        isUsual(name) ||
        isSameToken(name) ||
        placesOf([name]).some((place) => sentBeside.has(place));
      const isSent = sets.some((set) => set.some(isUsual) && set.every(isSentToo));
      return { sets, schemes, isSent };
    },
  };
}

/** Tells the headers that name an owner and stand nowhere but beside keys in headers. */
function ownersBesideKeys(document: ApiDocument): (parameter: ApiParameter) => boolean {
  const [beside, elsewhere] = [new Set<string>(), new Set<string>()];
  for (const operation of apiOperations(document).all) {
    const parameters = parametersOf(document, operation);
    const isKeyed = parameters.some((each) => each.in === 'header' && isDemandedCredential(each));
    for (const parameter of parameters) {
      if (parameter.in !== 'header' || !owner.test(parameter.name)) continue;
      (isKeyed && parameter.required ? beside : elsewhere).add(placeIn(parameter));
    }
  }
  return (parameter) => beside.has(placeIn(parameter)) && !elsewhere.has(placeIn(parameter));
}

function placeIn({ in: place, name }: ApiParameter): string {
  return `${place} ${name}`.toLowerCase();
}

/** A name that no declared scheme has. */
function nameOf({ in: place, name }: ApiParameter, declared: Schemes): string {
  return declared.has(name) || name === usualParameter ? `${name} in ${place}` : name;
}
