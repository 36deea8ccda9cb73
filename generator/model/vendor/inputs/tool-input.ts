import type { JsonSchema } from '#contract/json';
import type { ParameterLocation, Place } from '../../schema/api-operations.ts';

/** Something that a request carries and that the caller may have to give. */
export interface ToolInput {
  readonly from: Exclude<ParameterLocation, 'cookie'> | 'body' | 'variable';
  /** Its name on the wire. */
  readonly wire: string;
  /** Where it stands in the body or among the variables; empty for the whole body. */
  readonly path: readonly string[];
  /** What the argument is called unless the curation renames it. */
  readonly name: string;
  /** Its schema as the description has it. */
  readonly schema: unknown;
  readonly required: boolean;
  readonly description?: string | undefined;
  /** How the description says it is written: a parameter object or an encoding object. */
  readonly style: Readonly<Record<string, unknown>>;
  /** Where it stands in the description; absent where it only stands in the curation. */
  readonly pointer?: string;
  /** Its members stand in the body beside those that have names. */
  readonly isRest?: true;
}

/** How the body is written, apart from what is in it. */
export interface BodyForm {
  readonly kind: 'json' | 'form' | 'multipart' | 'raw';
  readonly contentType: string;
  /** Media types between which the caller chooses, where the body is a file. */
  readonly types?: readonly string[];
  /** Form fields that are no scalars are written with brackets. */
  readonly deep: boolean;
  readonly required: boolean;
}

/** All that a request can carry. */
export interface ToolInputs {
  readonly inputs: readonly ToolInput[];
  readonly body?: BodyForm;
  readonly graphql?: { readonly document: string; readonly operation: string };
  /** Sentences about arguments that exclude or need each other. */
  readonly notes: readonly string[];
  /** What holds for the members of a body together, where each is an input of its own. */
  readonly whole?: WholeBody;
}

/** A body whose members are inputs. */
export interface WholeBody {
  readonly schema: Place;
  /** Members that it needs where it is sent at all; absent where it is always sent. */
  readonly neededIfSent?: ReadonlySet<string>;
}

const content = { type: 'string', contentEncoding: 'base64', description: 'The content' };
/** Whatever else is given is refused: it would be another header of the part. */
const mediaType = {
  type: 'string',
  pattern: String.raw`^(?:[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*)?$`,
  description: 'Media type, for example image/png',
};

/** A file as a caller gives it, in a part of a body. */
export const fileSchema: JsonSchema = fileOf({ filename: { type: 'string' }, type: mediaType });

/**
 * The same where the description names the media types that a part may have (OpenAPI 3.1, encoding
 * object, `contentType`: types and ranges of them, divided by commas). Where it leaves a choice, the
 * caller must say which one it is: nobody else knows.
 */
export function partFileSchema(contentType: unknown): JsonSchema {
  const types = typesOf(contentType ?? '*/*');
  const isUnbound = types.some((type) => !partType.test(type) || type.startsWith('*'));
  if (isUnbound || types.join('') === 'application/octet-stream') return fileSchema;
  const isRange = types.some((type) => type.endsWith('/*'));
  const allowed = isRange
    ? { pattern: `^(?:${types.map(rangePattern).join('|')})$` }
    : { enum: types };
  const description = `Media type: ${types.join(', ')}`;
  const file = fileOf({
    filename: { type: 'string' },
    type: { type: 'string', ...allowed, description },
  });
  return isRange || types.length > 1 ? { ...file, required: ['base64', 'type'] } : file;
}

function typesOf(contentType: unknown): readonly string[] {
  return String(contentType)
    .split(',')
    .map((type) => type.trim());
}

/**
 * Whether a part is a file: by its schema, or where that says nothing, by all of the media types that its
 * encoding names (OpenAPI 3.1, encoding object: `profileImage: {}` beside `contentType: image/png`).
 */
export function isFilePart(node: Readonly<Record<string, unknown>>, contentType: unknown): boolean {
  if (isBytes(node)) return true;
  if (['items', 'properties', 'enum', 'const'].some((each) => each in node)) return false;
  return contentType !== undefined && typesOf(contentType).every((type) => isOpaque(type, node));
}

const partType = /^[\w.+-]+\/(?:\*|[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*)$|^\*\/\*$/;

function rangePattern(type: string): string {
  const text = type.replaceAll(/[.+]/g, String.raw`\$&`);
  return text.endsWith('/*') ? `${text.slice(0, -1)}[\\w.+-]+` : text;
}

/** A file that is the whole body: its name is nowhere to be sent, and its type only where it may vary. */
export function bodyFileSchema({ contentType, types }: BodyForm): JsonSchema {
  if (types === undefined) return fileOf(contentType.includes('*') ? { type: mediaType } : {});
  const file = fileOf({ type: { type: 'string', enum: [...types], description: 'Media type' } });
  return types.includes('application/octet-stream')
    ? file
    : { ...file, required: ['base64', 'type'] };
}

function fileOf(others: Readonly<Record<string, unknown>>): JsonSchema {
  return {
    type: 'object',
    properties: { base64: content, ...others },
    required: ['base64'],
    additionalProperties: false,
  };
}

/**
 * Whether a schema, its references followed, is that of bytes: of a media type that no text can carry,
 * and not encoded as one (OpenAPI 3.1, considerations for binary data).
 */
export function isBytes(node: Readonly<Record<string, unknown>>): boolean {
  const { type, contentMediaType, contentEncoding } = node;
  if (contentMediaType === undefined || contentEncoding !== undefined) return false;
  const types = [type].flat().filter((one) => one !== 'null');
  const isText = types.length === 1 && (types[0] === undefined || types[0] === 'string');
  return isText && !textType.test(String(contentMediaType));
}

/**
 * Whether a body of this type can hold bytes that no text can, and its schema says no more of it. One
 * that travels in base64 (`byte` in OpenAPI 3.0, `contentEncoding` in 3.1) is a text on the wire too.
 */
export function isOpaque(
  contentType: string,
  { type, ...rest }: Readonly<Record<string, unknown>>,
): boolean {
  const isAny = type === undefined && ['oneOf', 'anyOf', 'allOf'].every((each) => !(each in rest));
  const isPlain = type === 'string' && rest['contentEncoding'] === undefined;
  return !textType.test(contentType) && /^[\w.+-]+\//.test(contentType) && (isAny || isPlain);
}

/** Media types whose values are texts. */
const textType = /^text\/|[/+-](?:json|xml|yaml|csv|graphql|jsonl|javascript|urlencoded)\b/i;

/** Every object has these: a builder would take what is inherited for what the caller gave. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

/** Give inputs of one name suffixes from the second on: a clashing body property ends in `_body`. */
export function withoutClashes(inputs: readonly ToolInput[]): ToolInput[] {
  const taken = new Set<string>(inherited);
  return inputs.map((input) => {
    let name = input.name;
    while (taken.has(name)) name += `_${input.from}`;
    taken.add(name);
    return name === input.name ? input : { ...input, name };
  });
}
