import { hash } from 'node:crypto';
import type { Caller } from '#contract/caller';
import { comparableText } from '#contract/json';

/** Tells one call from all others: whose it is, what it runs and with which arguments. */
export function callDigest(
  operation: string,
  args: Readonly<Record<string, unknown>>,
  { tenant, subject }: Caller,
): string {
  return hash('sha256', comparableText([tenant, subject, operation, args]), 'hex');
}
