import { isObject } from '#contract/json';
import { isJsonSequence } from '#contract/text/json-sequence';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { escapeStep } from '../../../read/text/json-pointer.ts';
import { type ApiOperation, type Place, resolve } from '../../schema/api-operations.ts';
import { objectShape, RecursiveShapeError } from '../../schema/object-shape.ts';
import { soleSchema } from '../../schema/sole-schema.ts';
import type { CuratedBody } from '../../shape/curation.ts';
import { type BodyForm, isBytes, isOpaque } from './tool-input.ts';

/** The media type that is sent, its schema, and how each member of a form is written. */
export interface ChosenBody {
  readonly form: BodyForm;
  readonly schema: Place;
  readonly description: string | undefined;
  encodingOf(member: string): Readonly<Record<string, unknown>>;
}

/** Choose how the body of an operation is sent; `undefined` where it has none. */
export function chooseBody(
  document: ApiDocument,
  operation: ApiOperation,
  curated: CuratedBody,
): ChosenBody | undefined {
  if (!isObject(operation.node['requestBody'])) return undefined;
  const place = {
    node: operation.node['requestBody'],
    pointer: `${operation.pointer}/requestBody`,
  };
  const { node, pointer } = resolve(document, place);
  const content = isObject(node['content']) ? node['content'] : {};
  const choice = best(document, content, curated.encoding);
  if (!choice) return undefined;
  const [contentType, media] = choice;
  const kind = kindOf(document, choice, curated.encoding);
  const types = kind === 'raw' && isFile(document, choice) ? fileTypes(document, content) : [];
  const encoding = isObject(media['encoding']) ? media['encoding'] : {};
  const schema = bodySchema(contentType, {
    node: media,
    pointer: `${pointer}/content/${escapeStep(contentType)}`,
  });
  return {
    form: {
      kind,
      contentType:
        curated.encoding === undefined || kind === kindOf(document, choice)
          ? contentType
          : usual[kind],
      ...(types.length > 1 && { types }),
      deep: curated.encoding === 'form_deep',
      required:
        typeof node['required'] === 'boolean'
          ? node['required']
          : countsAsRequired(document, operation, schema),
    },
    schema,
    description: typeof node['description'] === 'string' ? node['description'] : undefined,
    encodingOf: (member) => {
      const value = Object.hasOwn(encoding, member) ? encoding[member] : undefined;
      return isObject(value) ? value : {};
    },
  };
}

/** The schema of a body; a sequence is a list of what its `itemSchema` describes (OpenAPI 3.2, media type object). */
function bodySchema(contentType: string, { node, pointer }: Place): Place {
  const { schema, itemSchema } = node;
  const own = { node: isObject(schema) ? schema : {}, pointer: `${pointer}/schema` };
  if (!isObject(itemSchema) || !isJsonSequence(contentType)) return own;
  const list = { type: 'array', items: itemSchema };
  if (!isObject(schema)) return { node: list, pointer: `${pointer}/itemSchema` };
  return { ...own, node: { allOf: [schema, list] } };
}

/**
 * Whether a body that does not say whether it is required counts as required. The default is false
 * (OpenAPI 3.1, request body object), but where something is stored or worked on it is forgotten: one in
 * four POSTs whose bodies have required members lack it, and two in 2,100 say `false`. To read, a body
 * has no meaning of its own (RFC 9110, section 9.3.1), and the default is meant. What a deletion needs
 * may be all that keeps it from deleting everything.
 */
function countsAsRequired(document: ApiDocument, { method }: ApiOperation, schema: Place): boolean {
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)) return false;
  return method !== 'DELETE' || !needsNothing(document, schema);
}

function needsNothing(document: ApiDocument, schema: Place): boolean {
  try {
    return objectShape(document, schema)?.required.size === 0;
  } catch (error) {
    // Who plans the body reports that; who compares two of them goes on.
    if (error instanceof RecursiveShapeError) return false;
    throw error;
  }
}

const usual: Readonly<Record<BodyForm['kind'], string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  raw: 'application/octet-stream',
};

const preference: readonly BodyForm['kind'][] = ['json', 'form', 'multipart', 'raw'];

/** One media type of a body. */
type Media = readonly [type: string, media: Readonly<Record<string, unknown>>];

/** The media type that fits the curation's encoding, else the one that is easiest to write. */
function best(
  document: ApiDocument,
  content: Record<string, unknown>,
  encoding: CuratedBody['encoding'],
): Media | undefined {
  const all = mediaOf(content);
  const writable = all.filter(([type]) => !hasOtherParts(type));
  const possible = writable.length > 0 ? writable : all;
  const entries = withoutFiles(document, possible);
  const wanted = encoding === 'form_deep' ? 'form' : encoding;
  const order = wanted === undefined ? preference : [wanted, ...preference];
  for (const kind of order) {
    const entry = entries.find((each) => kindOf(document, each) === kind);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/**
 * What has a file among its members is sent in parts where it can be: a query holds no bytes. Neither does
 * JSON, which other members may need as it is: it is left where nothing can be sent without the file.
 */
function withoutFiles(document: ApiDocument, entries: readonly Media[]): readonly Media[] {
  // Of parts that are not described, nobody would know the names.
  const isInParts = (each: Media) =>
    kindOf(document, each) === 'multipart' && filesIn(document, each).length > 0;
  if (!entries.some(isInParts)) return entries;
  return entries.filter((each) => {
    const kind = kindOf(document, each);
    const files = kind === 'json' || kind === 'form' ? filesIn(document, each) : [];
    return !files.some((isRequired) => kind === 'form' || isRequired);
  });
}

/** The members of a body that are files, or lists of them: of each whether it is required. */
function filesIn(document: ApiDocument, [, { schema }]: Media): readonly boolean[] {
  if (!isObject(schema)) return [];
  const isFileIn = (member: unknown) =>
    isBytes(soleSchema(document, isObject(member) ? member : {}));
  try {
    const { properties, required } = objectShape(document, { node: schema, pointer: '' }) ?? {};
    return [...(properties ?? [])].flatMap(([name, member]) => {
      const node = soleSchema(document, isObject(member.schema) ? member.schema : {});
      return isFileIn(node) || isFileIn(node['items']) ? [required?.has(name) === true] : [];
    });
  } catch (error) {
    // Who plans the body reports that.
    if (error instanceof RecursiveShapeError) return [];
    throw error;
  }
}

function mediaOf(content: Record<string, unknown>): Media[] {
  return Object.entries(content).flatMap(([type, media]) =>
    isObject(media) ? [[type, media] as const] : [],
  );
}

/** Whether a body has parts, but not those that forms have (RFC 2046, section 5.1). */
export function hasOtherParts(contentType: string): boolean {
  return /^\s*multipart\/(?!form-data\b)/i.test(contentType);
}

function kindOf(
  document: ApiDocument,
  media: Media,
  encoding?: CuratedBody['encoding'],
): BodyForm['kind'] {
  if (encoding !== undefined) return encoding === 'form_deep' ? 'form' : encoding;
  const [type = ''] = media[0].toLowerCase().split(';');
  if (/^application\/json$|\+json$/.test(type.trim())) return 'json';
  if (type.trim() === usual.form) return 'form';
  if (type.trim() === usual.multipart) return 'multipart';
  // Of any type is what is described as bytes; all else can be written as JSON.
  return type.trim() === '*/*' && !isFile(document, media) ? 'json' : 'raw';
}

/** Whether a body of one of its media types is a file. */
function isFile(document: ApiDocument, [type, { schema }]: Media): boolean {
  const node = soleSchema(document, isObject(schema) ? schema : {});
  return isBytes(node) || isOpaque(type, node);
}

/** The media types between which a caller can choose for a file; none where one is a range, or has parameters. */
function fileTypes(document: ApiDocument, content: Record<string, unknown>): readonly string[] {
  const files = mediaOf(content).filter(
    (each) => kindOf(document, each) === 'raw' && isFile(document, each),
  );
  const types = files.map(([type]) => type);
  return types.every((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type)) ? types : [];
}
