import { createHash } from 'node:crypto';
import { oncePerText } from './once-per-text.ts';

/** Longest tool name: clients put their own prefix before it and cap the whole at 60 or 64. */
export const longestToolName = 48;

/** Words that cannot name a constant or a binding in a module (ECMA-262 sections 12.7.2, 13.1). */
const reserved = new Set(
  `abstract any arguments as async await boolean break case catch class const continue debugger
  declare default delete do else enum eval export extends false finally for from function get if
  implements import in instanceof interface is keyof let module namespace never new null number
  object of package private protected public readonly return satisfies set static string super
  switch symbol this throw true try type typeof undefined unique unknown using var void while with
  yield`.split(/\s+/),
);

/** Names of the language's own globals and of what every object has: hiding them confuses readers. */
const globals = new Set(
  `AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date
  Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array
  Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
  ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError
  Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet constructor decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape globalThis hasOwnProperty isFinite isNaN
  isPrototypeOf parseFloat parseInt propertyIsEnumerable toLocaleString toString unescape valueOf
  Body Headers Readonly Record Request Response URL console document fetch global process require
  self window`.split(/\s+/),
);

/** Functions that generated code imports from the contract: nothing beside them may be called so. */
const contractNames = new Set(
  `asText csv cursorNumber dateTime deep definePrompts defineProvider defineRoutes defineTemplates defineTool defineTools digits digitsText form graphql
  json jsonText  label matrix multipart offset optional pageNumber path piped raw readSwitches simple
  segments spaced typedPart`.split(/\s+/),
);

/**
 * Split a name into words: at everything that is no letter or digit, and where the case changes.
 * Digits stay with the word before them, and so does the "s" of several IPs.
 */
export const wordsOf = oncePerText((name): readonly string[] => {
  const spaced = name
    .normalize('NFC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu, '$1 $2');
  return spaced.split(/[^\p{L}\p{M}\p{Nd}]+/u).filter((word) => word !== '');
});

export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  const [first = ''] = pascal;
  return first.toLowerCase() + pascal.slice(first.length);
}

export function pascalCase(name: string): string {
  return wordsOf(name)
    .map((word) => {
      const [first = ''] = word;
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join('');
}

/** Whether a binding of this name would be refused, or would hide something global or imported. */
export function isTaken(name: string): boolean {
  return reserved.has(name) || globals.has(name) || contractNames.has(name);
}

/** Make `name` one that a constant may have: a leading `_` where it begins wrongly or is taken. */
export function asIdentifier(name: string): string {
  if (name === '') return '_';
  return /^[\p{ID_Start}_$]/u.test(name) && !isTaken(name) ? name : `_${name}`;
}

/** The name of the constant that holds the GraphQL document of a tool. */
export function documentName(exportName: string): string {
  return `${exportName}Document`;
}

/** Give each name a number from the second on that looks the same, whatever its case. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let candidate = name;
    for (let count = 2; taken.has(candidate.toLowerCase()); count++) candidate = name + count;
    taken.add(candidate.toLowerCase());
    return candidate;
  });
}

/** The snake-case form of a name in the alphabet of tool names; other letters become code points. */
export function snakeCase(name: string): string {
  const text = wordsOf(name).join('_').toLowerCase();
  return text.replace(/[^a-z0-9_]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}`);
}

/** Cut a tool name to its limit; the end is then a hash of what the name stands for. */
export function shortToolName(name: string, identity: string): string {
  if (name.length <= longestToolName) return name;
  const digits = createHash('sha256').update(identity).digest('hex').slice(0, 6);
  return `${name.slice(0, longestToolName - 7).replace(/_+$/, '')}_${digits}`;
}

/** The words of a name, in small letters. */
export function smallWords(text: string): readonly string[] {
  return wordsOf(text).map((word) => word.toLowerCase());
}
