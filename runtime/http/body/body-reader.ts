import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { type JsonSchema, mostLevels, nestedDeeperThan } from '#contract/json';
import type { BodyKind, Route } from '#contract/surface/route';
import { deeper, excessOfJson } from '#contract/text/json-size';
import { repeatedMember } from '#contract/text/repeated-member';
import { propertyOf, resolved } from '../route-schema.ts';
import { bounded, collect } from './collect.ts';
import { parseForm } from './form.ts';
import type { ParseJson } from './json-body.ts';
import { essenceOf, matching, saysUtf8, unsupported } from './media-type.ts';

/** Reads the bodies of one route. */
export type BodyReader = (payload: IncomingMessage) => Promise<unknown>;

/** Characters of a text take so many bytes at most (UTF-8). */
const widest = 4;

/**
 * Make what reads the bodies of a route, of at most `mostBytes` unless the route says more of a stream.
 */
export function bodyReader(route: Route, mostBytes: number, parseJson: ParseJson): BodyReader {
  const { body: kinds = {}, input } = route;
  const schema = resolved(propertyOf(input, 'body'), input);
  const types = Object.keys(kinds);
  return async (payload) => {
    const { 'content-type': contentType, 'content-encoding': coding } = payload.headers;
    const essence = essenceOf(contentType);
    const kind = matching(kinds, essence);
    if (kind === undefined) {
      if (await isEmpty(payload)) return undefined;
      throw unsupported(essence || 'something without a Content-Type', types);
    }
    // Who knows the sender by a token of its own unpacks what it streams itself, to a bound of its own.
    const unpacks = kind === 'stream' && route.hasOwnToken === true;
    if (coding !== undefined && coding !== 'identity' && !unpacks) {
      throw unsupported(`a body with the coding ${JSON.stringify(coding)}`, types);
    }
    if (!saysUtf8(contentType) && kind !== 'bytes' && kind !== 'stream') {
      throw unsupported(contentType ?? '', types);
    }
    const limit = limitOf(route, schema, kind, mostBytes);
    return read(kind, { payload, limit, route, schema, parseJson });
  };
}

interface Reading {
  readonly payload: IncomingMessage;
  readonly limit: number;
  readonly route: Route;
  readonly schema: JsonSchema;
  readonly parseJson: ParseJson;
}

async function read(kind: BodyKind, reading: Reading): Promise<unknown> {
  const { payload, limit, route, schema, parseJson } = reading;
  const dropsEmpty = route.errors === 'oauth';
  switch (kind) {
    case 'stream':
      return bounded(payload, limit);
    case 'bytes':
      return collect(payload, limit);
    case 'text':
      return textOf(await collect(payload, limit));
    case 'form':
      return parseForm(textOf(await collect(payload, limit)), { schema, dropsEmpty });
    case 'json': {
      const text = textOf(await collect(payload, limit));
      const excess = excessOfJson(text);
      if (excess !== undefined && excess !== deeper) throw tooManyValues(excess);
      const value = excess === undefined ? parseJson(text) : undefined;
      if (excess === undefined && !nestedDeeperThan(value, mostLevels)) {
        // Who asks for access must not be understood differently by what stands in between.
        if (route.errors !== undefined) refuseRepeated(text);
        return value;
      }
      throw new ServiceError('nested_too_deeply', 400, `the body ${deeper}`);
    }
    case 'multipart': {
      const { readMultipart } = await import('./multipart.ts');
      const { files = {} } = route;
      const type = payload.headers['content-type'] ?? '';
      return readMultipart(payload, type, { schema, dropsEmpty, files, limit });
    }
  }
}

/** What the server allows, or less where the route takes less; a stream is kept nowhere. */
function limitOf(
  { maxBytes }: Route,
  { maxLength }: JsonSchema,
  kind: BodyKind,
  mostBytes: number,
): number {
  if (kind === 'stream') return maxBytes ?? mostBytes;
  const ofText = typeof maxLength === 'number' && kind === 'text' ? maxLength * widest : mostBytes;
  return Math.min(mostBytes, maxBytes ?? mostBytes, ofText);
}

/** @throws ServiceError where the bytes are no UTF-8 */
function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new ServiceError('invalid_arguments', 400, 'the body is not valid UTF-8');
}

/** @throws ServiceError 400 where an object has two members of one name */
function refuseRepeated(text: string): void {
  const name = repeatedMember(text);
  if (name === undefined) return;
  const shown = JSON.stringify(name.slice(0, 80));
  const message = `the body must have each member once, but ${shown} comes twice`;
  throw new ServiceError('invalid_arguments', 400, message);
}

function tooManyValues(excess: string): ServiceError {
  return new ServiceError('too_many_values', 413, `the body ${excess}`);
}

/** Whoever sends nothing need not say of what kind it is. */
async function isEmpty(payload: IncomingMessage): Promise<boolean> {
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    if (chunk.length > 0) return false;
  }
  return true;
}
