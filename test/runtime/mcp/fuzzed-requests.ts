import fc from 'fast-check';
import { anyCharacter } from '../../any-character.ts';
import { jsonText, objectText } from './json-text.ts';

/** A request that is right in most of its parts and wrong in some. */
export interface FuzzedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const methods = [
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
  'tasks/get',
  'initialize',
  'ping',
  'notifications/initialized',
  '__proto__',
  'constructor',
];

/** The methods behind which there is the most to break. */
const acting = ['tools/call', 'tools/call', 'prompts/get', 'resources/read'];

const subjects = [
  'test_asking',
  'test_echo',
  'test_asking',
  'test_failing',
  'test_mirroring',
  'letter',
  'asking',
  'test://note',
  'test://page/7',
  'test://page/%zz',
  '__proto__',
  '\ud800',
];

/** The text itself most of the time, else any JSON. */
function mostly(text: string | fc.Arbitrary<string>): fc.Arbitrary<string> {
  const right = typeof text === 'string' ? fc.constant(text) : text;
  return fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: jsonText });
}

type Member = readonly [name: string, text: string];

/** The member most of the time, nothing or twice the member now and then. */
function member(name: string, text: fc.Arbitrary<string>): fc.Arbitrary<readonly Member[]> {
  const one = text.map((value): readonly Member[] => [[name, value]]);
  const two = fc.tuple(text, text).map(([a, b]): readonly Member[] => [
    [name, a],
    [name, b],
  ]);
  return fc.oneof(
    { weight: 40, arbitrary: one },
    { weight: 1, arbitrary: two },
    { weight: 1, arbitrary: fc.constant([]) },
  );
}

function object(...members: readonly fc.Arbitrary<readonly Member[]>[]): fc.Arbitrary<string> {
  return fc.tuple(...members).map((parts) => objectText(parts.flat()));
}

const quoted = (choices: readonly string[]) =>
  fc.constantFrom(...choices).map((text) => JSON.stringify(text));

const subject = quoted(subjects);

const meta = object(
  member('io.modelcontextprotocol/protocolVersion', mostly('"2026-07-28"')),
  member('io.modelcontextprotocol/clientCapabilities', mostly('{"elicitation":{}}')),
  member('io.modelcontextprotocol/clientInfo', mostly('{"name":"a","version":"1"}')),
  member('io.modelcontextprotocol/logLevel', mostly('"info"')),
  rare('progressToken', jsonText),
  rare('traceparent', jsonText),
  rare('com.example/x', jsonText),
);

/** A member that most requests do without. */
function rare(name: string, text: fc.Arbitrary<string>): fc.Arbitrary<readonly Member[]> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: member(name, text) },
  );
}

/** JSON that much of what stands behind a call has no form for. */
const hostile = fc.constantFrom(
  '"\\ud800"',
  '1e400',
  '{"\\udc00":1}',
  '"\\u0000"',
  '{"__proto__":1}',
);

/** Half of the calls take something that no schema of theirs forbids. */
const extra = fc.oneof(fc.constant([]), member('any', fc.oneof(hostile, jsonText)));
const args = object(
  rare('text', jsonText),
  member('text', mostly('"hi"')),
  rare('region', jsonText),
  extra,
);
const ref = object(member('type', mostly('"ref/prompt"')), member('name', mostly('"letter"')));

const params = object(
  member('_meta', mostly(meta)),
  member('name', mostly(subject)),
  member('uri', mostly(quoted(['test://note', 'test://page/7', 'test://page/%zz']))),
  rare('taskId', jsonText),
  member(
    'arguments',
    mostly(
      fc.oneof(
        { weight: 3, arbitrary: args },
        { weight: 1, arbitrary: fc.constantFrom('{}', '{"to":"Ann"}') },
      ),
    ),
  ),
  rare('cursor', jsonText),
  member('ref', mostly(ref)),
  member('argument', mostly('{"name":"to","value":"a"}')),
  member('notifications', mostly('{"toolsListChanged":true}')),
  rare('inputResponses', mostly('{"name":{"action":"accept"}}')),
  rare('requestState', jsonText),
  member('protocolVersion', mostly('"2025-11-25"')),
);

const message = object(
  member('jsonrpc', mostly('"2.0"')),
  member('id', mostly(fc.constantFrom('1', '"a"', '9007199254740991', '-1'))),
  member('method', mostly(fc.oneof(quoted(methods), quoted(acting)))),
  member('params', mostly(params)),
);

const body = fc.oneof(
  { weight: 20, arbitrary: message },
  { weight: 2, arbitrary: jsonText },
  { weight: 1, arbitrary: message.map((text) => text.slice(0, text.length / 2)) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
);

/** What may stand in a field value (RFC 9110, section 5.5). */
const fieldValue = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
    { maxLength: 40 },
  )
  .map((codes) => String.fromCharCode(...codes).trim());

function field(...choices: readonly string[]): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...choices) },
    { weight: 1, arbitrary: fieldValue },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const headers = fc
  .record({
    accept: field('application/json, text/event-stream', '*/*', 'application/json'),
    'content-type': fc.oneof(
      { weight: 30, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fieldValue },
    ),
    'mcp-protocol-version': field('2026-07-28', '2025-11-25'),
    'mcp-method': field(...methods),
    'mcp-name': field(
      ...subjects.filter((name) => name !== '\ud800'),
      '=?base64?AA==?=',
      '=?base64?A?=',
    ),
    'mcp-param-region': field('us', '=?base64?dXM=?='),
    'mcp-session-id': field('abc'),
    'last-event-id': field('7'),
  })
  .map((all) =>
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  .map((entries) => Object.fromEntries(entries));

/** Headers that fit the body most of the time: else nothing behind them would be reached. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc
  .tuple(headers, body, fc.integer({ min: 0, max: 9 }))
  .map(([given, text, luck]) => ({
    body: text,
    headers: luck < 2 ? given : { ...given, ...fitting(text, luck) },
  }));

/** What the headers of a client would say that sends this body. */
function fitting(text: string, luck: number): Record<string, string> {
  const method = /"method":"([\w/]{1,200})"/.exec(text)?.[1] ?? '';
  const key = method === 'resources/read' ? 'uri' : 'name';
  const name = new RegExp(`"${key}":"(test[\\w:/%]*|letter|asking)"`).exec(text)?.[1] ?? '';
  const version = luck < 8 ? '2026-07-28' : '2025-11-25';
  const accept = 'application/json, text/event-stream';
  return { accept, 'mcp-method': method, 'mcp-name': name, 'mcp-protocol-version': version };
}
