import type { Arrival } from '#contract/arrival';
import type { CallContext, Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { authorOf } from '#contract/house/audit-events';
import type { Operation } from '#contract/operation';
import type { Refuse } from '#contract/surface/admission-parts';
import type { GuardWatch } from '#contract/telemetry/guard';
import type { AuditTrail } from './audit.ts';
import type { Run, Step } from './pipeline.ts';

/** Let only callers through that hold every scope; who is refused an audited operation is noted. */
export function authorizeFor(refuse: Refuse, trail?: AuditTrail, guard?: GuardWatch): Step {
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    const { access } = operation;
    if (access === 'public' || access.length === 0) return next;
    const require = requireScopesFor(refuse, trail, guard);
    const allowed = guard?.allowed(operation.name);
    return (input, context) => {
      require(operation, context.caller, context.http, context);
      allowed?.();
      return next(input, context);
    };
  };
}

/**
 * Lets a caller pass that holds every scope of an operation.
 *
 * @throws ServiceError with status 401 or 403
 */
export type RequireScopes = (
  operation: Pick<Operation, 'name' | 'access' | 'audit'>,
  caller: Caller,
  arrival: Arrival | undefined,
  context?: CallContext,
) => void;

/** Make what refuses callers that lack scopes, and notes that where the operation is audited. */
export function requireScopesFor(
  refuse: Refuse,
  trail?: AuditTrail,
  guard?: GuardWatch,
): RequireScopes {
  return ({ name, access, audit }, caller, arrival, context) => {
    const { scopes } = caller;
    if (access === 'public' || scopes === 'all') return;
    if (access.every((scope) => scopes.has(scope))) return;
    if (audit && trail) noteDenials(trail, name, access)(caller);
    guard?.denied({ operation: name, caller, arrival, needs: access, context });
    throw refuse({ caller, arrival, operation: name, needs: access });
  };
}

/** What a caller hears that lacks scopes, where nothing says more. */
export const refuseCaller: Refuse = ({ operation, needs }) =>
  new ServiceError('insufficient_scope', 403, `${operation} needs ${needs.join(' and ')}`, {
    detail: { scope: needs.join(' ') },
  });

/** A denial does not wait for the disk: nothing has happened that it could prove. */
function noteDenials({ events, onLoss }: AuditTrail, name: string, access: readonly string[]) {
  return (caller: Caller): void => {
    const payload = {
      operation: name,
      transport: caller.transport,
      required: access.join(' ').slice(0, 500),
    };
    events.policyDenied.later({ ...authorOf(caller), outcome: 'denied', payload }, (error) =>
      onLoss(error, name),
    );
  };
}
