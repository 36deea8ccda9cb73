import type { Arrival } from '#contract/arrival';
import { ServiceError } from '#contract/errors';
import type { Refuse } from '#contract/surface/admission-parts';
import type { Addresses } from '../addresses.ts';

/** What a refused caller is told besides. */
interface Told {
  readonly error?: string;
  readonly description?: string;
  readonly needs?: readonly string[] | undefined;
  readonly scheme?: 'Bearer' | 'DPoP';
}

/** What a caller could do about the scopes that it lacks. */
export type Remedy = (refused: Parameters<Refuse>[0]) => Readonly<Record<string, string | object>>;

/** Tells callers how to prove who they are, and what they lack. */
export interface Challenges {
  /** Nobody in particular: 401 without an error (RFC 6750 section 3.1). */
  missing(arrival: Arrival, needs: readonly string[] | undefined): ServiceError;
  /** A token that is worth nothing here. */
  invalid(arrival: Arrival, why: string, needs?: readonly string[]): ServiceError;
  /** Scopes are missing. */
  readonly refuse: Refuse;
}

/** Make the challenges (RFC 6750 section 3, RFC 9728 section 5.1). */
export function createChallenges(addresses: Addresses, remedy: Remedy = () => ({})): Challenges {
  function headers(arrival: Arrival, told: Told): Record<string, string> {
    const { scheme = 'Bearer', error, description, needs = [] } = told;
    const metadata = addresses.metadata(arrival.transport === 'mcp' ? 'mcp' : 'base');
    const parameters = [
      ['resource_metadata', metadata],
      ['scope', needs.join(' ')],
      ['error', error],
      ['error_description', description],
    ].flatMap(([name, value]) => (value ? [`${name}=${quoted(value)}`] : []));
    return {
      'www-authenticate': `${scheme} ${parameters.join(', ')}`,
      link: `<${addresses.url('/auth.md')}>; rel="service-doc"`,
    };
  }
  const missing: Challenges['missing'] = (arrival, needs) =>
    new ServiceError('unauthorized', 401, 'an access token is needed', {
      headers: headers(arrival, { needs }),
    });
  return {
    missing,
    invalid(arrival, why, needs) {
      const description = `the access token is refused: ${why}`;
      const told = { error: 'invalid_token', description, needs };
      return new ServiceError('invalid_token', 401, description, {
        headers: headers(arrival, told),
      });
    },
    refuse(refused) {
      const { caller, arrival, operation, needs } = refused;
      const description = `${operation} needs ${needs.join(' and ')}`;
      if (!arrival) return insufficient(description, refused);
      if (caller.isAnonymous) return missing(arrival, needs);
      const told = { error: 'insufficient_scope', description, needs };
      return insufficient(description, refused, headers(arrival, told));
    },
  };

  function insufficient(
    description: string,
    refused: Parameters<Refuse>[0],
    told?: Record<string, string>,
  ): ServiceError {
    const { caller, needs } = refused;
    const granted = caller.scopes === 'all' ? [] : [...caller.scopes];
    const detail = {
      error: 'insufficient_scope',
      error_description: description,
      scope: needs.join(' '),
      required_scopes: [...needs],
      granted_scopes: granted,
      ...remedy(refused),
    };
    const options = { detail: detail as ServiceError['detail'], ...(told && { headers: told }) };
    return new ServiceError('insufficient_scope', 403, description, options);
  }
}

/** A quoted string (RFC 9110 section 5.6.4) of what a header may hold. */
function quoted(text: string): string {
  const plain = text.replaceAll(/[^\x20-\x7e]/g, '?');
  return `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}
