const prefix = '=?base64?';
const suffix = '?=';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Read the value of a header that mirrors a part of the body. What HTTP cannot carry comes as
 * `=?base64?...?=` (MCP 2026-07-28, value encoding). Gives nothing when the value is malformed.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (/[^\t\x20-\x7e]/.test(value)) return undefined;
  if (!value.startsWith(prefix) || !value.endsWith(suffix)) return value;
  const encoded = value.slice(prefix.length, -suffix.length);
  if (!base64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
