import { isObject } from '#contract/json';
import { isJsonSequence } from '#contract/text/json-sequence';
import { type ApiOperation, resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { withAnswerAmong } from './answer-among.ts';
import { mergedSchema } from './merged-schema.ts';
import { shownAnswer } from './shown-answer.ts';

/** The JSON that an operation answers after a success. */
export interface SuccessContent {
  readonly status: string;
  readonly contentType: string;
  readonly media: Readonly<Record<string, unknown>>;
  /** Its schema, behind references and `allOf`; the answer among errors stands beside the alternatives. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether an example alone tells what is in it: there may be more. */
  readonly isShown: boolean;
  /** Whether a Link header comes with it (RFC 8288). */
  readonly hasLink: boolean;
  /** The header that holds the cursor of the next page, where the description has one. */
  readonly nextHeader: string | undefined;
  /** The names of all headers that are described. */
  readonly headers: readonly string[];
}

/** The first success response of an operation that is JSON; the plain type, which is asked for, before its kin. */
export function successContent(
  document: ApiDocument,
  { node, pointer }: ApiOperation,
): SuccessContent | undefined {
  const responses = isObject(node['responses']) ? node['responses'] : {};
  const statuses = Object.keys(responses).filter((key) => /^2(\d\d|XX)$/i.test(key));
  for (const status of statuses.length > 0 ? statuses : ['default']) {
    const raw = responses[status];
    if (!isObject(raw)) continue;
    const response = resolve(document, { node: raw, pointer }).node;
    const found = jsonIn(document, response);
    if (found === undefined) continue;
    const headers = isObject(response['headers']) ? Object.keys(response['headers']) : [];
    const described = mergedSchema(document, found.media['schema']);
    const shown = shownAnswer(described, found.media);
    const texts = [node['summary'], node['description'], response['description']];
    return {
      status: status === 'default' ? '200' : status,
      ...found,
      schema: shown ?? withAnswerAmong(document, described),
      isShown: shown !== undefined,
      hasLink:
        headers.some((name) => name.toLowerCase() === 'link') ||
        texts.some((text) => typeof text === 'string' && speaksOfLink(text)),
      nextHeader: headers.find((name) => nextCursor.test(name)),
      headers,
    };
  }
  return undefined;
}

/** The first success response of an operation that is one JSON text after the other, and what is told of them. */
export function linesContent(
  document: ApiDocument,
  { node, pointer }: ApiOperation,
): Pick<SuccessContent, 'status' | 'contentType' | 'media'> | undefined {
  const responses = isObject(node['responses']) ? Object.entries(node['responses']) : [];
  for (const [status, raw] of responses) {
    if (!/^2(\d\d|XX)$/i.test(status) || !isObject(raw)) continue;
    const { content } = resolve(document, { node: raw, pointer }).node;
    const types = Object.entries(isObject(content) ? content : {});
    const [contentType, media] = types.find(([type]) => isJsonSequence(type)) ?? [];
    if (contentType !== undefined && isObject(media)) return { status, contentType, media };
  }
  return undefined;
}

function jsonIn(
  document: ApiDocument,
  response: Readonly<Record<string, unknown>>,
): Pick<SuccessContent, 'contentType' | 'media'> | undefined {
  const types = Object.entries(isObject(response['content']) ? response['content'] : {});
  const found =
    types.find(([type]) => /^application\/json\s*(?:;|$)/i.test(type)) ??
    types.find(([type]) => /^application\/.+\+json\b/i.test(type)) ??
    types.find(([type, media]) => isAny(type) && isStructured(document, media));
  if (!found || !isObject(found[1])) return undefined;
  const [type, media] = found;
  return { contentType: isAny(type) ? 'application/json' : type, media };
}

/** Any type at all; some vendors write `*`, which is no media range (RFC 9110 section 12.5.1). */
function isAny(type: string): boolean {
  return type === '*/*' || type === '*';
}

/** What is of any media type is JSON where it has members or items: Spring says no more of its own. */
function isStructured(document: ApiDocument, media: unknown): boolean {
  if (!isObject(media) || !isObject(media['schema'])) return false;
  const { type, properties } = mergedSchema(document, media['schema']);
  return (
    isObject(properties) || [type].flat().some((each) => each === 'object' || each === 'array')
  );
}

/** How texts speak of a Link header that the description does not describe. */
const linkInProse = /\blink[`"'*]*\s+(?:\w+\s+)?headers?\b|\brel\s*=\s*\\?["']?next\b/i;

/** What vendors call the header with the next cursor: `X-Next-Page-Token`, `x-ms-continuationtoken`, `X-Next-Page`. */
const nextCursor =
  /^(?:[a-z]+[-_])*(?:next[-_]?(?:page[-_]?)?(?:token|cursor|marker)|next[-_]?page|continuation[-_]?token)$/i;

/** Whether a text says that a Link header leads to the next page (RFC 8288). */
export function speaksOfLink(text: string): boolean {
  return linkInProse.test(text);
}
