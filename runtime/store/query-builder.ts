import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
let loaded: typeof import('kysely') | undefined;

/**
 * The query builder. It is 250 modules, a third of what a start would load, so it is loaded at once
 * by the first query and not by whoever only offers some.
 */
export function queryBuilder(): typeof import('kysely') {
  loaded ??= load();
  return loaded;
}

/**
 * Its modules name each other by their paths. Node would follow links and read package.json for each
 * of them to learn what it is, which takes longer than all else of loading them.
 */
function load(): typeof import('kysely') {
  const folder = new URL('.', pathToFileURL(require.resolve('kysely'))).href;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      return specifier.startsWith('.') && parentURL?.startsWith(folder)
        ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
        : next(specifier, context);
    },
  });
  try {
    return require('kysely');
  } finally {
    hooks.deregister();
  }
}
