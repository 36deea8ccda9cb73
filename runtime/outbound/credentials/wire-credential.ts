import type { Provider, ProviderScheme } from '#contract/provider';
import { isOfMessage } from '#contract/text/field-value';
import type { Environment } from '../call/options.ts';
import { isHeaderName, isHeaderValue } from '../connection/header-safety.ts';
import { fillTemplate } from '../connection/template.ts';
import { WrongSetting } from '../connection/wrong-setting.ts';

/** A credential in the form in which it travels. */
export interface WireCredential {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Texts that must not leave this process in any other way. */
  readonly secrets: readonly string[];
}

/** Whose credential it is, and what else its format may name. */
export interface Owner {
  readonly provider: Provider;
  readonly env: Environment;
  /** The variable that it comes from. */
  readonly variable: string;
}

/**
 * Bring a token into the form that its scheme wants.
 *
 * @throws ToolError `missing_credential`
 */
export function onTheWire(scheme: ProviderScheme, token: string, owner: Owner): WireCredential {
  switch (scheme.type) {
    case 'bearer':
      return inHeader(owner, 'authorization', { value: `Bearer ${token}`, token });
    case 'basic': {
      const pair = fillFormat(scheme.format, token, owner);
      if (!pair.includes(':')) throw withoutColon(owner);
      const encoded = Buffer.from(pair).toString('base64');
      return inHeader(owner, 'authorization', { value: `Basic ${encoded}`, token });
    }
    case 'api_key': {
      const value = fillFormat(scheme.format, token, owner);
      if (scheme.in === 'query') {
        return { headers: {}, query: { [scheme.name]: value }, secrets: [value, token] };
      }
      if (scheme.in === 'header') return inHeader(owner, scheme.name, { value, token });
      return inHeader(owner, 'cookie', { value: `${scheme.name}=${value}`, token });
    }
    default:
      return scheme satisfies never;
  }
}

/** @throws WrongSetting when a header cannot carry it */
export function inHeader(
  owner: Owner,
  name: string,
  { value, token }: { value: string; token: string },
): WireCredential {
  if (!isHeaderName(name) || isOfMessage(name)) {
    throw unusable(owner, {
      reason: 'it names a header that cannot be set',
      expected: 'headers that carry a credential, not one that says where a message goes or ends',
      received: JSON.stringify(name.slice(0, 40)),
    });
  }
  if (isHeaderValue(value)) {
    const secrets = [value, token, ...secretsOfBasic(value)];
    return { headers: { [name.toLowerCase()]: value }, query: {}, secrets };
  }
  throw unusable(owner, {
    reason: 'it holds characters that a header cannot carry',
    expected: 'visible ASCII characters and blanks, on one line',
  });
}

/** A key that is the user stands alone, or before a filler such as `x` that is shorter than this. */
const shortestPassword = 4;

/** The pair of user and password, and the one of them that is secret: vendors repeat it alone. */
function secretsOfBasic(value: string): readonly string[] {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(value)?.[1];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const [user = '', ...rest] = pair.split(':');
  const password = rest.join(':');
  return [encoded, pair, password.length < shortestPassword ? user : password];
}

function fillFormat(format: string, token: string, owner: Owner): string {
  const { env, variable } = owner;
  const filled = fillTemplate(format, { env, words: { token } });
  if (filled.text !== undefined) return filled.text;
  const reason = `${filled.missing} must be set too`;
  const expected = `a value, because ${variable} is set (they belong together)`;
  throw unusable({ ...owner, variable: filled.missing }, { reason, expected });
}

/** User and password are told apart by the first colon (RFC 7617, section 2). */
function withoutColon(owner: Owner): WrongSetting {
  return unusable(owner, {
    reason: 'it has no colon between user and password',
    expected: 'user:password; a key that is the user alone with a colon behind it',
    received: 'a text without a colon',
  });
}

/** Why a credential does not work, and what it should have been. */
interface Unusable {
  readonly reason: string;
  readonly expected: string;
  readonly received?: string;
  readonly cause?: unknown;
}

/** A credential that is there and does not work. */
export function unusable(
  { provider, variable }: Owner,
  { reason, expected, received, cause }: Unusable,
): WrongSetting {
  const message = `the credential of ${provider.title} cannot be used: ${reason}`;
  const problem = { variable, expected, ...(received !== undefined && { received }) };
  return new WrongSetting(provider, message, problem, cause);
}
