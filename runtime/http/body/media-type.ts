import { ServiceError } from '#contract/errors';

/** A media type in lower case without its parameters; empty where there is none. */
export function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The value for a media type in a record of types and ranges: its own, that of its range, that of all. */
export function matching<Value>(
  record: Readonly<Record<string, Value>>,
  essence: string,
): Value | undefined {
  const range = `${essence.split('/', 1)[0]}/*`;
  const key = [essence, range, '*/*'].find((each) => Object.hasOwn(record, each));
  return key === undefined ? undefined : record[key];
}

/** Whether the bytes of a text are UTF-8, as far as its media type says. */
export function saysUtf8(contentType: string | undefined): boolean {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? '') ?? [];
  return /^(utf-?8|us-ascii)$/i.test(charset);
}

/** Refuse a body with the media types that would be taken (RFC 9110 section 15.5.16). */
export function unsupported(given: string, types: readonly string[]): ServiceError {
  const wanted = types.length === 0 ? 'none at all' : types.join(' or ');
  const message = `the body must be ${wanted}, but ${given} came`;
  return new ServiceError('unsupported_media_type', 415, message, {
    detail: { supported: [...types] },
  });
}
