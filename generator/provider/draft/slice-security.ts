import { isObject } from '#contract/json';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { looksSecret } from '../../model/texts/secret-text.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

type Node = Record<string, unknown>;

/**
 * What credentials an operation demands, its own demand or that of all (OpenAPI 3.1, security
 * requirement object): by it a later description is noticed that demands another one.
 */
export function securityOf(document: ApiDocument, { node }: ApiOperation): Node {
  const security = demandOf(document, node);
  return security === undefined ? {} : { security };
}

function demandOf({ root }: ApiDocument, node: Node): Node[] | undefined {
  const told = node['security'] ?? root.security;
  if (!Array.isArray(told)) return undefined;
  const known = root.components?.['securitySchemes'] ?? {};
  // A demand of something that is not declared says nothing that can be sent.
  const demands = told
    .filter(isObject)
    .filter((demand) =>
      Object.keys(demand).every((name) => Object.hasOwn(known, name) && isName(name)),
    );
  return told.length > 0 && demands.length === 0 ? undefined : demands;
}

/** Schemes as they travel, without texts and without the addresses of flows (OpenAPI 3.1, 4.8.27). */
const keptKeys = ['type', 'in', 'name', 'scheme', 'bearerFormat'];

/** The schemes that operations demand. */
export function securitySchemes(
  document: ApiDocument,
  operations: readonly ApiOperation[],
): Map<string, unknown> {
  const demands = operations.flatMap(({ node }) => demandOf(document, node) ?? []);
  const names = new Set(demands.flatMap((demand) => Object.keys(demand)));
  const known = document.root.components?.['securitySchemes'] ?? {};
  return new Map(
    [...names].flatMap((name) => {
      const scheme = known[name];
      if (!isObject(scheme)) return [];
      const kept = Object.entries(scheme).filter(
        ([key, member]) => keptKeys.includes(key) && !(key === 'bearerFormat' && isShown(member)),
      );
      return [[name, { ...Object.fromEntries(kept), ...flowsOf(scheme) }]];
    }),
  );
}

/** A hint in which a key is shown, as `bearerFormat: "key-64-CHARACTER-STRING"`, would look like one. */
function isShown(hint: unknown): boolean {
  return typeof hint === 'string' && looksSecret(hint);
}

/** A scheme of OAuth is none without flows, whose addresses are of no use here. */
function flowsOf({ type, openIdConnectUrl }: Node): Node {
  if (type === 'openIdConnect') return { openIdConnectUrl };
  return type === 'oauth2' ? { flows: {} } : {};
}

/** Names of components are of these letters alone (OpenAPI 3.1, components object). */
function isName(name: string): boolean {
  return /^[A-Za-z0-9._-]+$/.test(name);
}
