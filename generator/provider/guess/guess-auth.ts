import { isObject } from '#contract/json';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

/** The way to authenticate that a description demands, or else the first one that it offers. */
export function guessAuth(document: ApiDocument, id: string): CuratedAuth {
  const env = [`SERVICE_${id.toUpperCase()}_TOKEN`];
  const schemes = Object.entries(document.root.components?.['securitySchemes'] ?? {});
  const demanded = new Set((document.root.security ?? []).flatMap((entry) => Object.keys(entry)));
  const ordered = schemes.toSorted(([a], [b]) => Number(demanded.has(b)) - Number(demanded.has(a)));
  return ordered.flatMap(([, scheme]) => schemeOf(scheme, env))[0] ?? { type: 'none' };
}

function schemeOf(scheme: unknown, env: readonly string[]): CuratedAuth[] {
  if (!isObject(scheme)) return [];
  switch (scheme['type']) {
    case 'http':
      return httpScheme(String(scheme['scheme']).toLowerCase(), env);
    case 'apiKey': {
      const place = scheme['in'];
      if (place !== 'header' && place !== 'query' && place !== 'cookie') return [];
      const name = String(scheme['name']);
      return [{ type: 'api_key', in: place, name, format: '{token}', env, required: true }];
    }
    case 'oauth2':
    case 'openIdConnect':
      return [{ type: 'bearer', env, required: true }];
    default:
      return [];
  }
}

function httpScheme(scheme: string, env: readonly string[]): CuratedAuth[] {
  if (scheme === 'bearer') return [{ type: 'bearer', env, required: true }];
  if (scheme === 'basic') return [{ type: 'basic', format: '{token}', env, required: true }];
  return [];
}
