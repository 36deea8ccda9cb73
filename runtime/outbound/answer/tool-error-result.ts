import type { ToolError, ToolErrorCode } from '#contract/errors';
import { markUntrusted, untrustedKey } from '#contract/text/untrusted';
import type { ToolResult } from '#contract/tool';

/** What the model can do about a failure. */
const hints: Readonly<Record<ToolErrorCode, string>> = {
  invalid_arguments: 'Change the arguments; the same call will fail again.',
  missing_credential: 'The operator of this server has to set it; another call does not help.',
  connection_required:
    'Nothing was done: a person has to connect their account at the vendor first.',
  unauthorized:
    'The credential of this server is wrong or has expired; its operator has to renew it.',
  forbidden: 'The credential of this server may not do this.',
  not_found: 'Check the identifier; it may also be that the credential may not see it.',
  conflict: 'Read the current state, then decide anew.',
  rate_limited: 'The vendor asks for fewer calls.',
  rate_limited_local: 'Make fewer calls at a time.',
  upstream_error: 'What stands behind this tool, or the way to it, has a problem.',
  upstream_timeout: 'The vendor did not answer in time.',
  response_too_large: 'Ask for less: fewer items, fewer fields or a narrower filter.',
  payment_required: 'The vendor wants to be paid first.',
  confirmation_required: 'Nothing was done: it has to be confirmed first.',
  script_failed: 'Calls that the script had made before are done.',
};

const longestDetails = 2000;

/** Tell a model what went wrong: as text to read, and as data to act on (MCP 2026-07-28, tool execution errors). */
export function toolErrorResult(error: ToolError): ToolResult {
  const { code, message, detail } = error;
  return {
    content: [{ type: 'text', text: textOf(error) }],
    structuredContent: {
      error: {
        code,
        provider: detail.provider,
        http_status: detail.httpStatus,
        message,
        retryable: detail.retryable ?? false,
        retry_after_ms: detail.retryAfterMs,
        vendor_asked_to_wait_ms: detail.askedToWaitMs,
        upstream_code: detail.upstreamCode,
        details: detail.details,
        docs: detail.docs,
        advice: detail.advice,
        approval_url: detail.approvalUrl,
        claim_url: detail.claimUrl,
        connect_url: detail.connectUrl,
        confirm_token: detail.confirmToken,
      },
    },
    isError: true,
    ...(detail.untrusted === true && { _meta: { [untrustedKey]: true } }),
  };
}

/** Some clients read nothing else. */
function textOf(error: ToolError): string {
  const { code, message, detail } = error;
  const hint = `${hintOf(error)}${repetition(error)}`;
  const details = detailsOf(error);
  const docs = detail.docs === undefined ? [] : [`See ${detail.docs}`];
  if (detail.untrusted !== true) {
    return [`${code}: ${message}`, hint, ...details, ...docs].join('\n');
  }
  const whose = code === 'script_failed' ? 'a script' : (detail.provider ?? 'the vendor');
  const said = markUntrusted([message, ...details].join('\n'), whose);
  return [`${code}: what was said stands below`, hint, ...docs, said].join('\n');
}

/** What somebody does first who does not know whether it is done already. */
const check = 'Check whether it took effect before you try again.';

/**
 * Where the account of a person was refused, that person has to act, not the operator. What may be done
 * is not asked for once more in other words.
 */
function hintOf({ code, detail: { advice, connectUrl, mayBeDone, retryable } }: ToolError): string {
  if (mayBeDone && !retryable && code !== 'upstream_timeout') return check;
  if (advice !== undefined) return advice;
  if (connectUrl === undefined) return hints[code];
  if (code === 'unauthorized') {
    return `The vendor has refused the account that the person has connected; they can connect it again at ${connectUrl}.`;
  }
  if (code === 'forbidden') {
    return `The account that the person has connected may not do this; they can connect another one at ${connectUrl}.`;
  }
  return hints[code];
}

function detailsOf({ code, detail: { details } }: ToolError): readonly string[] {
  if (details === undefined) return [];
  const said = JSON.stringify(details) ?? '';
  const whose = code === 'script_failed' ? 'of the script' : 'from the vendor';
  return [`Details ${whose}, as data: ${said.slice(0, longestDetails)}`];
}

function repetition({ code, detail }: ToolError): string {
  const { retryable, retryAfterMs, askedToWaitMs } = detail;
  if (askedToWaitMs !== undefined) {
    return ` The vendor asks to wait for ${Math.ceil(askedToWaitMs / 86_400_000)} days: that looks like its mistake.`;
  }
  if (retryable === true) {
    return retryAfterMs === undefined
      ? ' The same call may succeed later.'
      : ` The same call may succeed in ${Math.ceil(retryAfterMs / 1000)} s.`;
  }
  // Nobody knows whether the vendor did what it was asked before the connection ended.
  return code === 'upstream_timeout' ? ` ${check}` : '';
}
