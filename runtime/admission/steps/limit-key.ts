import type { CallContext } from '#contract/caller';
import type { OperationLimit } from '#contract/operation';
import { addressKey } from '#contract/surface/address-key';

/** Gives what a call is counted under. */
export type LimitKey = (context: CallContext) => string;

/** How the calls of an operation are told apart; those of nobody in particular by their address. */
export function limitKey(by: OperationLimit['by']): LimitKey {
  switch (by) {
    case 'address':
      return (context) => ofAddress(context) ?? ofCaller(context);
    case 'client':
      return (context) => ofNobody(context) ?? ofClient(context);
    case 'path':
      return (context) => ofPath(context) ?? ofCaller(context);
    case undefined:
      return (context) => ofNobody(context) ?? ofCaller(context);
  }
}

function ofCaller({ caller: { tenant, subject } }: CallContext): string {
  return `${tenant}/${subject}`;
}

function ofClient({ caller: { tenant, client } }: CallContext): string {
  return `${tenant}/client/${client}`;
}

function ofPath({ caller: { tenant }, http }: CallContext): string | undefined {
  return http && `${tenant}${http.url.split('?', 1)[0]}`;
}

/** Strangers have one name for all: one of them must not use up what all others need. */
function ofNobody(context: CallContext): string | undefined {
  return context.caller.isAnonymous ? ofAddress(context) : undefined;
}

function ofAddress({ caller: { tenant }, http }: CallContext): string | undefined {
  return http?.address === undefined ? undefined : `${tenant}/at/${addressKey(http.address)}`;
}
