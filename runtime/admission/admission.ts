import type { Caller } from '#contract/caller';
import type { Operation } from '#contract/operation';
import type { AdmissionParts, Authenticate, Refuse } from '#contract/surface/admission-parts';
import type { GuardWatch } from '#contract/telemetry/guard';
import { type ConfirmParts, confirmCalls } from './confirm/confirm.ts';
import { rememberActs } from './confirm/remember-acts.ts';
import { claimKeys, type IdempotencyParts, requireKey } from './idempotency/idempotency.ts';
import { authenticateLocal } from './local-caller.ts';
import { askFirst } from './steps/ask.ts';
import { type AuditTrail, auditCalls } from './steps/audit.ts';
import {
  authorizeFor,
  type RequireScopes,
  refuseCaller,
  requireScopesFor,
} from './steps/authorize.ts';
import { deferWork } from './steps/defer.ts';
import { assemble, type Run, type Step, type Steps } from './steps/pipeline.ts';
import { type LimitsOf, limitRate } from './steps/rate-limit.ts';
import { createValidation } from './steps/validate.ts';

/** The one way in for every operation. */
export interface Admission {
  readonly authenticate: Authenticate;
  /** What a caller hears that lacks some of the scopes that are needed. */
  readonly refuse: Refuse;
  /** Refuse a caller that lacks scopes, before anything of an operation is begun. */
  readonly requireScopes: RequireScopes;
  /** Scopes that a person could still give to a caller. */
  readonly grantable: (caller: Caller) => ReadonlySet<string>;
  /** Put everything that the operation demands in front of its handler, once. */
  admit<Result>(operation: Operation, handler: Run<Result>): Run<Result>;
}

export interface AdmissionOptions {
  /** Calls that one caller may make in a second, of all operations together; 0 sets no limit. */
  readonly callRate: number;
  /** Absent where all tenants are held to the same. */
  readonly limitsOf?: LimitsOf | undefined;
  /** Absent where no operation asks to be audited. */
  readonly audit?: AuditTrail;
  /** Absent where nothing has to be confirmed. */
  readonly confirm?: ConfirmParts | undefined;
  /** Absent where no call is kept from being done twice. */
  readonly idempotency?: IdempotencyParts | undefined;
  readonly authenticate?: AdmissionParts['authenticate'];
  readonly refuse?: Refuse;
  readonly grantable?: AdmissionParts['grantable'];
  /** Absent where nobody is told what is decided. */
  readonly guard?: GuardWatch;
  /** Absent where nothing can be paid. */
  readonly payment?: Step;
}

const none: ReadonlySet<string> = new Set();

/** Put the stages together that exist. */
export function createAdmission(options: AdmissionOptions): Admission {
  const refuse = options.refuse ?? refuseCaller;
  const steps: Steps = {
    authorize: authorizeFor(refuse, options.audit, options.guard),
    rateLimit: limitRate(options.callRate, options.limitsOf),
    validate: createValidation(),
    requireKey,
    ...(options.confirm && { confirm: confirmCalls(options.confirm) }),
    ask: askFirst,
    defer: deferWork,
    ...(options.idempotency && { idempotency: claimKeys(options.idempotency) }),
    ...(options.confirm && { act: rememberActs(options.confirm.approvals.acts) }),
    ...(options.payment && { payment: options.payment }),
    ...(options.audit && { audit: auditCalls(options.audit) }),
  };
  return {
    authenticate: (arrival, needs) =>
      options.authenticate?.(arrival, needs) ?? authenticateLocal(arrival),
    refuse,
    requireScopes: requireScopesFor(refuse, options.audit, options.guard),
    grantable: options.grantable ?? (() => none),
    admit: (operation, handler) => assemble(steps, operation, handler),
  };
}
