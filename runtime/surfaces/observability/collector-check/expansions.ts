import type { Json } from '#contract/json';
import type { CollectorOptions } from '../collector/collector-options.ts';
import type { CollectorFile } from '../collector-file/file.ts';
import type { Finding } from '../errors.ts';

/** The folder of queues is the one thing that the collector reads of its own. */
const own = /^SERVICE_COLLECTOR_QUEUE_DIR:-/;

type Rules = Pick<CollectorOptions, 'secretPrefixes' | 'secretsDir'>;

/** Every text of a file in which the collector would expand something that it should not. */
export function checkExpansions(file: CollectorFile, rules: Rules): readonly Finding[] {
  return texts(file as unknown as Json).flatMap(({ path, text }) => {
    const rest = text
      .replaceAll('$$', '')
      .replaceAll(/\$\{([^}]*)\}/g, (whole, inner: string) =>
        isPermitted(inner, rules) ? '' : whole,
      );
    if (!rest.includes('$')) return [];
    return [{ field: path, reason: 'holds a $ with which the collector would expand something' }];
  });
}

/** The variables that a file takes from the environment of the collector. */
export function variablesOf(text: string): readonly string[] {
  const names = [...text.matchAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)/g)].map(
    ([, name = '']) => name,
  );
  return [...new Set(names)];
}

function isPermitted(inner: string, { secretPrefixes, secretsDir }: Rules): boolean {
  if (inner.startsWith('env:')) {
    const name = inner.slice(4);
    return (
      own.test(name) ||
      (/^[A-Z][A-Z0-9_]{2,63}$/.test(name) && secretPrefixes.some((each) => name.startsWith(each)))
    );
  }
  if (secretsDir === undefined || !inner.startsWith(`file:${secretsDir}/`)) return false;
  return /^[a-z0-9][a-z0-9._-]{0,62}$/.test(inner.slice(`file:${secretsDir}/`.length));
}

function texts(value: Json, path = ''): { readonly path: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((each, index) => texts(each, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    texts(each as Json, path === '' ? name : `${path}.${name}`),
  );
}
