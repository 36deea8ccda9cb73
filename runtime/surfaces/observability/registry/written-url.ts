/** With `//`, and without what a reader of URLs repairs, leaves out or takes for something else. */
const plainUrl = /^[a-z][a-z0-9+.-]*:\/\/[^\s\\\p{C}]+$/iu;

/** Whether a text is written as a URL is (RFC 3986), and not only repaired to one (WHATWG URL). */
export function isPlainUrl(text: string): boolean {
  return plainUrl.test(text) && URL.canParse(text);
}

/**
 * A URL as every reader takes it: in its usual spelling, with what stands for itself in no URL encoded.
 * What is none stays as it is. A slash that was not there is not there after it.
 */
export function usualUrl(text: string): string {
  if (!isPlainUrl(text)) return text;
  const { href } = new URL(text);
  return text.endsWith('/') ? href : href.replace(/\/$/, '');
}
