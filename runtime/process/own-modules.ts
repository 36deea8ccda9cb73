import { registerHooks } from 'node:module';
import { extname } from 'node:path';

/** As written, or as emitted JavaScript. */
const extension = extname(import.meta.url);
const format = extension === '.ts' ? 'module-typescript' : 'module';
const runtime = new URL('..', import.meta.url).href;
const project = new URL('..', runtime).href;
const contract = '#contract/';

/**
 * Say at once where the modules of this project lie. Node would look for each at several places,
 * follow links and read package.json to learn what it is, which is a sixth of the start.
 */
export function findOwnModules(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const url = ownUrl(specifier, context.parentURL);
      return url === undefined ? next(specifier, context) : { url, format, shortCircuit: true };
    },
  });
}

function ownUrl(specifier: string, parent = ''): string | undefined {
  if (!parent.startsWith(project)) return undefined;
  if (specifier.startsWith(contract)) {
    return `${runtime}contract/${specifier.slice(contract.length)}${extension}`;
  }
  // In a clone, what is installed lies below the project too, but is not written in TypeScript.
  const isOwn = specifier.startsWith('.') && specifier.endsWith(extension);
  return isOwn ? new URL(specifier, parent).href : undefined;
}
