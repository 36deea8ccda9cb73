import { isObject } from '#contract/json';
import { markUntrusted } from '#contract/text/untrusted';
import type { ToolResult, VendorTool } from '#contract/tool';
import { headerOf } from '../call/exchange.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import { locationOf } from '../request/transmit.ts';
import type { Reading } from './vendor-reader.ts';

/** What a client finds in `_meta`, and whoever reads only data in the data. */
const headersKey = 'dev.agent-tool-server/response-headers';
const headersMember = 'response_headers';

/** Longer ones are no versions, tags or addresses. */
const longest = 2048;

/**
 * The result with the headers of the answer that other requests of the vendor ask for, such as the
 * `ETag` of an `If-Match` (RFC 9110, 8.8.3 and 13.1.1): in the data, as text and in `_meta`. Names in
 * lower case.
 */
export function withHeaders(
  result: ToolResult,
  reading: Reading,
  link: ProviderLink,
  { response: { headers: names = [], untrusted } = {} }: VendorTool,
): ToolResult {
  const told = Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(name, reading, link);
      return value === undefined || value.length > longest ? [] : [[name, link.mask(value)]];
    }),
  );
  if (Object.keys(told).length === 0) return result;
  const { content, _meta, structuredContent } = result;
  const text = JSON.stringify({ [headersMember]: told });
  const shown = untrusted ? markUntrusted(text, link.provider.title) : text;
  return {
    ...result,
    content: [...content, { type: 'text', text: shown }],
    // A member of the vendor's own of this name is not written over.
    ...(isObject(structuredContent) && {
      structuredContent: { [headersMember]: told, ...structuredContent },
    }),
    _meta: { ..._meta, [headersKey]: told },
  };
}

function textOf(name: string, { headers, url }: Reading, link: ProviderLink): string | undefined {
  if (name !== 'location') return headerOf(headers, name);
  const answer = { headers, status: 200, body: Buffer.alloc(0) };
  return locationOf(link, { answer, url });
}
