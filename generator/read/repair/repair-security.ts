import { isObject } from '#contract/json';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** What tools that export collections of requests write where nothing is sent. */
const noScheme = /^no-?(?:auth|ne)$/i;

/** What a scheme that is declared nowhere can only mean by its name (RFC 6750). */
const bearerName =
  /^(?:jwt|bearer|http[_-]?bearer)(?:[_-]?(?:auth(?:entication|orization)?|token|jwt))?$/i;

/** Repair what operations, or all of them, demand: how it is written, then what it is called. */
export function securityRepair(root: Node, told: Told): (holder: Node, path: Path) => void {
  const repairNames = nameRepair(root, told);
  return (holder, path) => {
    repairShapes(holder, path, told);
    repairNames(holder, path);
  };
}

/**
 * Read a name as a requirement of it, and what stands in the place of its scopes as a list of them
 * (OpenAPI 3.1, security requirement object): left out, it would be demanded no more.
 */
function repairShapes(holder: Node, path: Path, told: Told): void {
  repairList(holder, path, told);
  const { security } = holder;
  if (!Array.isArray(security)) return;
  for (const [index, entry] of security.entries()) {
    const at = [...path, 'security', index];
    if (typeof entry === 'string' && entry !== '') {
      security[index] = { [entry]: [] };
      told(at, `"${entry}" must be a map; it is read as a requirement of that scheme`);
    }
    if (!isObject(entry)) continue;
    for (const [name, scopes] of Object.entries(entry)) {
      if (Array.isArray(scopes)) continue;
      entry[name] = typeof scopes === 'string' && scopes !== '' ? [scopes] : [];
      told([...at, name], `"${name}" must be a list of scopes; it is read as one`);
    }
  }
}

/**
 * Read what stands in the place of a list of requirements as one: a name, a map, or names in a list of
 * their own. What names nothing is a demand of a scheme that nobody declares.
 */
function repairList(holder: Node, path: Path, told: Told): void {
  const { security } = holder;
  // Nothing behind the key is no demand of its own.
  if (security === undefined || security === null) return;
  const at = [...path, 'security'];
  if (!Array.isArray(security)) {
    holder['security'] = [isObject(security) || isName(security) ? security : unreadable()];
    told(at, 'security must be a list of maps from schemes to scopes; it is read as a requirement');
    return;
  }
  for (const [index, entry] of security.entries()) {
    if (isObject(entry) || isName(entry)) continue;
    const names = Array.isArray(entry) ? entry : [];
    const isNamed = names.length > 0 && names.every(isName);
    security[index] = isNamed ? Object.fromEntries(names.map((name) => [name, []])) : unreadable();
    const read = isNamed ? 'of all that it names' : 'of a scheme that is not known';
    told([...at, index], `a requirement must be a map of schemes; it is read as one ${read}`);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A demand that no credential meets: left out, it would be nothing that is demanded. */
function unreadable(): Node {
  return { unreadable: [] };
}

/**
 * Read a requirement of a scheme that is not declared as the only one that is: frameworks that take
 * its name from code write that of a role or of a scope. One that is called after bearer tokens is
 * such a scheme. One of a scheme that is none asks for nothing.
 */
function nameRepair(root: Node, told: Told): (holder: Node, path: Path) => void {
  const { components, securityDefinitions } = root;
  const schemes =
    securityDefinitions ?? (isObject(components) ? components['securitySchemes'] : undefined);
  const empty = isObject(schemes) ? takeEmpty(schemes) : new Set();
  const names = isObject(schemes) ? Object.keys(schemes) : [];
  const [only, another] = names;
  const known = new Set<string>();
  const bearerOf = typeof root['openapi'] === 'string' ? bearerIn(root) : undefined;
  if (empty.size === 0 && (only === undefined || another !== undefined) && !bearerOf)
    return () => {};
  return ({ security }, path) => {
    if (!Array.isArray(security)) return;
    for (const [index, entry] of security.entries()) {
      if (!isObject(entry)) continue;
      const [name, ...others] = Object.keys(entry);
      if (name === undefined || others.length > 0 || name === only) continue;
      if (empty.has(name)) {
        security[index] = {};
        told([...path, 'security', index], `"${name}" is no scheme: nothing is asked for`);
        continue;
      }
      if (only === undefined || another !== undefined) {
        const read = names.includes(name) ? undefined : bearerOf?.(name);
        if (read === undefined) continue;
        security[index] = { [read]: [] };
        if (known.has(name)) continue;
        known.add(name);
        told(
          [...path, 'security', index],
          `no security scheme is called "${name}"; it is read as a bearer token`,
        );
        continue;
      }
      security[index] = { [only]: [] };
      if (known.has(name)) continue;
      known.add(name);
      const message = `no security scheme is called "${name}"; it is read as "${only}", the only one`;
      told([...path, 'security', index], message);
    }
  };
}

/** Take out the schemes by which nothing is sent; gives their names. */
function takeEmpty(schemes: Node): ReadonlySet<string> {
  const found = Object.entries(schemes).filter(
    ([, scheme]) =>
      isObject(scheme) && scheme['type'] === 'http' && noScheme.test(valueText(scheme['scheme'])),
  );
  for (const [name] of found) delete schemes[name];
  return new Set(found.map(([name]) => name));
}

/** The scheme that a name of bearer tokens means: one that is declared, or one that is added. */
function bearerIn(root: Node): (name: string) => string | undefined {
  return (name) => {
    if (!bearerName.test(name)) return undefined;
    const components = objectIn(root, 'components');
    const schemes = objectIn(components, 'securitySchemes');
    const isBearer = (scheme: unknown) =>
      isObject(scheme) &&
      scheme['type'] === 'http' &&
      /^bearer$/i.test(valueText(scheme['scheme']));
    const found = Object.keys(schemes).find((each) => isBearer(schemes[each]));
    if (found !== undefined) return found;
    schemes[name] = { type: 'http', scheme: 'bearer' };
    return name;
  };
}

/** The object of this name, which is made where there is none. */
function objectIn(holder: Node, name: string): Node {
  const found = holder[name];
  if (isObject(found)) return found;
  const made: Node = {};
  holder[name] = made;
  return made;
}
