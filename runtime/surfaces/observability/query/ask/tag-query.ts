import { ServiceError } from '#contract/errors';
import type { TelemetryTags } from '#contract/telemetry/kind';
import type { AskedFor } from './neutral-filter.ts';

const mostTags = 32;
const tag = /\s*([A-Za-z_][\w.\-/]{0,127})=(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))(?=\s|$)/y;

/**
 * Read a query that is a list of tags (logfmt): `service=checkout http.method=GET`.
 *
 * @throws ServiceError `invalid_query`
 */
export function parseTagQuery(query: string, { named, others, needs }: TelemetryTags): AskedFor {
  const values: Record<string, string> = {};
  const tags: Record<string, string> = {};
  for (const [name, value] of tagsIn(query)) {
    const parameter = named[name];
    if (parameter !== undefined) values[parameter] = value;
    else tags[name] = value;
  }
  const missing = needs.find((name) => values[named[name] ?? name] === undefined);
  if (missing !== undefined) throw wrong(`${missing}= is missing`);
  if (Object.keys(tags).length > 0) values[others] = JSON.stringify(tags);
  return { values };
}

function tagsIn(query: string): [string, string][] {
  const found: [string, string][] = [];
  tag.lastIndex = 0;
  const end = query.trimEnd().length;
  while (tag.lastIndex < end) {
    const at = tag.lastIndex;
    const [, name, quoted, bare = ''] = tag.exec(query) ?? [];
    if (name === undefined) {
      throw wrong(`at character ${at + 1} stands no name=value or name="value"`);
    }
    if (found.length === mostTags) throw wrong(`it has more than ${mostTags} tags`);
    found.push([name, quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')]);
  }
  return found;
}

function wrong(reason: string): ServiceError {
  return new ServiceError('invalid_query', 400, `the query of tags cannot be used: ${reason}`);
}
