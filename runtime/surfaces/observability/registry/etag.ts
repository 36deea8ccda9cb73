import { createHash } from 'node:crypto';
import type { JsonObject } from '#contract/json';
import { conflict } from '../errors.ts';
import type { ProviderDraft, ProviderEntry } from './provider-entry.ts';

/** SHA-256 of what an entry says, whatever the order of its members. */
export function digestOf(value: object): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}

/** A strong entity tag (RFC 9110 section 8.8.3) of one version of an entry. */
export function etagOf(draft: ProviderDraft, version: number, createdAt: number): string {
  return `"${version}-${digestOf({ ...draft, createdAt }).slice(0, 24)}"`;
}

/**
 * Check a condition (If-Match, RFC 9110 section 13.1.1): `*`, or a list of tags that are compared
 * strongly.
 *
 * @throws ServiceError `conflict`
 */
export function requireMatch(condition: string | undefined, entry: ProviderEntry): void {
  if (condition === undefined || condition.trim() === '*') return;
  const tags = [...condition.matchAll(/(?:W\/)?"[^"]*"/g)].map(([tag]) => tag);
  if (tags.includes(entry.etag)) return;
  const message = `${entry.signal} ${entry.id} was changed meanwhile: its etag is ${entry.etag}`;
  throw conflict(message, entry.etag);
}
