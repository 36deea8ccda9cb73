import type { Problem } from '../problem.ts';

/** What the errors of this house are called in OAuth; others keep their codes. */
const codes: Readonly<Record<string, string>> = {
  invalid_arguments: 'invalid_request',
  nested_too_deeply: 'invalid_request',
  method_not_allowed: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  body_too_large: 'invalid_request',
  too_many_values: 'invalid_request',
  idempotency_key_invalid: 'invalid_request',
  unauthorized: 'invalid_client',
  rate_limited: 'temporarily_unavailable',
  stopping: 'temporarily_unavailable',
};

/** A problem as OAuth tells it: status, headers and the members of its body (RFC 6749 section 5.2). */
export function oauthError({ status, headers, members }: Problem): Problem {
  const { code, detail } = members as { readonly code?: unknown; readonly detail?: unknown };
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store', pragma: 'no-cache' },
    members: {
      error: errorCode(status, code),
      ...(typeof detail === 'string' && { error_description: plain(detail) }),
    },
  };
}

/** The same names where agents register, but for what only they are told. */
const agentAliases: Readonly<Record<string, readonly string[]>> = {
  rate_limited: ['rate_limit_exceeded'],
};

/**
 * A problem as agents read it where they register: the error of OAuth, its sentence under both names
 * that are in use, and what else the problem says.
 */
export function agentError(told: Problem): Problem {
  const { status, headers, members } = oauthError(told);
  const {
    code,
    detail,
    title: _,
    status: __,
    ...rest
  } = told.members as Readonly<Record<string, unknown>>;
  const wait = Number(headers['retry-after'] ?? Number.NaN);
  const name = typeof code === 'string' ? code : '';
  const aliases = agentAliases[name];
  return {
    status,
    headers,
    members: {
      ...members,
      ...(name === 'rate_limited' && { error: name }),
      ...(typeof detail === 'string' && { message: plain(detail) }),
      ...(aliases && { error_aliases: aliases }),
      ...(Number.isFinite(wait) && { retry_after: wait }),
      ...rest,
    },
  };
}

function errorCode(status: number, code: unknown): string {
  if (status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  if (typeof code !== 'string') return 'invalid_request';
  return Object.hasOwn(codes, code) ? (codes[code] ?? code) : code;
}

/** The characters that a description may have: no quotes, no backslashes, nothing beyond ASCII. */
function plain(text: string): string {
  return (
    text
      .replaceAll('"', "'")
      // What is a list on several lines becomes one sentence after the other.
      .replaceAll(/:\s*\n\s*- /g, ': ')
      .replaceAll(/\s*\n\s*- /g, '; ')
      .replaceAll(/[\s.]*\n\s*/g, '. ')
      .replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
  );
}
