import { ServiceError, ToolError, type ToolErrorCode, type ToolErrorDetail } from '../errors.ts';
import { isObject, type JsonObject } from '../json.ts';

/** Of a longer answer only that there was one is kept. */
const longest = 262_144;

type Kept =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The body of a route's reply, in base64. */
  | { readonly kind: 'bytes'; readonly result: object; readonly body: string }
  | ({ readonly kind: 'service' } & Pick<ServiceError, 'code' | 'status' | 'message' | 'detail'>)
  | {
      readonly kind: 'tool';
      readonly code: ToolErrorCode;
      readonly message: string;
      readonly detail: ToolErrorDetail;
    };

/**
 * The result of a call as it is kept, or what is to be given in its place; empty where it is too
 * long, or no JSON.
 */
export function textOfResult(result: unknown): string {
  if (!isObject(result)) return textOf({ kind: 'result', result: result ?? null });
  const { body, content, replay: instead, ...rest } = result;
  if (instead !== undefined) return textOfResult(instead);
  if (body instanceof Uint8Array) {
    return textOf({ kind: 'bytes', result: rest, body: Buffer.from(body).toString('base64') });
  }
  const isStream = isObject(body) && Symbol.asyncIterator in body;
  // What is made for the client that asks is made by functions.
  const isMade = content !== undefined && !Array.isArray(content);
  return isStream || isMade ? '' : textOf({ kind: 'result', result });
}

/** The failure of a call as it is kept; of one that nobody foresaw it is not known what it did. */
export function textOfError(error: unknown): string {
  if (error instanceof ServiceError) {
    const { code, status, message, detail } = error;
    return textOf({ kind: 'service', code, status, message, detail });
  }
  if (error instanceof ToolError) {
    const { code, message, detail } = error;
    return textOf({ kind: 'tool', code, message, detail });
  }
  const { code, status, message, detail } = lostOutcome();
  return textOf({ kind: 'service', code, status, message, detail });
}

/**
 * Give the result that was kept.
 *
 * @throws the error that was kept
 */
export function replay<Result>(text: string): Result {
  if (text === '') {
    const message = 'this was done already, but its answer is too long to be kept';
    throw new ServiceError('answer_not_kept', 409, message);
  }
  // Written by the functions above alone.
  const kept = JSON.parse(text) as Kept;
  switch (kept.kind) {
    case 'result':
      return kept.result as Result;
    case 'bytes':
      return { ...kept.result, body: Buffer.from(kept.body, 'base64') } as Result;
    case 'service':
      throw new ServiceError(kept.code, kept.status, kept.message, {
        detail: kept.detail as JsonObject,
      });
    case 'tool':
      throw new ToolError(kept.code, kept.message, kept.detail);
  }
}

/** Says honestly that nobody knows; it is not tried again with the same key. */
export function lostOutcome(): ServiceError {
  const message =
    'the first call with this key never told its end, so it is not known what it did; look whether it took effect before you try again with another key';
  return new ServiceError('outcome_unknown', 409, message);
}

function textOf(kept: Kept): string {
  const text = JSON.stringify(kept);
  return text.length > longest ? '' : text;
}
