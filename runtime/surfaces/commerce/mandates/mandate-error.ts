import { ServiceError } from '#contract/errors';

/** Why a mandate is not taken (UCP 2026-08-25, AP2 mandates, and AP2 0.2, errors). */
export type MandateFault =
  | 'agent_missing_key'
  | 'mandate_invalid_signature'
  | 'mandate_expired'
  | 'mandate_scope_mismatch'
  | 'merchant_authorization_invalid'
  | 'unresolved_constraint'
  | 'invalid_mandate';

/** A mandate that does not say that this may be bought. */
export class MandateError extends ServiceError {
  /** Type of the constraint that stands against it; nothing where none does. */
  readonly constraint: string | undefined;

  constructor(code: MandateFault, message: string, constraint?: string) {
    super(code, 400, message);
    this.constraint = constraint;
  }
}
