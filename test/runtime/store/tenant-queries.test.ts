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

/** What is about the rows of all tenants: those that have expired, and those of a key that goes. */
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
    /^\.deleteFrom\('identity_watermark'\)\s+\.where\('created_at'/,
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
