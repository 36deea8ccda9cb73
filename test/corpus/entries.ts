import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** One description to try everything on. */
export interface CorpusEntry {
  /** Path in the corpus, with forward slashes. */
  readonly name: string;
  readonly file: string;
  /** The folder that all of its files are in. */
  readonly root: string;
  /** Whether others have found it valid: it must be read without an error. */
  readonly isGood: boolean;
}

export interface Corpus {
  readonly entries: readonly CorpusEntry[];
  /** Remove what was unpacked. */
  close(): void;
}

/** The folder of the OpenAPI corpus, when this machine has one. */
export const corpusFolder = process.env['OPENAPI_CORPUS'];

/** Folders whose files refer to each other. */
const roots = [
  'agentic-commerce',
  'go-openapi-validation',
  'hey-api-fixtures',
  'universal-commerce/source',
];

/** Open the corpus; on machines without it, the small one that lies beside this file. */
export function openCorpus(): Corpus {
  if (corpusFolder === undefined) return openFixtures();
  const folder = corpusFolder;
  const good = goodFiles(folder);
  const plain = descriptionsIn(folder).map((file) => {
    const name = relative(folder, file).split(sep).join('/');
    const root = roots.find((each) => name.startsWith(`${each}/`));
    return {
      name,
      file,
      root: root === undefined ? dirname(file) : join(folder, root),
      isGood: good.has(name),
    };
  });
  const unpacked = mkdtempSync(join(tmpdir(), 'corpus-'));
  return {
    entries: [...plain, gitHub(folder, unpacked), digitalOcean(folder, unpacked)],
    close: () => rmSync(unpacked, { recursive: true }),
  };
}

/** Open the small corpus that lies beside this file. */
export function openFixtures(): Corpus {
  const folder = join(import.meta.dirname, 'fixtures');
  const entries = readdirSync(folder).map((name) => ({
    name,
    file: join(folder, name, 'openapi.yaml'),
    root: join(folder, name),
    isGood: !name.startsWith('hostile'),
  }));
  return { entries, close: () => undefined };
}

function descriptionsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** The files that the last column of the index calls valid; ours that are not meant to be do not count. */
function goodFiles(folder: string): Set<string> {
  const rows = readFileSync(join(folder, 'INDEX.md'), 'utf8').split('\n');
  const names = rows.flatMap((row) => /^\| (\S+) \|.*\| ok \|$/.exec(row)?.[1] ?? []);
  return new Set(names.filter((name) => !/^handmade\/(?:hostile|invalid)\//.test(name)));
}

function gitHub(folder: string, unpacked: string): CorpusEntry {
  const name = 'github/api.github.com.json.gz';
  const file = join(unpacked, 'github', 'api.github.com.json');
  mkdirSync(dirname(file));
  writeFileSync(file, gunzipSync(readFileSync(join(folder, name))));
  return { name, file, root: dirname(file), isGood: true };
}

function digitalOcean(folder: string, unpacked: string): CorpusEntry {
  const name = 'digitalocean/specification.tar.gz';
  execFileSync('tar', ['xzf', join(folder, name), '-C', unpacked]);
  const root = join(unpacked, 'specification');
  return { name, file: join(root, 'DigitalOcean-public.v2.yaml'), root, isGood: true };
}
