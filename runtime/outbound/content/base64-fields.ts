import type { JsonPath } from '#contract/json';
import { updateAt } from './json/json-edit.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Copy an item with the base64 at each of `paths` turned into the text that it carries. */
export function fieldsAsText(item: unknown, paths: readonly JsonPath[]): unknown {
  return paths.reduce((all, path) => updateAt(all, path, asText), item);
}

/** What is no base64 (RFC 4648 section 4), or carries no text, stays as it is. */
function asText(found: unknown): unknown {
  if (typeof found !== 'string') return found;
  // MIME breaks it into lines (RFC 2045 section 6.8).
  const base64 = found.replace(/\s+/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return found;
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch {
    return found;
  }
}
