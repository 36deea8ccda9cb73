import { ToolError } from '#contract/errors';
import { fieldValuePattern } from '#contract/text/field-value';
import { refusedValue } from '#contract/text/refused-value';

/** Headers that say where a message goes, where it ends or who sends it: no argument sets them. */
const reserved =
  /^(?:host|authorization|cookie|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|forwarded|x-forwarded-.*|proxy-.*|x-real-ip)$/;

const fieldValue = new RegExp(fieldValuePattern);

/** Whether a header is no credential's: it says where a message goes, ends or comes from. */
export function isReserved(name: string): boolean {
  return reserved.test(name.toLowerCase()) && !/^(?:authorization|cookie)$/i.test(name);
}

/** Whether a header can carry `value`: visible ASCII and blanks (RFC 9110 section 5.5). */
export function isHeaderValue(value: string): boolean {
  return fieldValue.test(value);
}

/** Whether `name` is a token (RFC 9110 section 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/**
 * Check a header that a tool's arguments fill; its name in lower case comes back.
 *
 * @throws ToolError `invalid_arguments`
 */
export function checkHeader(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (!isHeaderName(lower) || reserved.test(lower)) {
    throw new ToolError('invalid_arguments', `the header ${JSON.stringify(name)} cannot be set`, {
      retryable: false,
    });
  }
  if (!isHeaderValue(value)) {
    throw new ToolError(
      'invalid_arguments',
      `the value for the header ${name} may hold visible ASCII characters and blanks only`,
      { retryable: false },
    );
  }
  // Whoever reads it takes them off (RFC 9110, 5.5).
  if (/^[\t ]|[\t ]$/.test(value)) {
    const what = `a value for the header ${name} must not begin or end with a blank, which is lost`;
    throw refusedValue(value, `${what}, but ${JSON.stringify(value.slice(0, 80))} was given`);
  }
  return lower;
}
