import { StartError } from '../../process/start-error.ts';
import type { LogIdentity } from '../keys/log-identity.ts';

/**
 * Two copies of a log that both grow are a fork under one key.
 *
 * @throws StartError when the log was moved away from here
 */
export function refuseMoved({ origin, moved }: LogIdentity): void {
  if (moved === undefined) return;
  throw new StartError(
    `the audit log ${origin} was moved to ${moved} and is not written here any more: set SERVICE_DATABASE_URL to that database; where the copy was interrupted, repeat "agent-tool-server store copy"`,
  );
}

/**
 * Only a copy that was interrupted is repeated.
 *
 * @throws StartError when the log was moved to another database before
 */
export function refuseSecondMove({ origin, moved }: LogIdentity, target: string): void {
  if (moved === undefined || moved === target) return;
  throw new StartError(`the audit log ${origin} was moved to ${moved}: copy it from there`);
}

/** The name of a database, without the password that its address may hold. */
export function databaseName(address: string): string {
  const { host, pathname, searchParams } = new URL(address);
  return `postgres://${searchParams.get('host') ?? host}${pathname}`;
}
