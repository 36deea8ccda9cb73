import { createHash } from 'node:crypto';

const form = /^spt_[A-Za-z0-9_]{1,250}$/;

/** The token of a payload (draft-stripe-charge-00), which an agent had made for this one payment. */
export function readToken(payload: Readonly<Record<string, unknown>>): string | undefined {
  const { spt } = payload;
  return typeof spt === 'string' && form.test(spt) ? spt : undefined;
}

/** What is written down of a token, and tells nobody which one it was. */
export function nameOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
