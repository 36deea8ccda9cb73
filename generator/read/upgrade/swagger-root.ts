import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import { bare } from './swagger-values.ts';

/** The addresses that host, basePath and schemes of Swagger 2.0 make up. */
export function serversOf(root: Node, schemes: unknown): Node[] {
  const { host, basePath = '/' } = root;
  if (typeof host !== 'string') return [bare({ url: String(basePath) })];
  const named = Array.isArray(schemes) && schemes.length > 0 ? schemes : ['https'];
  const path = String(basePath).replace(/\/$/, '');
  return named.map((scheme) => bare({ url: `${scheme}://${host}${path}` }));
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
  const flow = bare({ scopes: bare({}) });
  for (const key of ['authorizationUrl', 'tokenUrl', 'scopes']) {
    if (scheme[key] !== undefined) flow[key] = scheme[key];
    delete scheme[key];
  }
  const name = flowNames[String(scheme['flow'])] ?? 'implicit';
  delete scheme['flow'];
  scheme['flows'] = bare({ [name]: flow });
}
