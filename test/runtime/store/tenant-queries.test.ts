import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const project = join(import.meta.dirname, '../../..');

/** Files whose queries are about no tenant, or about the rows of all, and why. */
const exempt: Readonly<Record<string, string>> = {
  'runtime/audit/**': 'tables of the log, which belongs to the server',
  'runtime/store/**': 'migrations and copies of whole tables',
};

/**
 * What is about the rows of all tenants: those that have expired, those of a key that goes, and
 * payments, which a chain takes once whoever was paid.
 */
const ofAll: readonly (readonly [file: string, query: RegExp])[] = [
  ['runtime/admission/confirm/approvals.ts', /^\.deleteFrom\('used_answer'\)\.where\('expires_at'/],
  [
    'runtime/admission/confirm/approved-acts.ts',
    /^\.deleteFrom\('approved_act'\)\.where\('expires_at'/,
  ],
  [
    'runtime/admission/idempotency/key-table.ts',
    /^\.deleteFrom\('idempotency_key'\)\s+\.where\('expires_at'/,
  ],
  ['runtime/mcp/tasks/task-table.ts', /^\.deleteFrom\('task'\)\.where\('expires_at'/],
  ['runtime/surfaces/identity/records/sweep.ts', /^\.deleteFrom\(table\)\s+\.where\('expires_at'/],
  [
    'runtime/surfaces/identity/records/sweep.ts',
    /^\.deleteFrom\('identity_watermark'\)\s+\.where\('kind', [^)]+\)\s+\.where\('created_at'/,
  ],
  [
    'runtime/surfaces/connections/records/attempts.ts',
    /^\.deleteFrom\('connection_attempt'\)\s+\.where\('expires_at'/,
  ],
  [
    'runtime/surfaces/connections/records/connections.ts',
    /^\.selectFrom\('connection'\)\s+\.select\(\['tenant', [^\]]+\]\)\s+\.where\('key_id'/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.updateTable\('payment'\)\s+\.set\(renewed\)\s+\.where\('claim'/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.selectFrom\('payment'\)\s+\.selectAll\(\)\s+\.where\('(?:claim|state)'/,
  ],
  // A claim is there once among all tenants: the same money buys nothing in two of them.
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.selectFrom\('payment'\)\s+\.select\('state'\)\s+\.where\(\(where\) => where\.and\(which\)/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.deleteFrom\('payment'\)\s+\.where\('state'/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.selectFrom\('payment'\)\s+\.select\('id'\)\s+\.where\('state'/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.selectFrom\('payment'\)\s+\.select\(\(\{ fn \}\) => fn\.countAll\(\)\.as\('count'\)\)\s+\.where\('state'/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.deleteFrom\(table\)\.where\('created_at', '<', beforeMs\)/,
  ],
  [
    'runtime/surfaces/commerce/records/payment-records.ts',
    /^\.selectFrom\('payment_answer'\)\.select\('id'\)\.limit\(1\)/,
  ],
  [
    'runtime/surfaces/commerce/card/card-events.ts',
    /^\.selectFrom\('card_event'\)\s+\.select\('created_at'\)\s+\.where\(\(where\) => where\.and\(cursor\)\)/,
  ],
  [
    'runtime/surfaces/commerce/card/card-events.ts',
    /^\.deleteFrom\('card_event'\)\.where\('created_at', '<', beforeMs\)/,
  ],
  [
    'runtime/surfaces/commerce/facilitator/facilitation-records.ts',
    /^\.(?:updateTable|selectFrom)\('payment_facilitation'\)[\s\S]*\.where\('claim', '='/,
  ],
  [
    'runtime/surfaces/commerce/facilitator/facilitation-records.ts',
    /^\.selectFrom\('payment_facilitation'\)\s+\.selectAll\(\)\s+\.where\('state', 'in', \['settling', 'pending'\]\)/,
  ],
  [
    'runtime/surfaces/commerce/meters/metered-uses.ts',
    /^\.selectFrom\('metered_use'\)\s+\.select\(\(\{ fn \}\)/,
  ],
  ['runtime/surfaces/commerce/budgets/spending.ts', /^\.deleteFrom\('spending'\)\.where\('until'/],
  [
    'runtime/surfaces/workflows/run-table.ts',
    /^\.selectFrom\('workflow_run'\)\s+\.selectAll\(\)\s+\.where\('status', 'in', \['running', 'waiting'\]\)\s+\.where\('updated_at'/,
  ],
  [
    'runtime/surfaces/workflows/run-table.ts',
    /^\.deleteFrom\('workflow_run'\)\s+\.where\('status', 'in', [^)]+\)\s+\.where\('updated_at'/,
  ],
  [
    'runtime/surfaces/connections/records/connections.ts',
    /^\.selectFrom\('connection'\)\.select\('id'\)\.limit\(1\)/,
  ],
];

/** What holds the tenant under another name, each made in the same file of a `tenant`. */
const holders = /\btenant\b|\b(?:placeOf|keyOf|#owned)\(|\.and\(owner\)|\bsame\(row\)/;

interface Query {
  readonly file: string;
  readonly text: string;
}

/** Everything from the first word of a query to where it is run, or ends. */
function queriesIn(file: string): readonly Query[] {
  const source = readFileSync(join(project, file), 'utf8');
  return [...source.matchAll(/\.(?:selectFrom|updateTable|deleteFrom)\(/g)].map(({ index }) => {
    const rest = source.slice(index);
    const end = rest.search(/\.(?:execute|stream|compile)\w*\(|;\n|\n\n/);
    return { file, text: rest.slice(0, end < 0 ? undefined : end) };
  });
}

const files = globSync('runtime/**/*.ts', { cwd: project, exclude: Object.keys(exempt) });
const queries = files.toSorted().flatMap(queriesIn);

/**
 * Statements that are written as SQL and are about the rows of all tenants, and why: what is asked of
 * a stream, a consumer or the outbox as a whole. Whose a message is decides `placesFrom`, through
 * which everybody reads, and what stands in its row when it is read.
 */
const sqlOfAll: Readonly<Record<string, string>> = {
  'runtime/bus/embedded/append.ts': 'ids and sequences are those of a stream',
  'runtime/bus/embedded/consumer-step.ts': 'a consumer belongs to the server',
  'runtime/bus/embedded/consumer-table.ts': 'a consumer belongs to the server',
  'runtime/bus/embedded/message-places.ts': 'the messages of places that were found for a tenant',
  'runtime/bus/embedded/retention.ts': 'a stream loses its oldest messages',
  'runtime/bus/embedded/stream-reader.ts': 'buckets, whose keys begin with the tenant, and counts',
  'runtime/bus/move/kept-streams.ts': 'all streams move',
  'runtime/bus/outbox.ts': 'the relay takes what is oldest',
};

const names = [
  ...readFileSync(join(project, 'generated/tables.ts'), 'utf8').matchAll(
    /^ {2}readonly (\w+): \w+Row;/gm,
  ),
].map(([, name]) => name);
const tables = new RegExp(`\\b(?:from|into|update)\\s+(?:${names.join('|')})\\b`);

/** Statements in templates, each up to its end. */
function statementsIn(file: string): readonly Query[] {
  const source = readFileSync(join(project, file), 'utf8');
  return [...source.matchAll(/\bsql(?:<[^`]*?>)?`([^`]*)`/g)]
    .map(([, text = '']) => ({ file, text }))
    .filter(({ text }) => tables.test(text));
}

const statements = files.toSorted().flatMap(statementsIn);

test('every statement on rows of tenants names the tenant, or is about all of them', () => {
  assert.ok(names.length > 10 && statements.length > 30, `${statements.length} statements`);
  const open = statements.filter(({ file, text }) => !/\btenant\b/.test(text) && !sqlOfAll[file]);
  assert.deepEqual(open, []);
  const used = new Set(
    statements.filter(({ text }) => !/\btenant\b/.test(text)).map(({ file }) => file),
  );
  assert.deepEqual([...used].toSorted(), Object.keys(sqlOfAll).toSorted());
});

test('whoever reads messages for a tenant asks for those of the tenant alone', () => {
  const places = statements.find(({ text }) => /^select sequence, subject, bytes/.test(text));
  assert.match(places?.text ?? '', /\$\{owner\}/);
  const readers = files.filter((file) =>
    /\bfrom bus_message\b/.test(readFileSync(join(project, file), 'utf8')),
  );
  assert.deepEqual(readers.map((file) => file.split('/').at(-1)).toSorted(), [
    'append.ts',
    'kept-bus.ts',
    'kept-streams.ts',
    'message-places.ts',
    'retention.ts',
    'stream-reader.ts',
  ]);
});

test('every query on rows of tenants names the tenant', () => {
  assert.ok(queries.length > 60, `${queries.length} queries`);
  const open = queries.filter(
    ({ file, text }) =>
      !holders.test(text) && !ofAll.some(([where, query]) => where === file && query.test(text)),
  );
  assert.deepEqual(open, []);
});

test('what is about the rows of all tenants is still there', () => {
  const gone = ofAll.filter(
    ([file, query]) => !queriesIn(file).some(({ text }) => query.test(text)),
  );
  assert.deepEqual(gone, []);
});
