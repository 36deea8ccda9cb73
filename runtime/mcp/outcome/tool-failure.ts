import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import { PaymentRefused, PaymentRequired, PaymentUsed } from '#contract/payment/payment';
import { type Structured, structuredResult } from '#contract/text/tool-result';
import type { ToolResult } from '#contract/tool';
import type { Outcome } from './outcome.ts';

/** Statuses that speak of the caller and not of the tool. */
const refusals = new Set([401, 403, 429]);

/** What a tool's failure is to its client; nothing where nobody foresaw it. */
export function failureOf(
  error: unknown,
): (Outcome & { readonly kind: 'toolError' | 'toolResult' | 'refused' }) | undefined {
  if (error instanceof ToolError) return { kind: 'toolError', error };
  if (error instanceof PaymentRequired) return { kind: 'toolResult', result: unpaid(error) };
  if (error instanceof PaymentUsed) return { kind: 'toolResult', result: used(error) };
  if (error instanceof PaymentRefused) return { kind: 'toolResult', result: refusedPayment(error) };
  if (!(error instanceof ServiceError)) return undefined;
  if (refusals.has(error.status)) return { kind: 'refused', error };
  const { code, message, status, retryAfterMs, isLasting } = error;
  // Ours are known by their codes; below 500 the code of the tool says enough, except of what is too large.
  const detail = {
    retryable: !isLasting,
    retryAfterMs,
    ...((status >= 500 || status === 413) && { upstreamCode: code }),
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

/**
 * How a tool has to be paid for, in one result for the clients of all protocols: those of x402 read
 * its structured content or its metadata, those of MPP their own part of the metadata.
 */
function unpaid({ terms: { x402, mpp } }: PaymentRequired): ToolResult {
  const paymentauth = mpp.challenges.length > 0 && { 'org.paymentauth/payment-required': mpp };
  if (x402 === undefined) {
    const content = [{ type: 'text', text: JSON.stringify(mpp) }] as const;
    return { isError: true, content: [...content], _meta: { ...paymentauth } };
  }
  const value = x402 as Structured['value'];
  const result = structuredResult({ value, text: textOf(x402) }, { untrusted: false, title: '' });
  return Object.assign(result, { isError: true, _meta: { 'x402/error': x402, ...paymentauth } });
}

const texts = new WeakMap<object, string>();

/** The same is told to all who have not paid yet: it is written out once. */
function textOf(x402: object): string {
  const known = texts.get(x402);
  if (known !== undefined) return known;
  const text = JSON.stringify(x402);
  texts.set(x402, text);
  return text;
}

/** The code is that of the payment: a client that reads another one would sign a second payment. */
function used({ code, message, retryAfterMs }: PaymentUsed): ToolResult {
  const retryable = retryAfterMs !== undefined;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: {
      error: { code, message, retryable, ...(retryable && { retry_after_ms: retryAfterMs }) },
    },
  };
}

/** For models and for clients that pay: the latter find nothing in it that they could pay. */
function refusedPayment({ message, told }: PaymentRefused): ToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: message }],
    structuredContent: told,
  };
}
