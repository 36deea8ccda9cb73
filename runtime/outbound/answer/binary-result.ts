import { ToolError } from '#contract/errors';
import { blockResult } from '#contract/text/tool-result';
import type { ContentBlock, ToolResult, VendorTool } from '#contract/tool';
import { headerOf } from '../call/exchange.ts';
import { mediaType } from '../content/media-type.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import type { Reading } from './vendor-reader.ts';

interface Binary {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/**
 * Deliver bytes: a small image as it is, anything else as a link, as long as whoever reads it
 * needs no credential of ours.
 *
 * @throws ToolError `response_too_large`
 */
export function binaryResult(
  { mediaType: type, bytes }: Binary,
  reading: Reading,
  { link, tool }: { link: ProviderLink; tool: VendorTool },
): ToolResult {
  const size = bytes.length;
  const untrusted = tool.response?.untrusted === true;
  if (/^image\/(?:png|jpeg|gif|webp|avif)$/.test(type) && size <= link.limits.imageBytes) {
    const block: ContentBlock = { type: 'image', data: bytes.toString('base64'), mimeType: type };
    return blockResult(block, { mime_type: type, size }, untrusted);
  }
  if (link.credential.state !== 'set') return linkResult(reading, tool, size);
  throw new ToolError(
    'response_too_large',
    `${link.provider.title} answered with ${size} bytes of ${type || 'an unknown type'}, which do not fit into a result`,
    { provider: link.provider.id, retryable: false },
  );
}

/** Deliver the vendor's own address of a content instead of the content. */
export function linkResult(
  { url, headers }: Reading,
  tool: VendorTool,
  bytes?: number,
): ToolResult {
  const length = headerOf(headers, 'content-length');
  const size = bytes ?? (length === undefined ? undefined : Number(length));
  const type = mediaType(headers);
  const about = {
    ...(type === '' ? {} : { mimeType: type }),
    ...(size === undefined ? {} : { size }),
  };
  const name = url.pathname.split('/').findLast((part) => part !== '') ?? tool.name;
  const block: ContentBlock = { type: 'resource_link', uri: url.href, name, ...about };
  const described = { uri: url.href, name, mime_type: about.mimeType, size };
  return blockResult(block, described, tool.response?.untrusted === true);
}
