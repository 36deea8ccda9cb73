/** An escape in JSON text: a pair of surrogates, one of them alone, or any other. */
const escapes =
  /\\(?:u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|(u[dD][89a-fA-F][\dA-Fa-f]{2})|.)/g;
const anySurrogate = /\\u[dD][89a-fA-F]/;

/**
 * JSON text without halves of characters (RFC 8259, section 8.2): a vendor may send one, and cutting
 * a text may leave one. Clients that read strictly, such as that for Python, would throw the whole
 * message away, so U+FFFD takes the place of each.
 */
export function wellFormedJson(text: string): string {
  if (!anySurrogate.test(text)) return text;
  return text.replace(escapes, (found, alone) => (alone === undefined ? found : '\\ufffd'));
}
