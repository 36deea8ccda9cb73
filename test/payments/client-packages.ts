import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder in which the clients of others are installed: `PAYMENT_CLIENTS`. */
function folder(): string {
  const found = process.env['PAYMENT_CLIENTS'];
  if (found === undefined) throw new Error('PAYMENT_CLIENTS names the folder with the clients');
  return found;
}

/** A program in a package there. */
export function commandIn(path: string): string {
  return join(folder(), 'node_modules', path);
}

/** A module of a package there, whatever it exports. */
export async function importFrom(specifier: string): Promise<Readonly<Record<string, unknown>>> {
  const { resolve } = createRequire(join(folder(), 'package.json'));
  return import(pathToFileURL(resolve(specifier)).href);
}
