/** What a header field can carry (RFC 9110 section 5.5), as a pattern: visible ASCII and blanks. */
export const fieldValuePattern = '^[\\t -~]*$';
