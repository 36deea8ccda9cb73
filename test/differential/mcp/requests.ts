/** One HTTP request; its name says what is in it, part by part. */
export interface Case {
  readonly name: string;
  readonly httpMethod: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Change = Readonly<Record<string, unknown>>;

const modern = '2026-07-28';
const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const both = 'application/json, text/event-stream';

/** Headers that differ from the right ones; undefined leaves one out. */
const headerChanges: Readonly<Record<string, Change>> = {
  right: {},
  'no version': { 'mcp-protocol-version': undefined },
  'version 2025-11-25': { 'mcp-protocol-version': '2025-11-25' },
  'version 2099-01-01': { 'mcp-protocol-version': '2099-01-01' },
  'version with spaces': { 'mcp-protocol-version': `  ${modern}  ` },
  'no method': { 'mcp-method': undefined },
  'another method': { 'mcp-method': 'ping' },
  'method in capitals': { 'mcp-method': 'TOOLS/LIST' },
  'no name': { 'mcp-name': undefined },
  'another name': { 'mcp-name': 'other' },
  'bad base64 in name': { 'mcp-name': '=?base64?!!?=' },
  'accept json': { accept: 'application/json' },
  'accept events': { accept: 'text/event-stream' },
  'accept anything': { accept: '*/*' },
  'accept nothing known': { accept: 'text/html' },
  'no accept': { accept: undefined },
  'type text': { 'content-type': 'text/plain' },
  'type with charset': { 'content-type': 'application/json; charset=utf-8' },
  'session and last event': { 'mcp-session-id': 'abc', 'last-event-id': '7' },
};

/** `_meta` that differs from the right one; null in its place leaves all of it out. */
const envelopes: Readonly<Record<string, Change | null>> = {
  right: {},
  absent: null,
  'no version': { [version]: undefined },
  'version 7': { [version]: 7 },
  'version 2025-11-25': { [version]: '2025-11-25' },
  'version 2099-01-01': { [version]: '2099-01-01' },
  'no capabilities': { [capabilities]: undefined },
  'capabilities null': { [capabilities]: null },
  'capabilities list': { [capabilities]: [] },
  'client info': { 'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' } },
  'client info without version': { 'io.modelcontextprotocol/clientInfo': { name: 'a' } },
  'client info text': { 'io.modelcontextprotocol/clientInfo': 'a' },
  'log level': { 'io.modelcontextprotocol/logLevel': 'info' },
  'bad log level': { 'io.modelcontextprotocol/logLevel': 'loud' },
  'progress token': { progressToken: 'p' },
  'bad progress token': { progressToken: {} },
  'trace context': { traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01' },
  'bad trace context': { traceparent: 7 },
  'unknown key': { 'com.example/x': [1] },
};

const ref = { type: 'ref/resource', uri: 'test://page/{id}' };
const argument = { name: 'id', value: 'a' };
const echo = { name: 'test_echo', arguments: { text: 'hi' } };
const elicitation = { name: 'test_asking', arguments: {} };

/** Methods with their parameters. */
const messages: readonly (readonly [method: string, params?: unknown])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['tools/list', { cursor: '' }],
  ['tools/list', { cursor: 'nonsense' }],
  ['tools/list', { cursor: 7 }],
  ['tools/list', { unknown: 1 }],
  ['tools/call', echo],
  ['tools/call', { name: 'test_echo' }],
  ['tools/call', { ...echo, arguments: {} }],
  ['tools/call', { ...echo, arguments: { text: 7 } }],
  ['tools/call', { ...echo, arguments: { text: 'hi', more: 1 } }],
  ['tools/call', { ...echo, arguments: [] }],
  ['tools/call', { ...echo, arguments: null }],
  ['tools/call', { ...echo, arguments: 'x' }],
  ['tools/call', { ...echo, task: { ttl: 1 } }],
  ['tools/call', {}],
  ['tools/call', { name: 7 }],
  ['tools/call', { name: 'nothing' }],
  ['tools/call', { name: '__proto__' }],
  ['tools/call', { name: 'test_failing' }],
  ['tools/call', { name: 'test_broken' }],
  ['tools/call', { name: 'test_mirroring', arguments: {} }],
  ['tools/call', { name: 'test_mirroring', arguments: { region: 'us' } }],
  ['tools/call', { name: 'test_mirroring', arguments: { shard: 7 } }],
  ['tools/call', elicitation],
  ['tools/call', { ...elicitation, inputResponses: { name: { action: 'accept', content: {} } } }],
  ['tools/call', { ...elicitation, inputResponses: { other: { action: 'accept' } } }],
  ['tools/call', { ...elicitation, inputResponses: null }],
  ['tools/call', { ...elicitation, inputResponses: { name: 7 } }],
  ['tools/call', { ...elicitation, requestState: 7 }],
  ['tools/call', { ...elicitation, requestState: 'forged' }],
  ['resources/list', {}],
  ['resources/list', { cursor: 'nonsense' }],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'test://note' }],
  ['resources/read', { uri: 'test://page/7' }],
  ['resources/read', { uri: 'test://nothing' }],
  ['resources/read', { uri: 'no uri' }],
  ['resources/read', { uri: 7 }],
  ['resources/read', {}],
  ['prompts/list', {}],
  ['prompts/list', { cursor: 'nonsense' }],
  ['prompts/get', { name: 'letter', arguments: { to: 'Ann' } }],
  ['prompts/get', { name: 'letter' }],
  ['prompts/get', { name: 'letter', arguments: { to: 7 } }],
  ['prompts/get', { name: 'letter', arguments: { to: 'Ann', from: 'Bob' } }],
  ['prompts/get', { name: 'nothing' }],
  ['prompts/get', {}],
  ['completion/complete', { ref, argument }],
  ['completion/complete', { ref: { ...ref, uri: 'test://nothing' }, argument }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'nothing' }, argument }],
  ['completion/complete', { ref: { type: 'ref/tool', name: 'x' }, argument }],
  ['completion/complete', { ref }],
  ['completion/complete', {}],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  ],
  [
    'initialize',
    { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  ],
  ['initialize', {}],
  ['ping', {}],
  ['ping'],
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'test://note' }],
  ['resources/unsubscribe', { uri: 'test://note' }],
  ['tasks/list', {}],
  ['tasks/result', { taskId: 'x' }],
  ['roots/list', {}],
  ['unknown/method', {}],
  ['constructor', {}],
  ['', {}],
];

/** Notifications: messages without an id. */
const notifications = [
  'notifications/initialized',
  'notifications/cancelled',
  'unknown/notification',
];

/** Bodies that are no request, or hardly one. */
const rawBodies: Readonly<Record<string, string>> = {
  empty: '',
  'no json': '{"jsonrpc":',
  'byte order mark': '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
  null: 'null',
  number: '7',
  text: '"ping"',
  'empty list': '[]',
  batch: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  'empty object': '{}',
  'version 1.0': '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  'no version': '{"id":1,"method":"ping"}',
  'no method': '{"jsonrpc":"2.0","id":1}',
  'method 7': '{"jsonrpc":"2.0","id":1,"method":7}',
  result: '{"jsonrpc":"2.0","id":1,"result":{}}',
  error: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  'id null': '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  'id 1.5': '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  'id -1': '{"jsonrpc":"2.0","id":-1,"method":"ping"}',
  'id text': '{"jsonrpc":"2.0","id":"","method":"ping"}',
  'id list': '{"jsonrpc":"2.0","id":[1],"method":"ping"}',
  'id 2^60': '{"jsonrpc":"2.0","id":1152921504606846976,"method":"ping"}',
  'params list': '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
  'params null': '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}',
  'params text': '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}',
  'meta list': '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}',
  'meta null': '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":null}}',
  'unknown member': '{"jsonrpc":"2.0","id":1,"method":"ping","extra":true}',
  'key twice': '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
};

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}

function headersFor(method: string, params: unknown, change: Change = {}): Case['headers'] {
  const { name, uri } = (params ?? {}) as { name?: unknown; uri?: unknown };
  const isNamed = ['tools/call', 'prompts/get', 'resources/read'].includes(method);
  const all = {
    accept: both,
    'content-type': 'application/json',
    'mcp-protocol-version': modern,
    'mcp-method': method,
    'mcp-name': isNamed ? (name ?? uri) : undefined,
    ...change,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([header, value]) => [header, String(value)]));
}

interface Parts {
  readonly method: string;
  readonly params?: unknown;
  readonly headers?: string;
  readonly envelope?: string;
  readonly id?: number | undefined;
}

function modernCase({
  method,
  params,
  headers = 'right',
  envelope = 'right',
  id = 1,
}: Parts): Case {
  const changes = envelopes[envelope];
  const able = { elicitation: { form: {} } };
  const _meta =
    changes === null ? undefined : { [version]: modern, [capabilities]: able, ...changes };
  const body = { jsonrpc: '2.0', id, method, params: { ...(params as object), _meta } };
  return {
    name: `modern | ${method} ${show(params)} | headers: ${headers} | envelope: ${envelope}`,
    httpMethod: 'POST',
    headers: headersFor(method, params, headerChanges[headers]),
    body: JSON.stringify(body),
  };
}

const legacyVersions = [
  'none',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2024-11-05',
  '1999-01-01',
];

function legacyCase(method: string, params: unknown, spoken = '2025-11-25', accept = both): Case {
  const headers = { accept, 'content-type': 'application/json' };
  return {
    name: `legacy ${spoken} | ${method} ${show(params)} | accept: ${accept}`,
    httpMethod: 'POST',
    headers: spoken === 'none' ? headers : { ...headers, 'mcp-protocol-version': spoken },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

function* modernCases(): Generator<Case> {
  for (const [method, params] of messages) yield modernCase({ method, params });
  const probes: readonly Parts[] = [
    { method: 'tools/call', params: echo },
    { method: 'tools/list', params: {} },
    { method: 'resources/read', params: { uri: 'test://note' } },
    { method: 'unknown/method', params: {} },
  ];
  for (const probe of probes) {
    for (const headers of Object.keys(headerChanges)) {
      if (headers !== 'right') yield modernCase({ ...probe, headers });
    }
    for (const envelope of Object.keys(envelopes)) {
      if (envelope !== 'right') yield modernCase({ ...probe, envelope });
    }
  }
  // Two things wrong at once: which of them is told?
  const twice = [
    'no version',
    'version 2099-01-01',
    'no method',
    'another method',
    'accept nothing known',
  ];
  for (const headers of twice) {
    for (const envelope of Object.keys(envelopes).slice(1, 8)) {
      yield modernCase({ method: 'tools/list', params: {}, headers, envelope });
      yield modernCase({ method: 'unknown/method', params: {}, headers, envelope });
    }
  }
  for (const headers of ['no name', 'another name']) {
    for (const params of [{}, { name: 'nothing' }, { name: 7 }]) {
      yield modernCase({ method: 'tools/call', params, headers });
    }
  }
}

function* legacyCases(): Generator<Case> {
  for (const [method, params] of messages) yield legacyCase(method, params);
  for (const spoken of legacyVersions) {
    yield legacyCase('tools/list', {}, spoken);
    yield legacyCase('tools/call', echo, spoken);
    yield legacyCase('ping', {}, spoken);
  }
  for (const accept of ['application/json', 'text/event-stream', '*/*', 'text/html']) {
    yield legacyCase('ping', {}, '2025-11-25', accept);
  }
}

function* otherCases(): Generator<Case> {
  const headers = { accept: both, 'content-type': 'application/json' };
  for (const [name, body] of Object.entries(rawBodies)) {
    yield { name: `raw | ${name}`, httpMethod: 'POST', headers, body };
    const spoken = { ...headers, 'mcp-protocol-version': modern };
    yield { name: `raw, modern header | ${name}`, httpMethod: 'POST', headers: spoken, body };
  }
  for (const method of notifications) {
    const parts = modernCase({ method, params: {} });
    const { id: _, ...notice } = JSON.parse(parts.body ?? '');
    yield { ...parts, name: `modern notification | ${method}`, body: JSON.stringify(notice) };
    const bare = { jsonrpc: '2.0', method };
    yield {
      name: `legacy notification | ${method}`,
      httpMethod: 'POST',
      headers,
      body: JSON.stringify(bare),
    };
  }
  for (const httpMethod of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
    yield { name: `http ${httpMethod}`, httpMethod, headers, body: undefined };
  }
}

/** Every request of the comparison. */
export function requests(): readonly Case[] {
  const all = [...modernCases(), ...legacyCases(), ...otherCases()];
  return [...new Map(all.map((request) => [request.name, request])).values()];
}
