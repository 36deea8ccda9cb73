import { ToolError } from '#contract/errors';
import { fieldValuePattern, isOfMessage } from '#contract/text/field-value';
import { refusedValue } from '#contract/text/refused-value';

const fieldValue = new RegExp(fieldValuePattern);

/** Whether a header can carry `value`: visible ASCII and blanks (RFC 9110 section 5.5). */
export function isHeaderValue(value: string): boolean {
  return fieldValue.test(value);
}

/** Whether `name` is a token (RFC 9110 section 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** Headers that carry who asks, which no argument says. */
function isOfCredential(lower: string): boolean {
  return lower === 'authorization' || lower === 'cookie';
}

/**
 * Check a header that a tool's arguments fill; its name in lower case comes back.
 *
 * @throws ToolError `invalid_arguments`
 */
export function checkHeader(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (!isHeaderName(lower) || isOfMessage(lower) || isOfCredential(lower)) {
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
