/**
 * Whether a text is of an encoding of bytes, as far as that is base64 (RFC 4648, sections 4 and 5). Vendors take
 * either alphabet, lines, a text without padding, and the address that holds its own data (RFC 2397).
 */
export function isEncoded(encoding: string, text: string): boolean {
  if (encoding !== 'base64' && encoding !== 'base64url') return true;
  // Without its lines first: a pattern that looks for their ends as well as within would try each of both.
  const [, letters] = written.exec(text.replace(/[\r\n]+/g, '')) ?? [];
  // One character alone carries no byte: the text has been cut off.
  return letters !== undefined && letters.length % 4 !== 1;
}

const written = /^(?:data:[^,]{0,200};base64,)?([\w+/-]*)={0,2}$/;
