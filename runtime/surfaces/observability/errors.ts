import { ServiceError } from '#contract/errors';

/** One thing that is wrong with what came: where, and what was expected. */
export interface Finding {
  readonly field: string;
  readonly reason: string;
}

/** What has the right form, but cannot be meant. */
export function validationFailed(findings: readonly Finding[]): ServiceError {
  const message = findings.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
  const details = findings.map(({ field, reason }) => ({ field, reason }));
  return new ServiceError('validation_failed', 422, message, { detail: { details } });
}

/** What the caller saw is not what there is any more. */
export function conflict(message: string, etag?: string): ServiceError {
  const detail = etag === undefined ? {} : { detail: { etag } };
  return new ServiceError('conflict', 409, message, detail);
}

export function notFound(message: string): ServiceError {
  return new ServiceError('not_found', 404, message);
}
