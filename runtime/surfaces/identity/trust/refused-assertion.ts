import { ServiceError } from '#contract/errors';
import { idJagLoginMs } from '../numbers.ts';
import type { AssertionRefused } from './assertion-refusal.ts';

/** What a registration hears whose assertion is refused. */
export function refusedAssertion({ code, message }: AssertionRefused): ServiceError {
  if (code === 'login_required') {
    const maxAge = idJagLoginMs / 1000;
    const challenge = `AgentAuth error="login_required", max_age="${maxAge}", error_description="${message}"`;
    const headers = { 'www-authenticate': challenge };
    return new ServiceError(code, 401, message, { headers, detail: { max_age: maxAge } });
  }
  const aliases = code === 'issuer_not_enabled' ? ['invalid_issuer'] : undefined;
  return new ServiceError(code, 400, message, {
    detail: aliases ? { error_aliases: aliases } : {},
  });
}
