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
