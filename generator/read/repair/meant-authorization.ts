/** What a header may be called (RFC 9110 section 5.1). */
const fieldName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** The usual header, or the word before what it holds, written out where its name belongs. */
const written =
  /^(?:(?:http\s+)?authori[sz]ation[\s:=]+)?(?:bearer(?:[\s:]+(?:\S+|(?:access|api|auth)\s+\S+))?|(?:request\s+)?header|token)[\s:]*$/i;

/**
 * What a name that no header can have means where it is that of the usual one with something behind it:
 * `Authorization: Bearer`, `Bearer API_KEY`, `Authorization Header`.
 */
export function meantAuthorization(name: string): 'bearer' | 'key' | undefined {
  const trimmed = name.trim();
  if (fieldName.test(trimmed) || !/authori[sz]ation|bearer/i.test(trimmed)) return undefined;
  if (/^authori[sz]ation[\s:=]*$/i.test(trimmed)) return 'key';
  if (!written.test(trimmed)) return undefined;
  return /bearer/i.test(trimmed) ? 'bearer' : 'key';
}
