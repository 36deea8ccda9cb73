import fc from 'fast-check';
import { anyCharacter } from '../../any-character.ts';

/** Names that mean something to JavaScript, to JSON-RPC or to MCP. */
export const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'jsonrpc',
  'id',
  'method',
  'params',
  '_meta',
  'name',
  'arguments',
  'uri',
  'cursor',
  'ref',
  'argument',
  'value',
  'context',
  'taskId',
  'inputResponses',
  'requestState',
  'notifications',
  'progressToken',
  '',
  '\u0000',
  '\ud800',
  'a'.repeat(5000),
] as const;

/** Numbers as text, some of which are no JavaScript number. */
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '9'.repeat(400),
];

const strings = [
  '',
  'test_echo',
  'test://note',
  '2026-07-28',
  '\ud800',
  'a\udc00b',
  '\u0000',
  '\u2028',
  '=?base64?AA==?=',
  'x'.repeat(100_000),
];

/** JSON text of any value: keys may be there twice, surrogates alone, arrays deep. */
export const { value: jsonText } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    { weight: 6, arbitrary: fc.constantFrom('null', 'true', 'false', ...numbers) },
    { weight: 6, arbitrary: fc.constantFrom(...strings).map((text) => JSON.stringify(text)) },
    { weight: 6, arbitrary: fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map(deepText) },
    { weight: 3, arbitrary: tie('object') },
    {
      weight: 3,
      arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((members) => `[${members.join()}]`),
    },
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 6 })
    .map(objectText),
}));

/** An object as text, with its members in their order and as often as they come. */
export function objectText(members: readonly (readonly [name: string, text: string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
}

/** Arrays and objects by turns, one in the other. */
function deepText(depth: number): string {
  const opening = depth % 2 === 0 ? '[' : '{"a":';
  const closing = depth % 2 === 0 ? ']' : '}';
  return `${opening.repeat(depth)}1${closing.repeat(depth)}`;
}
