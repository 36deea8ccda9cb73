import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Version } from '../document/document-version.ts';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** Where schemas stand, which no response is. */
const ofSchemas = { '2.0': '#/definitions/', others: '#/components/schemas/' } as const;

/** Read a reference to a schema in the place of a response as a response that holds it, as JSON. */
export function repairResponses(
  { responses }: Node,
  version: Version,
  { path, told }: { readonly path: Path; readonly told: Told },
): void {
  if (!isObject(responses)) return;
  const place = version === '2.0' ? ofSchemas['2.0'] : ofSchemas.others;
  for (const [status, response] of Object.entries(responses)) {
    const ref = isObject(response) ? response['$ref'] : undefined;
    if (typeof ref !== 'string' || !ref.startsWith(place)) continue;
    const schema = bareMap({ $ref: ref });
    const held =
      version === '2.0'
        ? { schema }
        : { content: bareMap({ 'application/json': bareMap({ schema }) }) };
    responses[status] = bareMap({ description: '', ...held });
    told([...path, 'responses', status], 'a schema in the place of a response is read as JSON');
  }
}
