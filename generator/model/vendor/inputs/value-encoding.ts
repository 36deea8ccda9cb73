import { isObject } from '#contract/json';
import { isFlat, type ValueKinds } from '../../schema/value-kinds.ts';
import type { Field, Helper, Value } from '../../shape/request-plan.ts';
import type { ToolInput } from './tool-input.ts';

/** What is known of a value that goes on the wire. */
export interface OnWire {
  /** The parameter or encoding object. */
  readonly style: ToolInput['style'];
  readonly name: string;
  readonly kinds: ValueKinds;
}

/** Write a path parameter in its style (OpenAPI 3.1, style values); `isFirst` where the path begins with it. */
export function pathValue({ style, name, kinds }: OnWire, value: Value, isFirst: boolean): Value {
  const exploded = style['explode'] === true ? [true] : [];
  if (style['style'] === 'label') return call('label', value, { after: exploded });
  if (style['style'] === 'matrix')
    return call('matrix', value, { before: [name], after: exploded });
  if (isObject(style['content'])) return call('jsonText', value);
  const isScalar = kinds.items === undefined && !kinds.object;
  // OpenAPI 3.2 lets path parameters have it, too (parameter object).
  if (isScalar && style['allowReserved'] === true)
    return call('segments', value, { after: isFirst ? [true] : [] });
  return isScalar ? value : call('simple', value, { after: exploded });
}

/** Write a query parameter in its style. */
export function queryField({ style, name, kinds }: OnWire, value: Value): Field {
  const encoded = (helper: Helper) => ({ name, value: call(helper, value) });
  const styled = style['style'] ?? 'form';
  if (isObject(style['content'])) return encoded('jsonText');
  if (styled === 'deepObject') return encoded('deep');
  const isExploded = style['explode'] ?? styled === 'form';
  if (kinds.items !== undefined && !kinds.object && isFlat(kinds)) {
    if (isExploded) return { name, value };
    if (styled === 'spaceDelimited') return encoded('spaced');
    return encoded(styled === 'pipeDelimited' ? 'piped' : 'csv');
  }
  if (isFlat(kinds)) return { name, value };
  // An exploded object is its members, each under its own name.
  const isMap = kinds.object && kinds.items === undefined && kinds.scalars.size === 0;
  if (isMap && styled === 'form') return isExploded ? { spread: value } : encoded('csv');
  return encoded('deep');
}

/**
 * Write a header value: style simple, so arrays and objects are joined with commas, the members of an exploded
 * object as `name=value` (OpenAPI 3.1, style values).
 */
export function headerValue({ style, kinds }: OnWire, value: Value): Value {
  if (isObject(style['content'])) return call('jsonText', value);
  if (kinds.items === undefined && !kinds.object) return value;
  return call('csv', value, { after: kinds.object && style['explode'] === true ? [true] : [] });
}

/**
 * Put exploded objects first, and let what they hold have its own place beside each other and what is named: else one
 * value would be lost in silence behind another.
 */
export function besideEachOther(fields: readonly Field[]): Field[] {
  const spreads = fields.flatMap((field) => ('spread' in field ? [field.spread] : []));
  const named = fields.flatMap((field) => ('name' in field ? [field] : []));
  if (spreads.length === 0 || fields.length === 1) return [...fields];
  const objects = spreads.map((value, index) => ({ name: argumentIn(value) ?? `${index}`, value }));
  const names = named.map(({ name }) => name);
  const after = names.length > 0 ? [names] : [];
  return [{ spread: call('exploded', { kind: 'object', fields: objects }, { after }) }, ...named];
}

/** The argument that a value comes from. */
function argumentIn(value: Value): string | undefined {
  if (value.kind === 'call') return argumentIn(value.value);
  return value.kind === 'argument' ? value.name : undefined;
}

/**
 * Write a field of a form (OpenAPI 3.1, encoding object): with a style it is written like a query
 * parameter, without one a value that is no scalar is JSON text.
 */
export function formField({ style, name, kinds }: OnWire, value: Value): Field {
  const encoded = (helper: Helper) => ({ name, value: call(helper, value) });
  const isScalar = kinds.items === undefined && !kinds.object;
  if (isScalar && kinds.scalars.size > 0) return { name, value };
  const isStyled = style['style'] !== undefined || style['explode'] !== undefined;
  if (isStyled) return queryField({ style, name, kinds }, value);
  if (isJson(style['contentType']) || kinds.object || !isFlat(kinds)) return encoded('jsonText');
  return { name, value };
}

/**
 * Write a part of a multipart body (OpenAPI 3.1, encoding object): a list whose style joins it is one
 * part, any other value is written out as it is sent, with the media type that is named for it.
 */
export function partValue(wire: OnWire, value: Value): Value {
  const { style, kinds } = wire;
  const isStyled = style['style'] !== undefined || style['explode'] !== undefined;
  const isList = kinds.items !== undefined && !kinds.object && isFlat(kinds);
  const field = isStyled && isList ? queryField(wire, value) : undefined;
  const part = field === undefined || 'spread' in field ? value : field.value;
  const type = style['contentType'];
  // A list of types, or a range of them, leaves the choice to whoever gives the file.
  const isOne = typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(type);
  return isOne ? call('typedPart', part, { after: [type] }) : part;
}

export function call(
  helper: Helper,
  value: Value,
  around: {
    before?: Extract<Value, { kind: 'call' }>['before'];
    after?: Extract<Value, { kind: 'call' }>['after'];
  } = {},
): Value {
  const { before = [], after = [] } = around;
  return {
    kind: 'call',
    helper,
    value,
    ...(before.length > 0 && { before }),
    ...(after.length > 0 && { after }),
  };
}

function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /\bjson\b/.test(contentType);
}
