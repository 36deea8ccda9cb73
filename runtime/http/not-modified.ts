/**
 * Whether the client has the representation with this tag already: If-None-Match names it, or any
 * (RFC 9110 section 13.1.2, weak comparison).
 */
export function isHeld(ifNoneMatch: string | undefined, etag: unknown): boolean {
  if (ifNoneMatch === undefined || typeof etag !== 'string') return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}
