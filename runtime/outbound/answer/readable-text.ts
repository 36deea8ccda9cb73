/** Types of files that are texts, or are said to be nothing but bytes. */
const maybe =
  /^(?:|text\/.*|application\/octet-stream|application\/(?:.*[.+-])?(?:javascript|json|sql|toml|xml|yaml))$/i;

/** What no text holds: controls but for those between lines and words. */
const noText = /(?![\t\n\v\f\r])\p{Cc}/u;

/**
 * What a file says, where it is a text in UTF-8 (RFC 3629) of at most `most` bytes: models read no base64.
 *
 * @param type its media type, without parameters; empty where none is told
 */
export function readableText(bytes: Uint8Array, type: string, most: number): string | undefined {
  if (bytes.length === 0 || bytes.length > most || !maybe.test(type)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return noText.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
