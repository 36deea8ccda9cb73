import type { Rule, TextRule } from './shape.ts';

/** Names of components (OpenAPI 3.0.4, Components Object). */
export const componentName: TextRule = {
  test: /^[a-zA-Z0-9._-]+$/,
  says: 'a name of letters, digits, ".", "-" and "_"',
};

export const pathTemplate: TextRule = { test: /^\//, says: 'a path that begins with "/"' };

/** At most one of these fields. */
export function notBoth(first: string, second: string): Rule {
  return (node) =>
    node[first] !== undefined && node[second] !== undefined
      ? { key: second, message: `"${second}" must not stand beside "${first}"` }
      : undefined;
}

/** At least one of these fields. */
export function oneAtLeast(...names: readonly string[]): Rule {
  return (node) =>
    names.some((name) => node[name] !== undefined)
      ? undefined
      : { message: `one of ${names.map((name) => `"${name}"`).join(', ')} must be there` };
}

/** These fields only have a meaning beside `schema` (OpenAPI 3.1.2, Parameter Object). */
export function needsSchema(...names: readonly string[]): Rule {
  return (node) => {
    if (node['content'] === undefined) return undefined;
    const name = names.find((each) => node[each] !== undefined);
    if (name === undefined) return undefined;
    return { key: name, message: `"${name}" must not stand beside "content"` };
  };
}

/** The value of `content` of a parameter or header: one media type. */
export const oneMediaType: Rule = (node) => {
  const content = node['content'];
  if (typeof content !== 'object' || content === null || Object.keys(content).length === 1) {
    return undefined;
  }
  return { key: 'content', message: '"content" must hold exactly one media type' };
};

/** Path parameters are always required. */
export const pathIsRequired: Rule = (node) => {
  if (node['in'] !== 'path' || node['required'] === true) return undefined;
  const message = 'a path parameter must say "required: true"';
  return node['required'] === undefined ? { message } : { key: 'required', message };
};

/** Each location of a parameter has its own styles. */
export function styles(byLocation: Readonly<Record<string, readonly string[]>>): Rule {
  return (node) => {
    const { in: location, style } = node;
    if (typeof style !== 'string' || typeof location !== 'string') return undefined;
    const allowed = Object.hasOwn(byLocation, location) ? byLocation[location] : undefined;
    if (allowed === undefined || allowed.includes(style)) return undefined;
    const message = `"style" in ${location} must be ${allowed.join(', ')}, but it is "${style}"`;
    return { key: 'style', message };
  };
}

/** An array schema says what its items are (OpenAPI 3.0.4, Schema Object: `items`). */
export const arrayHasItems: Rule = (node) =>
  node['type'] === 'array' && node['items'] === undefined
    ? { key: 'type', message: 'a schema of type "array" must have "items"' }
    : undefined;

/** Items belong to arrays; vendors forget to say "array", and JSON Schema lets them. */
export const itemsOfArray: Rule = (node) =>
  node['items'] !== undefined && typeof node['type'] === 'string' && node['type'] !== 'array'
    ? {
        key: 'type',
        message: `a schema with "items" should have type "array", not "${node['type']}"`,
        severity: 'warning',
      }
    : undefined;

/** Bounds that exclude themselves are numbers since draft 2019-09; vendors still write flags. */
export const exclusiveBounds: Rule = (node) => {
  const key = ['exclusiveMinimum', 'exclusiveMaximum'].find(
    (bound) => node[bound] !== undefined && typeof node[bound] !== 'number',
  );
  if (key === undefined) return undefined;
  const message = `"${key}" must be a number since OpenAPI 3.1`;
  return typeof node[key] === 'boolean' ? { key, message, severity: 'warning' } : { key, message };
};

/** Regular expressions are those of ECMA-262. */
export const validPattern: Rule = (node) => {
  const pattern = node['pattern'];
  if (typeof pattern !== 'string' || isRegExp(pattern)) return undefined;
  const message = `${JSON.stringify(pattern)} is no regular expression`;
  return { key: 'pattern', message, useless: true };
};

function isRegExp(pattern: string): boolean {
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags);
      return true;
    } catch {
      // The next one, without the strictness of Unicode mode, may take it.
    }
  }
  return false;
}
