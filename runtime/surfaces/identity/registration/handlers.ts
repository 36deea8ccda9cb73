import type { ServiceError } from '#contract/errors';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { type Registers, refusedRegistration } from './register.ts';

const secret = { 'cache-control': 'no-store' };

/** Register agents, in the way that `type` names. */
export function createRegistrationHandlers(
  registers: Registers,
): Pick<IdentityHandlers, 'registerAgent'> {
  return {
    async registerAgent({ body, context }) {
      const register = Object.hasOwn(registers, body.type) ? registers[body.type] : undefined;
      if (!register) throw unknownType(body.type, Object.keys(registers));
      const answer = await register(body, context);
      const { registration } = answer;
      return {
        status: answer.status,
        headers: { ...secret, ...answer.headers },
        body: answer.body,
        ...(registration !== undefined && { replay: replayed(registration) }),
      };
    },
  };
}

function unknownType(type: string, known: readonly string[]): ServiceError {
  const shown = JSON.stringify(type.slice(0, 80));
  const message = `type must be one of ${known.join(', ')}, but it is ${shown}`;
  return refusedRegistration('invalid_request', 400, message);
}

/** Secrets leave once: the same key later hears only which registration it has made. */
function replayed(registration: string) {
  const message =
    'this key has registered already, and its secrets are given once; register with another key';
  return {
    status: 409,
    headers: secret,
    body: {
      error: 'idempotency_replayed',
      error_description: message,
      message,
      registration_id: registration,
      id: registration,
    },
  } as const;
}
