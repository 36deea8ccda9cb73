import { extname } from 'node:path';

/**
 * The file of a module beside another one, given without its extension, as it runs: as written or
 * as emitted JavaScript. Where it is named in an import, the compiler sees to that.
 */
export function moduleFile(name: string, beside: string): URL {
  return new URL(`${name}${extname(beside)}`, beside);
}
