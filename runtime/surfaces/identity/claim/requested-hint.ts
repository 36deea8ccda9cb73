import type { ServiceError } from '#contract/errors';
import { emailAddress } from '../people/email-address.ts';
import { refusedRegistration } from '../registration/register.ts';

/** Under which names agents say who is to claim them. */
export interface HintNames {
  readonly email?: unknown;
  readonly login_hint?: unknown;
}

/**
 * The address that an agent names, in the form in which it is kept; nothing where it names none.
 *
 * @throws ServiceError `invalid_request` for two different ones, `invalid_login_hint` for what is none
 */
export function requestedHint({ email, login_hint: hint }: HintNames): string | undefined {
  const named = [email, hint].filter((each) => each !== undefined);
  if (named.length === 0) return undefined;
  const addresses = named.map((each) =>
    typeof each === 'string' ? emailAddress(each) : undefined,
  );
  const [first, second] = addresses;
  if (first === undefined || (named.length === 2 && second === undefined)) throw noAddress();
  if (named.length === 2 && first !== second) {
    const message = 'email and login_hint name two addresses; send one of them';
    throw refusedRegistration('invalid_request', 400, message);
  }
  return first;
}

function noAddress(): ServiceError {
  const message = 'expected an e-mail address such as ada@example.com';
  return refusedRegistration('invalid_login_hint', 400, message);
}
