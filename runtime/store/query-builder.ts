import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The query builder. It is 250 modules, a third of what a start would load, so it is loaded at once
 * by the first query and not by whoever only offers some.
 */
export function queryBuilder(): typeof import('kysely') {
  return require('kysely');
}
