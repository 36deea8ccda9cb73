import { isObject } from '#contract/json';
import { metaOf, protocolVersionKey } from '../mcp/wire/classify.ts';
import { idOf, isRequestId, type RequestId } from '../mcp/wire/json-rpc.ts';

/** What has to be known of a message of the client; the server checks all the rest. */
export interface Outgoing {
  readonly bytes: Buffer;
  readonly id: RequestId | undefined;
  readonly method: string | undefined;
  /** It says of itself what in the handshake era HTTP headers say. */
  readonly isModern: boolean;
  /** Notifications and responses are not answered. */
  readonly isAnswered: boolean;
  /** What a notification of a cancellation names. */
  readonly cancels: RequestId | undefined;
}

/** Look at a message that has been parsed already. */
export function outgoing(bytes: Buffer, value: unknown): Outgoing {
  const { method, params, id, result, error } = isObject(value) ? value : nothing;
  const isCall = typeof method === 'string';
  const fields = isObject(params) ? params : nothing;
  const { requestId } = fields;
  const isCancelling = method === 'notifications/cancelled' && isRequestId(requestId);
  return {
    bytes,
    id: idOf(value),
    method: isCall ? method : undefined,
    isModern: metaOf(fields)[protocolVersionKey] !== undefined,
    isAnswered: isCall ? isRequestId(id) : result === undefined && error === undefined,
    cancels: isCancelling ? requestId : undefined,
  };
}

const nothing: Readonly<Record<string, unknown>> = {};
