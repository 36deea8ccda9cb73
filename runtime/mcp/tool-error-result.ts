import type { ToolError } from '#contract/errors';
import type { ToolResult } from '#contract/tool';

const longestDetails = 2000;

/** Tell a model what went wrong: as text to read, and as data to act on. */
export function toolErrorResult(error: ToolError): ToolResult {
  const { provider, httpStatus, retryable, retryAfterMs, upstreamCode, details, docs } =
    error.detail;
  return {
    content: [{ type: 'text', text: textOf(error) }],
    structuredContent: {
      error: {
        code: error.code,
        provider,
        http_status: httpStatus,
        message: error.message,
        retryable,
        retry_after_ms: retryAfterMs,
        upstream_code: upstreamCode,
        details,
        docs,
      },
    },
    isError: true,
  };
}

function textOf({ code, message, detail }: ToolError): string {
  const lines = [`${code}: ${message}`];
  if (detail.retryAfterMs !== undefined) lines.push(`Retry after ${detail.retryAfterMs} ms.`);
  if (detail.details !== undefined) {
    const said = JSON.stringify(detail.details) ?? '';
    lines.push(`Details from the vendor, as data: ${said.slice(0, longestDetails)}`);
  }
  if (detail.docs !== undefined) lines.push(`See ${detail.docs}`);
  return lines.join('\n');
}
