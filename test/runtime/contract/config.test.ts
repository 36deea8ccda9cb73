import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ConfigError,
  type ConfigSurroundings,
  type Environment,
  readSecret,
  readSwitches,
  requireSound,
} from '#contract/config/config';
import type { Switch } from '#contract/config/switch';

const surroundings: ConfigSurroundings = {
  providers: { open_meteo: { env: [] }, github: { env: ['SERVICE_GITHUB_TOKEN', 'GITHUB_TOKEN'] } },
  readFile: (path) => {
    if (path === '/run/secrets/token') return 's3cret\n';
    throw new Error('ENOENT');
  },
  nearest: (name, known) => known.find((candidate) => candidate[8] === name[8]) ?? '',
};

function read(entry: Switch, env: Environment) {
  return requireSound(readSwitches<{ value: unknown }>({ value: entry }, env, surroundings));
}

function problemsOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return assert.fail('expected a ConfigError');
}

const accepted: readonly (readonly [Switch, text: string, value: unknown])[] = [
  [{ type: 'string', env: 'X' }, ' text ', 'text'],
  [{ type: 'string', env: 'X', pattern: '/.*' }, '/mcp', '/mcp'],
  [{ type: 'integer', env: 'X', minimum: 0, maximum: 65535 }, '65535', 65535],
  [{ type: 'integer', env: 'X' }, '-3', -3],
  [{ type: 'duration', env: 'X' }, '1500ms', 1500],
  [{ type: 'duration', env: 'X' }, '2h', 7_200_000],
  [{ type: 'boolean', env: 'X' }, 'ON', true],
  [{ type: 'boolean', env: 'X', default: true }, '0', false],
  [{ type: 'enum', env: 'X', values: ['a', 'b'] }, 'b', 'b'],
  [{ type: 'url', env: 'X' }, 'https://Example.org/api/', 'https://example.org/api'],
  [{ type: 'path', env: 'X' }, '.data', '.data'],
  [{ type: 'list', env: 'X' }, 'osv, ,github', ['osv', 'github']],
  [
    { type: 'cidr_list', env: 'X' },
    '10.0.0.0/8,::1,2001:db8::/33',
    ['10.0.0.0/8', '::1', '2001:db8::/33'],
  ],
  [{ type: 'secret', env: 'X' }, 's3cret', 's3cret'],
];

for (const [entry, text, value] of accepted) {
  test(`a ${entry.type} switch reads ${text}`, () => {
    assert.deepEqual(read(entry, { X: text }).config.value, value);
  });
}

const refused: readonly (readonly [Switch, text: string, expected: RegExp])[] = [
  [{ type: 'string', env: 'X', pattern: '/.*', expects: 'a path' }, 'a/b', /^a path$/],
  [{ type: 'integer', env: 'X', minimum: 0, maximum: 9 }, '10', /^a whole number from 0 to 9$/],
  [{ type: 'integer', env: 'X', minimum: 1 }, '80a', /^a whole number, at least 1$/],
  [{ type: 'duration', env: 'X', maximum: 60_000 }, '60', /500ms, 10s or 5m, at most 1m$/],
  [{ type: 'duration', env: 'X', maximum: 60_000 }, '61s', /^a duration, at most 1m$/],
  [{ type: 'boolean', env: 'X' }, 'maybe', /1, true, yes or on/],
  [{ type: 'enum', env: 'X', values: ['a', 'b'] }, 'c', /^one of a, b$/],
  [{ type: 'url', env: 'X' }, 'ftp://example.org', /http or https URL/],
  [{ type: 'url', env: 'X' }, 'https://example.org/?q=1', /without user name, query or fragment/],
  [{ type: 'path', env: 'X' }, 'a\0b', /^a path$/],
  [{ type: 'list', env: 'X' }, ', ,', /^one or more names, separated by commas$/],
  [{ type: 'cidr_list', env: 'X' }, '10.0.0.0/33', /10\.0\.0\.0\/8/],
  [{ type: 'cidr_list', env: 'X' }, '::/129', /separated by commas/],
  [{ type: 'cidr_list', env: 'X' }, '172.17.0.0/12', /without bits of a host behind its first 12/],
  [{ type: 'cidr_list', env: 'X' }, 'fe80::1:0/64', /without bits of a host behind its first 64/],
  [{ type: 'cidr_list', env: 'X' }, '::ffff:10.0.0.1', /the IPv4 form/],
];

for (const [entry, text, expected] of refused) {
  test(`a ${entry.type} switch refuses ${JSON.stringify(text)} and says what is allowed`, () => {
    const [problem] = problemsOf(() => read(entry, { X: text }));
    assert.match(problem?.expected ?? '', expected);
    assert.equal(problem?.received, JSON.stringify(text));
  });
}

test('an absent or empty variable gives the default', () => {
  const entry: Switch = { type: 'integer', env: 'PORT', default: 8080 };
  assert.equal(read(entry, {}).config.value, 8080);
  assert.equal(read(entry, { PORT: '' }).config.value, 8080);
});

test('all problems come in one message, each with variable, expectation and value', () => {
  const run = () =>
    requireSound(
      readSwitches<{ port: number; level: string }>(
        {
          port: { type: 'integer', env: 'PORT', minimum: 0, maximum: 65535 },
          level: { type: 'enum', env: 'SERVICE_LOG_LEVEL', values: ['info', 'debug'] },
        },
        { PORT: 'http', SERVICE_LOG_LEVEL: 'loud' },
        surroundings,
      ),
    );
  assert.throws(run, {
    message: [
      'the configuration has 2 problems:',
      '  PORT: expected a whole number from 0 to 65535, but "http" was given',
      '  SERVICE_LOG_LEVEL: expected one of info, debug, but "loud" was given',
    ].join('\n'),
  });
});

test('a credential inside a URL does not reach the message', () => {
  const entry: Switch = { type: 'url', env: 'X' };
  const problems = problemsOf(() => read(entry, { X: 'https://me:hunter2@example.org' }));
  assert.doesNotMatch(JSON.stringify(problems), /hunter2/);
});

test('a secret is read from the file that NAME_FILE names', () => {
  const { config } = read({ type: 'secret', env: 'X' }, { X_FILE: '/run/secrets/token' });
  assert.equal(config.value, 's3cret');
});

test('a secret that is set twice, or whose file is missing, is a problem without its value', () => {
  const twice = problemsOf(() => readSecret('X', { X: 's3cret', X_FILE: '/f' }, () => ''));
  assert.deepEqual(twice, [{ variable: 'X_FILE', expected: 'either X or X_FILE, not both' }]);
  const [empty] = problemsOf(() => readSecret('X', { X_FILE: '/f' }, () => '\uFEFF\r\n'));
  assert.deepEqual(empty, {
    variable: 'X_FILE',
    expected: 'a file that holds the value',
    received: 'an empty one',
  });
  const [missing] = problemsOf(() => read({ type: 'secret', env: 'X' }, { X_FILE: '/nowhere' }));
  assert.deepEqual(missing, {
    variable: 'X_FILE',
    expected: 'a readable file',
    received: '"/nowhere"',
  });
});

test('a switch with <ID> in its name has one value for each provider that sets it', () => {
  const entry: Switch = { type: 'url', env: 'SERVICE_PROVIDER_<ID>_URL' };
  const env = { SERVICE_PROVIDER_OPEN_METEO_URL: 'http://127.0.0.1:9/' };
  assert.deepEqual(read(entry, env).config.value, { open_meteo: 'http://127.0.0.1:9' });
});

test('an unknown SERVICE_ variable is a warning that names the nearest known one', () => {
  const { warnings } = read(
    { type: 'secret', env: 'SERVICE_PROVIDER_AUTH_JSON' },
    {
      SERVICE_PROVIDRE: 'osv',
      SERVICE_PROVIDER_AUTH_JSON_FILE: '/run/secrets/token',
      SERVICE_GITHUB_TOKEN: 'x',
      GITHUB_TOKEN_FILE: '/f',
      PATH: '/bin',
    },
  );
  assert.deepEqual(warnings, [
    'SERVICE_PROVIDRE is not known; did you mean SERVICE_PROVIDER_AUTH_JSON?',
  ]);
});

test('for a variable of one vendor, no variable of another one is named', () => {
  const providers = {
    notion: { env: ['SERVICE_NOTION_TOKEN'] },
    stripe: { env: ['SERVICE_STRIPE_API_KEY'] },
  };
  const asked: (readonly string[])[] = [];
  const nearest = (_name: string, known: readonly string[]) => {
    asked.push(known);
    return known[0];
  };
  const { warnings } = readSwitches<{ value: unknown }>(
    { value: { type: 'string', env: 'SERVICE_LOG_LEVEL' } },
    { SERVICE_STRIPE_TOKEN: 'x', SERVICE_OTHER_TOKEN: 'x' },
    { ...surroundings, providers, nearest },
  );
  assert.deepEqual(asked, [
    ['SERVICE_LOG_LEVEL'],
    ['SERVICE_STRIPE_API_KEY', 'SERVICE_STRIPE_API_KEY_FILE'],
  ]);
  assert.deepEqual(warnings, [
    'SERVICE_OTHER_TOKEN is not known; did you mean SERVICE_LOG_LEVEL?',
    'SERVICE_STRIPE_TOKEN is not known; did you mean SERVICE_STRIPE_API_KEY?',
  ]);
});

test('where nothing is like an unknown variable, nothing is named', () => {
  const { warnings } = readSwitches<{ value: unknown }>(
    { value: { type: 'string', env: 'X' } },
    { SERVICE_OTHER: 'x' },
    { ...surroundings, nearest: () => undefined },
  );
  assert.deepEqual(warnings, ['SERVICE_OTHER is not known']);
});
