import type { ToolError, ToolErrorCode } from '#contract/errors';
import type { ToolResult } from '#contract/tool';

/** What the model can do about a failure. */
const hints: Readonly<Record<ToolErrorCode, string>> = {
  invalid_arguments: 'Change the arguments; the same call will fail again.',
  missing_credential: 'The operator of this server has to set it; another call does not help.',
  unauthorized:
    'The credential of this server is wrong or has expired; its operator has to renew it.',
  forbidden: 'The credential of this server may not do this.',
  not_found: 'Check the identifier; it may also be that the credential may not see it.',
  conflict: 'Read the current state, then decide anew.',
  rate_limited: 'The vendor asks for fewer calls.',
  rate_limited_local: 'Make fewer calls at a time.',
  upstream_error: 'The vendor or the way to it has a problem.',
  upstream_timeout: 'The vendor did not answer in time.',
  response_too_large: 'Ask for less: fewer items, fewer fields or a narrower filter.',
  payment_required: 'The vendor wants to be paid first.',
  confirmation_required: 'A person has to agree first.',
};

/** Say in a tool result what went wrong (MCP 2026-07-28, tool execution errors). */
export function toolErrorResult(error: ToolError): ToolResult {
  const { code, message, detail } = error;
  const {
    provider,
    httpStatus,
    retryable = false,
    retryAfterMs,
    upstreamCode,
    details,
    docs,
  } = detail;
  const structured = {
    code,
    provider,
    http_status: httpStatus,
    message,
    retryable,
    retry_after_ms: retryAfterMs,
    upstream_code: upstreamCode,
    details,
    docs,
  };
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}. ${hints[code]}${repetition(error)}` }],
    structuredContent: { error: withoutAbsent(structured) },
  };
}

function repetition({ code, detail }: ToolError): string {
  const { retryable, retryAfterMs } = detail;
  if (retryable === true) {
    return retryAfterMs === undefined
      ? ' The same call may succeed later.'
      : ` The same call may succeed in ${Math.ceil(retryAfterMs / 1000)} s.`;
  }
  // Nobody knows whether the vendor did what it was asked before the connection ended.
  return code === 'upstream_timeout' ? ' Check whether it took effect before you try again.' : '';
}

function withoutAbsent(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
