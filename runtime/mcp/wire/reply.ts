import type { ServiceError } from '#contract/errors';
import { type SchemaProfile, schemaProfiles } from '#contract/schema-profile';
import { headersOf } from '../../admission/challenge.ts';
import type { ToolPage } from '../../offer/catalogue.ts';
import { codeOfStatus, errorCode, type RequestId } from './json-rpc.ts';
import { wellFormedJson } from './well-formed.ts';

/** One HTTP answer. `rest` continues the body with bytes that were made before. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rest?: Buffer;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** Answer with a JSON-RPC error. Without a readable id it is null (JSON-RPC 2.0, section 5). */
export function errorReply(
  status: number,
  { code, message, data }: RpcError,
  id: RequestId | undefined,
  headers?: Reply['headers'],
): Reply {
  const error = wellFormedJson(JSON.stringify({ code, message, data }));
  // The id goes back as it came, whatever is in it (JSON-RPC 2.0, section 5).
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"error":${error}}`;
  return { status, body, ...(headers && { headers }) };
}

/** Refuse a request for a reason that HTTP has a status for. */
export function httpErrorReply(
  status: number,
  message: string,
  { id, headers }: { id?: RequestId; headers?: Reply['headers'] } = {},
): Reply {
  return errorReply(status, { code: codeOfStatus(status), message }, id, headers);
}

/** Refuse a client that does not take both kinds of answer. */
export function notAcceptable({ id }: { readonly id: RequestId }): Reply {
  return httpErrorReply(406, 'Accept must list application/json and text/event-stream', { id });
}

/**
 * Answer for admission: who calls, what they may do and how often. Whoever has only been too fast
 * gets the code that JSON-RPC has for it, everybody else that of the HTTP status.
 */
export function refusalReply(error: ServiceError, id: RequestId | undefined): Reply {
  const { status, message, retryAfterMs, detail } = error;
  const isLate = retryAfterMs !== undefined;
  const code = isLate && status === 429 ? errorCode.internal : codeOfStatus(status);
  const data = { ...detail, ...(isLate && { retryAfterMs }) };
  const told = Object.keys(data).length > 0 ? { code, message, data } : { code, message };
  return errorReply(status, told, id, headersOf(error));
}

/** The error of a resource that does not exist. */
export function noResource(code: number, uri: string): RpcError {
  const shown = uri.slice(0, 1024);
  return { code, message: `there is no resource ${JSON.stringify(shown)}`, data: { uri: shown } };
}

/** Answer with a result that is JSON text already. */
export function resultReply(id: RequestId, resultText: string): Reply {
  return { status: 200, body: `${resultHead(id)}${wellFormedJson(resultText)}}` };
}

/**
 * Answer with pages that are put together once for each form of schemas: `textOf` gives the result
 * for a page.
 */
export function pageReplies(
  textOf: (page: ToolPage, profile: SchemaProfile) => string,
): (id: RequestId, page: ToolPage, profile: SchemaProfile) => Reply {
  const made = new Map<SchemaProfile, WeakMap<ToolPage, Buffer>>();
  for (const profile of schemaProfiles) made.set(profile, new WeakMap());
  return (id, page, profile) => {
    let rest = made.get(profile)?.get(page);
    if (!rest) {
      rest = Buffer.from(`${wellFormedJson(textOf(page, profile))}}`);
      made.get(profile)?.set(page, rest);
    }
    return { status: 200, body: resultHead(id), rest };
  };
}

function resultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
}
