import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import { usualScheme } from './nearby-host.ts';

/**
 * The addresses that host, basePath and schemes of Swagger 2.0 make up. Without schemes, it is that
 * with which the description was read (Swagger 2.0, Swagger object), which nobody knows any more.
 */
export function serversOf(root: Node, schemes: unknown): Node[] {
  const { host, basePath = '/' } = root;
  const usual = typeof host === 'string' ? usualScheme(host) : 'https';
  const named = Array.isArray(schemes) && schemes.length > 0 ? schemes : [usual];
  const path = valueText(basePath).replace(/\/$/, '');
  if (typeof host === 'string') {
    return named.map((scheme) => bareMap({ url: `${scheme}://${host}${path}` }));
  }
  return [templateServer(root, valueText(named[0]), path) ?? bareMap({ url: valueText(basePath) })];
}

/**
 * A server whose name has parameters, as AutoRest describes it (`x-ms-parameterized-host`). What has
 * no usual value is each caller's own: the whole address of an account is left out, a part of one
 * gets a name that says so.
 */
function templateServer(root: Node, scheme: string, path: string): Node | undefined {
  const told = root['x-ms-parameterized-host'];
  if (!isObject(told) || typeof told['hostTemplate'] !== 'string') return undefined;
  const template = told['hostTemplate'].replace(/\/$/, '') + path;
  const parameters = new Map(hostParameters(root, told['parameters']));
  const usual = (name: string) => {
    const node = parameters.get(name);
    const schema = isObject(node?.['schema']) ? node['schema'] : node;
    const { default: value, enum: choices } = schema ?? {};
    return value ?? (Array.isArray(choices) ? choices[0] : undefined);
  };
  const [whole = '', name = ''] = /^\{([^{}]*)\}(?=\/|$)/.exec(template) ?? [];
  if (whole !== '' && usual(name) === undefined) {
    return bareMap({ url: template.slice(whole.length) || '/' });
  }
  const isWithScheme = told['useSchemePrefix'] === false;
  const variables = Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, each = '']) => {
    const own = `your-${each.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase()}`.replace(
      /[^a-z\d]+/g,
      '-',
    );
    return [each, bareMap({ default: String(usual(each) ?? own) })];
  });
  return bareMap({
    url: isWithScheme ? template : `${scheme}://${template}`,
    variables: bareMap(Object.fromEntries(variables)),
  });
}

/** The parameters of a host by their names; they may stand among those of the whole description. */
function hostParameters(root: Node, listed: unknown): readonly [string, Node][] {
  const { components } = root;
  const known = root['parameters'] ?? (isObject(components) ? components['parameters'] : undefined);
  const shared: Node = isObject(known) ? known : {};
  return (Array.isArray(listed) ? listed : [])
    .filter(isObject)
    .flatMap((each): [string, Node][] => {
      const { $ref } = each;
      const node = typeof $ref === 'string' ? shared[$ref.split('/').at(-1) ?? ''] : each;
      return isObject(node) ? [[valueText(node['name']), node]] : [];
    });
}

const flowNames: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

/** Rewrite a security scheme of Swagger 2.0 in place. */
export function upgradeSecurityScheme(scheme: unknown): void {
  if (!isObject(scheme)) return;
  if (scheme['type'] === 'basic') {
    scheme['type'] = 'http';
    scheme['scheme'] = 'basic';
  }
  if (scheme['type'] !== 'oauth2') return;
  const flow = bareMap({ scopes: bareMap() });
  for (const key of ['authorizationUrl', 'tokenUrl', 'scopes']) {
    if (scheme[key] !== undefined) flow[key] = scheme[key];
    delete scheme[key];
  }
  const name = flowNames[valueText(scheme['flow'])] ?? 'implicit';
  delete scheme['flow'];
  scheme['flows'] = bareMap({ [name]: flow });
}
