import { isListItself, type ResponseShape } from '#contract/tool';
import type { Headers } from '../call/exchange.ts';
import { findList } from '../content/answer-list.ts';
import {
  isEventStream,
  isJsonType,
  isXmlType,
  mediaType,
  toldType,
} from '../content/media-type.ts';
import { unpromisedType } from '../content/promised-type.ts';
import type { Digest } from '../digest/digest.ts';

const words = {
  array: 'a list',
  empty: 'empty',
  null: 'null',
  object: 'an object',
  scalar: 'a single value',
};

type Form = keyof typeof words;

interface ReadAnswer {
  readonly decoded: Digest;
  readonly status: number;
  readonly headers: Headers;
}

/**
 * `the answer is null instead of an object`, `the answer is text/html instead of application/pdf`:
 * what is wrong with an answer as a whole, which its result does not show, because results are
 * objects and all of their fields may be missing.
 */
export function oddForm(answer: ReadAnswer, shape: ResponseShape = {}): string | undefined {
  const { decode = 'json', anyForm, linkOnly, location } = shape;
  if (linkOnly || location) return undefined;
  if (answer.status === 206 && answer.decoded.kind === 'binary')
    return 'the answer is a part of the file (206)';
  const type = oddType(answer, shape);
  if (type !== undefined) return `the answer is ${type}`;
  if (decode !== 'json' || anyForm) return undefined;
  const wanted: Form = isListItself(shape) ? 'array' : 'object';
  const came = formOf(answer.decoded);
  if (came === undefined || came === wanted) return noList(answer, shape);
  return `the answer is ${words[came]} instead of ${words[wanted]}`;
}

function noList({ decoded, headers }: ReadAnswer, shape: ResponseShape): string | undefined {
  if (decoded.kind === 'fitted' || decoded.kind === 'arranged') return decoded.fault;
  if (decoded.kind !== 'value' || shape.items === undefined) return undefined;
  return findList(decoded.value, shape, headers).fault;
}

function oddType({ decoded, headers }: ReadAnswer, shape: ResponseShape): string | undefined {
  const { decode = 'json', anyForm } = shape;
  // What was promised as XML may be any type of it.
  if (decode === 'xml' && isJsonType(mediaType(headers)))
    return `${toldType(mediaType(headers))} instead of XML`;
  if (decode === 'json' && isText(decoded) && isJsonType(mediaType(headers)))
    return 'a text instead of JSON';
  const types = shape.types ?? (decode === 'json' && !anyForm ? ['application/json'] : undefined);
  if (types === undefined || decoded.kind === 'empty') return undefined;
  // JSON is JSON under any name.
  if (isJson(decoded, headers) && types.some(isJsonType)) return undefined;
  return unpromisedType(headers, { types });
}

function isJson(decoded: Digest, headers: Headers): boolean {
  const type = mediaType(headers);
  if (isXmlType(type) || isEventStream(type)) return false;
  if (decoded.kind === 'fitted') return decoded.of !== 'text';
  return decoded.kind !== 'text' && decoded.kind !== 'binary';
}

function isText(decoded: Digest): boolean {
  return decoded.kind === 'text' || (decoded.kind === 'fitted' && decoded.of === 'text');
}

/** `undefined` where it is no JSON, or has been cut down to a result already. */
function formOf(decoded: Digest): Form | undefined {
  if (decoded.kind === 'empty') return 'empty';
  if (decoded.kind === 'fitted') return decoded.of === 'array' ? 'array' : undefined;
  if (decoded.kind !== 'value') return undefined;
  const { value } = decoded;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : 'scalar';
}
