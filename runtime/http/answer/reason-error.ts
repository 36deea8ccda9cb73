import { randomUUID } from 'node:crypto';
import type { Problem } from '../problem.ts';

/** What the errors of this house are called by routes that tell a code and its reason. */
const codes: Readonly<Record<string, string>> = {
  invalid_arguments: 'invalid_request',
  nested_too_deeply: 'invalid_request',
  too_many_values: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  method_not_allowed: 'invalid_request',
  invalid_token: 'unauthorized',
  body_too_large: 'payload_too_large',
};

/**
 * A problem as a code, the reason in words for people, details where there are any, and an id with
 * which the occurrence is found in the log where it was written there.
 */
export function reasonError({ status, headers, members }: Problem): Problem {
  const {
    code,
    detail,
    instance,
    title: _,
    status: __,
    ...rest
  } = members as Readonly<Record<string, unknown>>;
  const name = typeof code === 'string' ? code : 'observability_error';
  const id = typeof instance === 'string' ? instance.replace(/^urn:uuid:/, '') : randomUUID();
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store' },
    members: {
      error: Object.hasOwn(codes, name) ? codes[name] : name,
      reason: typeof detail === 'string' ? detail : '',
      ...rest,
      correlation_id: id,
    },
  };
}
