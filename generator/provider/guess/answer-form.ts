import { isObject } from '#contract/json';
import { isJsonSequence } from '#contract/text/json-sequence';
import { type ApiOperation, resolve } from '../../model/schema/api-operations.ts';
import type { CuratedResponse } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

type Form = NonNullable<CuratedResponse['decode']>;

/** Media types by what becomes of them; the first that fits. */
const forms: readonly (readonly [RegExp, Form])[] = [
  [/^text\/csv$/, 'csv'],
  [/^image\/svg\+xml$/, 'text'],
  [/[/+]xml$/, 'xml'],
  [/^text\/|^application\/(?:x-)?(?:yaml|javascript)$/, 'text'],
  [
    /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|zip|gzip|x-tar|octet-stream)$/,
    'binary',
  ],
];

/** How the answer of an operation is read that is no JSON; `json` of one JSON text after the other; nothing where its type decides. */
export function answerForm(document: ApiDocument, operation: ApiOperation): Form | undefined {
  const types = answerTypes(document, operation);
  const found = new Set(types.map(formOf));
  const [only] = found;
  // Where it may answer in several ways, its Content-Type tells which it was.
  return found.size === 1 ? only : undefined;
}

function formOf(type: string): Form | undefined {
  return isJsonSequence(type) ? 'json' : forms.find(([form]) => form.test(type))?.[1];
}

/** The media types that are described of what an operation answers after a success. */
export function answerTypes(
  document: ApiDocument,
  { node, pointer }: ApiOperation,
): readonly string[] {
  const responses = isObject(node['responses']) ? Object.entries(node['responses']) : [];
  const types = responses.flatMap(([status, raw]) => {
    if (!/^2(\d\d|XX)$/i.test(status) || !isObject(raw)) return [];
    const { content } = resolve(document, { node: raw, pointer }).node;
    return isObject(content) ? Object.keys(content) : [];
  });
  return types.map((type) => (type.split(';', 1)[0] ?? '').trim().toLowerCase());
}

/** Whether an operation answers with nothing but redirections: where they lead is what it tells. */
export function isRedirection({ node }: ApiOperation): boolean {
  const responses = isObject(node['responses']) ? Object.keys(node['responses']) : [];
  const isElse = responses.some((status) => /^(?:2(?:\d\d|XX)|default)$/i.test(status));
  return !isElse && responses.some((status) => /^3(?:0[12378]|XX)$/i.test(status));
}
