import { ServiceError } from '#contract/errors';

/** Surfaces that say so where they are switched off; the paths of all others are as if there were none. */
const telling: Readonly<Record<string, { readonly code: string; readonly words: string }>> = {
  '/observability/': {
    code: 'observability_disabled',
    words: 'observability is switched off (SERVICE_ENABLE_OBSERVABILITY)',
  },
};

/**
 * Why a path that no route takes is not served: 404 with a code of its own where that of its surface
 * is switched off; nothing otherwise.
 */
export function switchedOff(path: string, isServed: (beginning: string) => boolean) {
  const found = Object.entries(telling).find(([beginning]) => path.startsWith(beginning));
  if (found === undefined || isServed(found[0])) return undefined;
  const [, { code, words }] = found;
  return new ServiceError(code, 404, words);
}
