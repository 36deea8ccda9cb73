import type { OAuthConnect } from '#contract/connect/ways';
import { isObject, type JsonObject, type JsonPath, valueAt } from '#contract/json';
import { longestLifeMs, longestToken } from '../numbers.ts';

/** The codes with which vendors say that what was brought to them is worth nothing any more. */
const lastWords =
  /^(?:invalid_grant|invalid_code|code_already_used|bad_verification_code|(?:bad|invalid|expired|revoked)_refresh_token|(?:refresh_)?token_(?:expired|revoked|rotated)|account_inactive|invalid_auth)$/;

/** `bearer` (RFC 6750), and as Slack calls those of a person and of an app. */
const bearerTypes = ['bearer', 'user', 'bot'];

/** An answer of a token endpoint in the words of RFC 6749, and the same as it came. */
export interface Translated {
  readonly status: number;
  readonly body: JsonObject;
  readonly raw: unknown;
}

/**
 * Translate the answer of a vendor's token endpoint into that of RFC 6749 section 5: some answer with
 * a form, put the token somewhere else, give lists and texts for numbers, or fail with status 200.
 */
export function translateAnswer(flow: OAuthConnect, status: number, text: string): Translated {
  const raw = parse(text);
  const found = flow.tokenAt && valueAt(raw, flow.tokenAt);
  const answer = isObject(found) && typeof found['access_token'] === 'string' ? found : raw;
  if (isObject(answer) && typeof answer['access_token'] === 'string' && status < 300) {
    const error = flawOf(answer);
    return error === undefined
      ? { status: 200, body: tokenBody(answer), raw }
      : { status: 400, body: { error }, raw };
  }
  const named =
    isObject(raw) && typeof raw['error'] === 'string' ? raw['error'] : 'unusable_answer';
  const error = lastWords.test(named) ? 'invalid_grant' : codeOf(named);
  return { status: status >= 400 && status < 500 ? status : 400, body: { error }, raw };
}

/** A code of an error as it may be logged: what is not one (RFC 6749 section 4.1.2.1) may hold anything. */
export function codeOf(named: string): string {
  return /^[\w.-]{1,64}$/.test(named) ? named : 'unnamed_error';
}

/** Why a token cannot be used: how it is, or how it wants to be used (RFC 6749 section 7.1, A.12). */
function flawOf({ access_token, token_type }: Readonly<Record<string, unknown>>) {
  const isBearer =
    // Some vendors leave it away.
    token_type === undefined || bearerTypes.includes(String(token_type).toLowerCase());
  if (!isBearer) return 'unsupported_token_type';
  const token = String(access_token);
  if (token.length > longestToken) return 'too_long_access_token';
  return /^[\x20-\x7e]+$/.test(token) ? undefined : 'unusable_access_token';
}

/** Whole seconds, as many as can be counted; nothing where it is not known how long a token lives. */
function lifeOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
  return Math.min(Math.max(Math.floor(seconds), 1), longestLifeMs / 1000);
}

/** Nothing that is not needed: an ID token would have to be verified, and says nothing here. */
function tokenBody(answer: Readonly<Record<string, unknown>>): JsonObject {
  const { access_token, refresh_token, expires_in, scope } = answer;
  const seconds = lifeOf(expires_in);
  const scopes = Array.isArray(scope) ? scope.join(' ') : scope;
  return {
    access_token: String(access_token),
    token_type: 'bearer',
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
    ...(seconds !== undefined && { expires_in: seconds }),
    ...(typeof scopes === 'string' && { scope: plain(scopes) }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // application/x-www-form-urlencoded, as GitHub answers who does not ask for JSON.
    return text.includes('=') ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}

/** What a vendor calls the account, where the answer says so. */
export function accountIn(raw: unknown, path: JsonPath | undefined, longest: number): string {
  const found = path && valueAt(raw, path);
  return typeof found === 'string' ? plain(found).slice(0, longest) : '';
}

/** Without what nobody sees, of which PostgreSQL keeps some in no text, and without halves of characters. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}

/** The body of a token request as the vendor takes it. */
export function translateRequest(
  flow: OAuthConnect,
  form: URLSearchParams,
): { readonly body: string; readonly contentType: string } {
  for (const name of flow.omit ?? []) form.delete(name);
  if (flow.tokenBody === 'json') {
    return { body: JSON.stringify(Object.fromEntries(form)), contentType: 'application/json' };
  }
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}
