import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { readDescriptionFile } from './description-file.ts';
import { escapeStep } from './json-pointer.ts';
import type { Origin } from './origins.ts';
import type { ParsedFile } from './parsed-file.ts';

/** More files than any description has, so that a wrong root ends in an error and not in a hang. */
const maxScannedFiles = 10_000;

/** The files that one description may be made of: those under the spec root. */
export interface SpecFiles {
  /** Read a file once; `undefined` when it leaves the root or does not exist. */
  open(path: string): ParsedFile | undefined;
  /** Whether a path stays under the root, links followed. */
  isInside(path: string): boolean;
  /** The node that a file under the root declares to be `uri`, by `$id` or `$self`. */
  declared(uri: string): Origin | undefined;
  /** What was wrong with the files that were read. */
  diagnostics(): Diagnostic[];
}

/**
 * Give access to the files under `root`; reported paths are relative to `base`. A file is spelled
 * as `root` is, whichever link leads to the root, and as it was named first, if it has two names.
 *
 * @param address what the file is called that was fetched into `root`, where it is the only one
 */
export function openSpecFiles(root: string, base: string, address?: string): SpecFiles {
  const realRoot = realPath(root) ?? root;
  const files = new Map<string, ParsedFile>();
  let index: Map<string, string> | undefined;

  function isInside(path: string): boolean {
    if (!isUnder(root, spelledFrom(root, path))) return false;
    const real = realPath(path);
    return real === undefined || isUnder(realRoot, real);
  }

  function open(path: string): ParsedFile | undefined {
    const real = realPath(path);
    if (real === undefined || !isInside(path)) return undefined;
    const known = files.get(real) ?? readDescriptionFile(spelledFrom(root, path), base, address);
    files.set(real, known);
    return known;
  }

  function declared(uri: string): Origin | undefined {
    index ??= indexOfIds(root);
    const path = index.get(uri);
    const file = path === undefined ? undefined : open(path);
    const pointer = file === undefined ? undefined : findId(file.value, uri, '');
    return file === undefined || pointer === undefined ? undefined : { file, pointer };
  }

  return {
    open,
    isInside,
    declared,
    diagnostics: () => [...files.values()].flatMap((file) => file.diagnostics),
  };
}

/** The address that a file goes by: what it declares, or where it lies. */
export function addressOf(file: ParsedFile): string {
  const { value } = file;
  const own = isObject(value) ? (value['$self'] ?? value['$id']) : undefined;
  const place = pathToFileURL(file.path).href;
  return typeof own === 'string' && URL.canParse(own, place) ? new URL(own, place).href : place;
}

/**
 * The same path as one under `folder`, where it gets there by another name of that folder (on macOS
 * `/tmp` is a link to `/private/tmp`). The file itself keeps its own name, even if it is a link.
 */
export function spelledFrom(folder: string, path: string): string {
  if (isUnder(folder, path)) return path;
  const realFolder = realPath(folder);
  if (realFolder === undefined) return path;
  if (realPath(path) === realFolder) return folder;
  const parent = realPath(dirname(path));
  if (parent === undefined || !isUnder(realFolder, parent)) return path;
  return join(folder, relative(realFolder, parent), basename(path));
}

function isUnder(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function indexOfIds(root: string): Map<string, string> {
  const index = new Map<string, string>();
  let scanned = 0;
  const scan = (folder: string) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules') scan(path);
      if (!entry.isFile() || !isDescription(entry.name) || ++scanned > maxScannedFiles) continue;
      for (const uri of declaredIds(readFileSync(path, 'utf8'))) {
        if (!index.has(uri)) index.set(uri, path);
      }
    }
  };
  scan(root);
  return index;
}

function isDescription(name: string): boolean {
  return ['.json', '.yaml', '.yml'].includes(extname(name).toLowerCase());
}

function* declaredIds(text: string): Generator<string> {
  for (const [, uri] of text.matchAll(/\$(?:id|self)["']?\s*:\s*["']?([^"'#\s]+)/g)) {
    if (uri !== undefined && URL.canParse(uri)) yield uri;
  }
}

function findId(value: unknown, uri: string, pointer: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const node = value as Record<string, unknown>;
  const own = node['$id'] ?? node['$self'];
  if (typeof own === 'string' && own.replace(/#$/, '') === uri) return pointer;
  for (const key of Object.keys(node)) {
    const found = findId(node[key], uri, `${pointer}/${escapeStep(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
