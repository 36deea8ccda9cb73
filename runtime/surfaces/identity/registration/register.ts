import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { JsonObject } from '#contract/json';
import type { RegistrationBody } from '../../../../generated/surfaces/identity/types.ts';

/** What a registration is answered with; `replay` says which one it was, without its secrets. */
export interface RegistrationAnswer {
  readonly status: 200 | 401;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Absent where the same request may simply come again. */
  readonly registration?: string;
}

/** Registers in one of the ways, which `type` names. @throws ServiceError */
export type Register = (
  body: RegistrationBody,
  context: CallContext,
) => Promise<RegistrationAnswer>;

/** The ways to register, by their types; each room adds its own. */
export type Registers = Readonly<Record<string, Register>>;

/** Refuse a registration or a claim; `more` stands beside the error in the body. */
export function refusedRegistration(
  code: string,
  status: number,
  message: string,
  more: JsonObject = {},
): ServiceError {
  if (status !== 401) return new ServiceError(code, status, message, { detail: more });
  // No bearer token is meant, which a challenge without a name would ask for.
  const challenge = `AgentAuth error="${code}", error_description="${message}"`;
  const headers = { 'www-authenticate': challenge };
  return new ServiceError(code, status, message, { detail: more, headers });
}
