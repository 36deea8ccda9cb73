import { hash } from 'node:crypto';
import { isObject } from '#contract/json';
import type { Body, ToolRequest } from '#contract/request';
import type { VendorTool } from '#contract/tool';

/**
 * Derive the key of one call, or of one act that was approved: the same for each of its attempts,
 * another one for each other.
 * It is a UUID of version 8 (RFC 9562 section 5.8), which every vendor's field takes.
 */
export function idempotencyKey(tool: string, id: string): string {
  const digits = hash('sha256', `${tool}\n${id}`, 'hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** Add the key where the vendor reads it; one that the caller gave stays. */
export function withIdempotencyKey(
  request: ToolRequest,
  spec: NonNullable<VendorTool['vendorKey']>,
  key: string,
): ToolRequest {
  const names = [...(spec.in === 'header' ? [spec.name] : []), ...(spec.also ?? [])];
  const headers = names.reduce((held, name) => withMember(held, [name], key), request.headers);
  const named = headers === undefined ? request : { ...request, headers };
  if (spec.in === 'header') return named;
  return request.body === undefined
    ? { ...named, body: { kind: 'json', value: { [spec.name]: key } } }
    : { ...named, body: withField(request.body, spec.name, key) };
}

function withField(body: Body, name: string, key: string): Body {
  switch (body.kind) {
    case 'json':
      return { ...body, value: withMember(body.value, name.split('.'), key) };
    case 'form':
      return { ...body, fields: withMember(body.fields, [name], key) };
    case 'multipart':
      return { ...body, parts: withMember(body.parts, [name], key) };
    case 'raw':
      return body;
    default:
      return body satisfies never;
  }
}

/** Copy `value` with `key` at a path such as `variables.input.id`, unless something stands there. */
function withMember<Members>(
  value: Members | undefined,
  [name, ...rest]: readonly string[],
  key: string,
): Members & Record<string, string> {
  const members: Record<string, unknown> = isObject(value) ? { ...value } : {};
  if (name !== undefined) {
    members[name] =
      rest.length === 0 ? (members[name] ?? key) : withMember(members[name], rest, key);
  }
  return members as Members & Record<string, string>;
}
