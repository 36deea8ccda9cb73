import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import type { Outcome } from './outcome.ts';

/** Statuses that speak of the caller and not of the tool. */
const refusals = new Set([401, 403, 429]);

/** What a tool's failure is to its client; nothing where nobody foresaw it. */
export function failureOf(
  error: unknown,
): (Outcome & { readonly kind: 'toolError' | 'refused' }) | undefined {
  if (error instanceof ToolError) return { kind: 'toolError', error };
  if (!(error instanceof ServiceError)) return undefined;
  if (refusals.has(error.status)) return { kind: 'refused', error };
  const { code, message, status, retryAfterMs, isLasting } = error;
  // Ours are known by their codes; below 500 the code of the tool says enough.
  const detail = {
    retryable: !isLasting,
    retryAfterMs,
    ...(status >= 500 && { upstreamCode: code }),
  };
  return { kind: 'toolError', error: new ToolError(toolCodeOf(status), message, detail, error) };
}

function toolCodeOf(status: number): ToolErrorCode {
  switch (status) {
    case 404:
      return 'not_found';
    case 409:
      return 'conflict';
    default:
      return status < 500 ? 'invalid_arguments' : 'upstream_error';
  }
}
