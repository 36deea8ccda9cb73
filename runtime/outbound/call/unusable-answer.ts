import { ToolError } from '#contract/errors';

/** An answer that is larger than this process takes in. */
export function tooLarge(maxBytes: number): ToolError {
  return new ToolError('response_too_large', `the answer is larger than ${maxBytes} bytes`, {
    retryable: false,
  });
}

/** An answer that came with a success status and cannot be understood. */
export function unreadable(reason: string): ToolError {
  return new ToolError('upstream_error', `the answer cannot be read: ${reason}`, {
    retryable: false,
  });
}

/** An answer of so many values, or names of values, that they would take more memory than its text. */
export function tooHeavy(mostBytes: number): ToolError {
  return new ToolError(
    'response_too_large',
    `the answer holds so many values that they would take more than ${mostBytes} bytes of memory`,
    { retryable: false },
  );
}

/** A large answer that came while others took all that there is for them. */
export function noRoom(): ToolError {
  return new ToolError(
    'rate_limited_local',
    'this server reads as many large answers as it may at once',
    { retryable: true, retryAfterMs: 1000 },
  );
}

/** The same error, with the status of the answer that had begun. */
export function afterStatus(error: Error, httpStatus: number): Error {
  if (!(error instanceof ToolError) || httpStatus === 0) return error;
  const { code, message, detail, cause } = error;
  return new ToolError(code, message, { ...detail, httpStatus }, cause);
}
