import { ServiceError } from '../errors.ts';
import type { JsonObject } from '../json.ts';

/** What a client sent along to pay with, in the metadata of its message and as it came. */
export interface PaymentProofs {
  /** `x402/payment`: an object, or its JSON in base64 (x402 v2, MCP transport). */
  readonly x402?: unknown;
  /** `org.paymentauth/credential` (MPP, JSON-RPC and MCP transport). */
  readonly credential?: unknown;
}

/** What a client is told of what it has paid. */
export interface PaymentReceipt {
  /** In HTTP, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** In the metadata of a result of MCP. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** How something can be paid, in the shapes of the protocols. */
export interface PaymentTerms {
  /** `PaymentRequired` of x402 v2; absent where it cannot be paid so. */
  readonly x402?: { readonly x402Version: 2; readonly error: string } & object;
  /** `org.paymentauth/payment-required` of MPP. */
  readonly mpp: {
    readonly httpStatus: 402;
    readonly challenges: readonly object[];
    readonly problem: {
      readonly type: string;
      readonly title: string;
      readonly status: 402;
      readonly detail: string;
      readonly challengeId?: string;
    };
  };
}

/** Something has to be paid first, and how. */
export class PaymentRequired extends ServiceError {
  readonly terms: PaymentTerms;

  /** @param status 400 where what was shown is no payment at all, 412 where its payer has to do something first */
  constructor(
    terms: PaymentTerms,
    headers: Readonly<Record<string, string>>,
    status: 400 | 402 | 412 = 402,
  ) {
    const { problem } = terms.mpp;
    const detail = { ...terms.x402, ...problem, status } as JsonObject;
    super('payment_required', status, problem.detail, { detail, headers });
    this.terms = terms;
  }
}

/** A payment that was taken already, or of which nobody knows yet what became: no other one is asked for. */
export class PaymentUsed extends ServiceError {
  constructor(code: string, message: string, options: { readonly retryAfterMs?: number } = {}) {
    super(code, 409, message, options);
  }
}

/** Something may not be paid for now, and paying would not help: no way to pay comes with it. */
export class PaymentRefused extends ServiceError {
  /** What is told, in HTTP as members of the problem and in MCP as the result of the tool. */
  readonly told: { readonly error: string } & JsonObject;

  constructor(message: string, told: PaymentRefused['told'], retryAfterMs: number) {
    super(told.error, 403, message, {
      detail: { ...told },
      headers: { 'cache-control': 'no-store' },
      retryAfterMs,
    });
    this.told = told;
  }
}
