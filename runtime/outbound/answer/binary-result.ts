import { ToolError } from '#contract/errors';
import { blockResult } from '#contract/text/tool-result';
import { markUntrusted } from '#contract/text/untrusted';
import type { ContentBlock, ToolResult, VendorTool } from '#contract/tool';
import { headerOf } from '../call/exchange.ts';
import { mediaType, toldType } from '../content/media-type.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import { fileName } from './file-name.ts';
import { imageTypeOf, isSeenImage } from './image-type.ts';
import { readableText } from './readable-text.ts';
import type { Reading } from './vendor-reader.ts';

interface Binary {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** What the bytes are that are called an image and are none. */
const anything = 'application/octet-stream';

/**
 * Deliver bytes: a small image, which reaches the model, and a sound as what they are, anything else
 * as a resource in the result, with its words beside it where it is a short text. What is larger than that is a link, as long as whoever reads it needs
 * no credential of ours. An image is what its bytes say: services of models refuse a whole
 * conversation with one that is something else.
 *
 * @throws ToolError `response_too_large`
 */
export function binaryResult(
  { mediaType: named, bytes }: Binary,
  reading: Reading,
  { link, tool }: { link: ProviderLink; tool: VendorTool },
): ToolResult {
  const size = bytes.length;
  const isImage = isSeenImage(named);
  const type = isImage ? (imageTypeOf(bytes) ?? anything) : named;
  const untrusted = tool.response?.untrusted === true;
  const { imageBytes, contentBytes } = link.limits;
  if (isSeenImage(type) && size <= imageBytes) {
    const block = { type: 'image', data: base64Of(bytes), mimeType: type } as const;
    return blockResult(block, { mime_type: type, size }, untrusted);
  }
  if (size <= contentBytes) {
    const { uri, name } = described(reading, tool, link);
    const mime_type = type || undefined;
    const blob = base64Of(bytes);
    const block: ContentBlock = /^audio\//.test(type)
      ? { type: 'audio', data: blob, mimeType: type }
      : { type: 'resource', resource: { uri, ...(mime_type && { mimeType: mime_type }), blob } };
    const result = blockResult(block, { uri, name, mime_type, size }, untrusted);
    const { title } = link.provider;
    const text =
      isImage && type === anything
        ? `${title} calls this ${named}, but it is no such image: only its bytes are given.`
        : textBeside(bytes, type, { link, tool });
    if (text === undefined) return result;
    return { ...result, content: [...result.content, { type: 'text', text }] };
  }
  if (link.credential.state !== 'set') return linkResult(reading, { tool, link }, size);
  throw new ToolError(
    'response_too_large',
    `${link.provider.title} answered with ${size} bytes of ${type === '' ? 'an unknown type' : toldType(type)}; a result holds at most ${contentBytes}`,
    { provider: link.provider.id, retryable: false },
  );
}

/** What a model reads of a file beside its bytes, which stay exact. */
function textBeside(
  bytes: Uint8Array,
  type: string,
  { link, tool: { response } }: { link: ProviderLink; tool: VendorTool },
): string | undefined {
  const text = readableText(bytes, type, response?.maxBytes ?? link.limits.resultBytes);
  if (text === undefined) return undefined;
  const clean = link.mask(text);
  return response?.untrusted === true ? markUntrusted(clean, link.provider.title) : clean;
}

/** What a thread has read comes as plain bytes, which write themselves as numbers. */
function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Where a content comes from, what it is called, and its media type. */
function described({ url, headers }: Reading, tool: VendorTool, { mask }: ProviderLink) {
  const uri = without(mask, url);
  const name = mask(fileName(headers, new URL(uri)) ?? tool.name);
  return { uri, name, mime_type: mediaType(headers) || undefined };
}

/** An address without the credential, which a vendor may write into the one that it leads to. */
function without(mask: ProviderLink['mask'], { href, origin, pathname }: URL): string {
  const all = [href, `${origin}${pathname}`];
  return all.find((each) => mask(each) === each) ?? `${origin}/`;
}

/** Deliver the vendor's own address of a content instead of the content. */
export function linkResult(
  reading: Reading,
  { tool, link }: { readonly tool: VendorTool; readonly link: ProviderLink },
  bytes?: number,
): ToolResult {
  const length = headerOf(reading.headers, 'content-length');
  const size = bytes ?? (length === undefined ? undefined : Number(length));
  const { uri, name, mime_type } = described(reading, tool, link);
  const about = {
    ...(mime_type !== undefined && { mimeType: mime_type }),
    ...(size !== undefined && { size }),
  };
  const block: ContentBlock = { type: 'resource_link', uri, name, ...about };
  return blockResult(block, { uri, name, mime_type, size }, tool.response?.untrusted === true);
}
