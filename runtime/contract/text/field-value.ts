/** What a header field can carry (RFC 9110 section 5.5), as a pattern: visible ASCII and blanks. */
export const fieldValuePattern = '^[\\t -~]*$';

/** Headers that say where a message goes, where it ends and what happens to the connection. */
export const framingHeaders: readonly string[] = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
];

const framing = new Set(framingHeaders);

/** Whether the server alone sets a header, because it belongs to the connection and not to what is asked. */
export function isOfConnection(name: string): boolean {
  return framing.has(name.toLowerCase()) || /^proxy-/i.test(name);
}

/** Whether a header is of the connection, or says from whom a message comes: no argument or credential stands in it. */
export function isOfMessage(name: string): boolean {
  return isOfConnection(name) || /^(?:forwarded|x-forwarded-.*|x-real-ip)$/i.test(name);
}
