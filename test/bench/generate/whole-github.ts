import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stringify } from 'yaml';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Write a folder of specs with one provider: GitHub's whole description and a curation that takes
 * every operation. Gives the folder, or nothing where the corpus is not there.
 */
export function writeWholeGithub(): { base: string; description: string } | undefined {
  const corpus = process.env['OPENAPI_CORPUS'];
  const packed = corpus && join(corpus, 'github/api.github.com.json.gz');
  if (!packed || !existsSync(packed)) return undefined;
  const text = gunzipSync(readFileSync(packed)).toString('utf8');
  const base = mkdtempSync(join(tmpdir(), 'whole-github-'));
  const folder = join(base, 'specs/providers/whole_github');
  mkdirSync(folder, { recursive: true });
  const description = join(folder, 'openapi.json');
  writeFileSync(description, text);
  writeFileSync(join(folder, 'curation.yaml'), stringify(curationOf(JSON.parse(text))));
  return { base, description };
}

function curationOf({ paths }: Description) {
  const operations = Object.values(paths).flatMap((item) =>
    methods.flatMap((method) => (item[method] ? [operationOf(method, item[method])] : [])),
  );
  return {
    provider: 'whole_github',
    title: 'GitHub, every operation',
    servers: [{ url: 'https://api.github.com' }],
    auth: [{ type: 'bearer', env: ['SERVICE_GITHUB_TOKEN'], required: false }],
    operations,
  };
}

function operationOf(method: string, { operationId, summary = '', tags }: Operation) {
  return {
    name: toolName(operationId),
    resource: tags?.[0] ?? 'other',
    from: { operationId },
    purpose: summary.padEnd(10, '.').slice(0, 140),
    annotations: {
      readOnly: method === 'get',
      destructive: method === 'delete' || method === 'put' || method === 'patch',
      idempotent: method !== 'post',
    },
  };
}

function toolName(operationId: string): string {
  const name = `gh_${operationId.replace(/[^A-Za-z0-9]+/g, '_').toLowerCase()}`;
  if (name.length <= 48) return name;
  const hash = createHash('sha256').update(operationId).digest('hex').slice(0, 6);
  return `${name.slice(0, 41)}_${hash}`;
}
