import { hash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { comparableText, isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import { addressKey } from '#contract/surface/address-key';
import type { Input } from '../steps/pipeline.ts';
import type { KeyedCall } from './key-table.ts';

/** Visible characters and blanks (RFC 9651 section 3.3.3), at most 255 of them. */
const keyForm = /^[\x20-\x7e]{1,255}$/;

/**
 * Read the key of a call; nothing where it has none.
 *
 * @throws ServiceError where it has to have one, or what it has is none
 */
export function keyOf(
  { name, idempotency }: Operation,
  { idempotencyKey }: CallContext,
): string | undefined {
  if (idempotencyKey === undefined) {
    if (idempotency !== 'required') return undefined;
    const message = `${name} needs an idempotency key: the header Idempotency-Key, or dev.agent-tool-server/idempotency-key in the _meta of a tool call`;
    throw new ServiceError('idempotency_key_required', 400, message);
  }
  const given = typeof idempotencyKey === 'string' ? unquoted(idempotencyKey) : '';
  if (keyForm.test(given)) return given;
  const message = 'an idempotency key must be 1 to 255 visible characters of ASCII';
  throw new ServiceError('idempotency_key_invalid', 400, message);
}

/** What is remembered of a call with a key: hashes of what may be secret. */
export function keyedCall(
  { name }: Operation,
  key: string,
  input: Input,
  context: CallContext,
): KeyedCall {
  const { caller, callId } = context;
  return {
    tenant: caller.tenant,
    operation: name,
    owner: ownerOf(context),
    key: hash('sha256', key, 'hex'),
    digest: hash('sha256', comparableText(withoutBytes(input)), 'hex'),
    run: callId,
  };
}

/** Strangers have one name for all; what one has done is not for another, who may have its key. */
function ownerOf({ caller: { subject, isAnonymous }, http }: CallContext): string {
  return isAnonymous && http?.address ? `${subject}@${addressKey(http.address)}` : subject;
}

/** Clients write the header as a string of a structured field, or without its quotes. */
function unquoted(text: string): string {
  const [, inner] = /^"(.*)"$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll(/\\(["\\])/g, '$1');
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { sha256: hash('sha256', value, 'hex') };
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutBytes(member)]),
  );
}
