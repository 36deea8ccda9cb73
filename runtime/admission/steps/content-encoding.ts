/**
 * Whether a text is of an encoding of bytes, as far as that is base64 (RFC 4648, sections 4 and 5). Vendors take
 * either alphabet, lines, a text without padding, and the address that holds its own data (RFC 2397).
 */
export function isEncoded(encoding: string, text: string): boolean {
  if (encoding !== 'base64' && encoding !== 'base64url') return true;
  const [, letters] = written.exec(text) ?? [];
  // One character alone carries no byte: the text has been cut off.
  return letters !== undefined && letters.replace(/[\r\n]+/g, '').length % 4 !== 1;
}

const written = /^(?:data:[^,]{0,200};base64,)?([\w+/\r\n-]*)={0,2}[\r\n]*$/;
