import type { Problem } from '../problem.ts';

interface Told {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly param?: unknown;
  readonly supported_versions?: unknown;
}

/** What the errors of this house are called by routes of checkouts; others keep their codes. */
const codes: Readonly<Record<string, string>> = {
  invalid_arguments: 'invalid_request',
  nested_too_deeply: 'invalid_request',
  too_many_values: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  body_too_large: 'invalid_request',
  idempotency_key_invalid: 'invalid_request',
};

/** A problem as clients of ACP read it (2026-04-17, Error). */
export function acpError({ status, headers, members }: Problem): Problem {
  const { detail, param, supported_versions: versions } = members as Told;
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store' },
    members: {
      type: typeOf(status),
      code: codeOf(members),
      message: typeof detail === 'string' ? detail : '',
      ...(typeof param === 'string' && { param }),
      ...(Array.isArray(versions) && { supported_versions: versions }),
    },
  };
}

/** A problem as clients of UCP read it (2026-08-25, error response). */
export function ucpError({ status: given, headers, members }: Problem): Problem {
  const { detail, param } = members as Told;
  const code = codeOf(members);
  // UCP has no other status for a key that comes again with another body.
  const status = code === 'idempotency_conflict' ? 409 : given;
  const error = {
    ...{ type: 'error', code, content_type: 'plain' },
    content: typeof detail === 'string' ? detail : '',
    severity: status >= 500 || status === 409 || status === 429 ? 'recoverable' : 'unrecoverable',
    ...(typeof param === 'string' && { path: param }),
  };
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store' },
    members: { ucp: { version: '2026-08-25', status: 'error' }, messages: [error] },
  };
}

function typeOf(status: number): string {
  if (status === 503 || status === 429) return 'service_unavailable';
  return status >= 500 ? 'processing_error' : 'invalid_request';
}

function codeOf(members: object): string {
  const { code } = members as Told;
  const name = typeof code === 'string' ? code : 'processing_error';
  return Object.hasOwn(codes, name) ? (codes[name] ?? name) : name;
}
