/** What may stand in one place of an API description. */
export type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'string';
      /** The only texts that are allowed. */
      readonly values?: readonly string[];
      readonly pattern?: TextRule;
    }
  | {
      readonly kind: 'number';
      readonly whole?: boolean;
      readonly atLeast?: number;
      readonly above?: number;
    }
  | {
      readonly kind: 'list';
      readonly of: Shape;
      readonly notEmpty?: boolean;
      readonly unique?: boolean;
    }
  | { readonly kind: 'map'; readonly of: Shape; readonly keys?: KeyRule }
  | { readonly kind: 'object'; readonly name: string; readonly orBoolean?: boolean }
  /** One of something, or a list of them. */
  | { readonly kind: 'oneOrMany'; readonly one: Shape; readonly many: Shape };

/** A rule for a text, and how to say it. */
export interface TextRule {
  readonly test: RegExp;
  readonly says: string;
}

/** A rule for the keys of a map. */
export interface KeyRule extends TextRule {
  /** Set where what stands at another key is of no use. */
  readonly useless?: true;
}

/** One kind of object in an API description. */
export interface ObjectType {
  /** Its name in the specification. */
  readonly title: string;
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** Keys that are no fixed fields: those that match and what they hold, in this order. */
  readonly patterned?: readonly (TextRule & { readonly of: Shape })[];
  /** Set where unknown keys are allowed; elsewhere only those that begin with `x-` are. */
  readonly open?: true;
  /** Set where true and false stand for such an object. */
  readonly orBoolean?: true;
  /** The field whose text decides which type this really is. */
  readonly variants?: { readonly by: string; readonly types: Readonly<Record<string, string>> };
  /** Where reusable ones live: a Reference Object may stand in the place of such an object. */
  readonly section?: readonly string[];
  /** Set where a Reference Object must have no other field. */
  readonly loneReference?: true;
  readonly rules?: readonly Rule[];
}

/** What an object as a whole must obey; gives the key to blame and what is wrong with it. */
export type Rule = (node: Readonly<Record<string, unknown>>) => Broken | undefined;

export interface Broken {
  readonly message: string;
  readonly key?: string;
  readonly severity?: 'warning';
  /** Set when what stands at the key must go. */
  readonly useless?: true;
}

/** The object types of one version; `Document` is where it begins. */
export type Grammar = Readonly<Record<string, ObjectType>> & { readonly Document: ObjectType };

/** Make a grammar: fields lose their prototype, so that any key can be asked for. */
export function grammar(types: Grammar): Grammar {
  for (const { fields } of Object.values(types)) Object.setPrototypeOf(fields, null);
  return types;
}

export const any: Shape = { kind: 'any' };
export const string: Shape = { kind: 'string' };
export const boolean: Shape = { kind: 'boolean' };
export const number: Shape = { kind: 'number' };
/** A whole number that is not negative. */
export const count: Shape = { kind: 'number', whole: true, atLeast: 0 };

export function oneOf(...values: readonly string[]): Shape {
  return { kind: 'string', values };
}

export function text(test: RegExp, says: string): Shape {
  return { kind: 'string', pattern: { test, says } };
}

export function object(name: string): Shape {
  return { kind: 'object', name };
}

export function orBoolean(name: string): Shape {
  return { kind: 'object', name, orBoolean: true };
}

export function list(of: Shape, options: { notEmpty?: boolean; unique?: boolean } = {}): Shape {
  return { kind: 'list', of, ...options };
}

export function map(of: Shape, keys?: KeyRule): Shape {
  return keys === undefined ? { kind: 'map', of } : { kind: 'map', of, keys };
}

export function oneOrMany(one: Shape, many: Shape = list(one)): Shape {
  return { kind: 'oneOrMany', one, many };
}
