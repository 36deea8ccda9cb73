import SwaggerParser from '@apidevtools/swagger-parser';
import { isObject } from '#contract/json';
import { rootedOptions } from '../../generator/provider/second-opinion.ts';
import { loadGrammar, recognise } from '../../generator/read/document/document-version.ts';
import type { WorkingDocument } from '../../generator/read/document/working-document.ts';
import { Bundler } from '../../generator/read/references/bundle.ts';
import { lookUp, parsePointer } from '../../generator/read/text/json-pointer.ts';
import { Origins } from '../../generator/read/text/origins.ts';
import { openSpecFiles } from '../../generator/read/text/spec-files.ts';
import type { CorpusEntry } from './entries.ts';

/** What our bundle of a description and another reader's say of each other. */
export type Verdict =
  | { readonly accepted: 'both'; readonly difference: string | undefined }
  | { readonly accepted: 'ours' | 'theirs' | 'neither' };

/** Bundle a description as `generate` does, and hold it against the references of swagger-parser. */
export async function compareBundles(entry: CorpusEntry): Promise<Verdict> {
  const [ours, theirs] = [await bundled(entry), await dereferenced(entry)];
  if (ours !== undefined && theirs !== undefined) {
    return { accepted: 'both', difference: differenceOf(ours, theirs) };
  }
  if (ours === undefined) return { accepted: theirs === undefined ? 'neither' : 'theirs' };
  return { accepted: 'ours' };
}

/** Where a bundle differs first from a tree without references, as a pointer. */
export function differenceOf(bundle: unknown, tree: unknown): string | undefined {
  return new Comparison(bundle).difference(bundle, tree, '');
}

async function dereferenced({ file, root }: CorpusEntry): Promise<unknown> {
  try {
    // Circles are followed, too.
    const dereference = { circular: true };
    return await SwaggerParser.dereference(file, { ...rootedOptions(root), dereference });
  } catch {
    return undefined;
  }
}

/** The first steps of `readApi`: before anything is taken out, upgraded or repaired. */
async function bundled({ file, root: folder }: CorpusEntry): Promise<unknown> {
  const files = openSpecFiles(folder, folder);
  const entry = files.open(file);
  const recognised = entry?.value === undefined ? undefined : recognise(entry.value);
  if (entry === undefined || recognised === undefined || !('root' in recognised)) return undefined;
  const { root, version } = recognised;
  const document: WorkingDocument = {
    root,
    entry,
    files,
    origins: new Origins(root, entry),
    grammar: await loadGrammar(version),
    diagnostics: [],
    losses: [],
    damaged: new WeakSet(),
  };
  new Bundler(document).run(true);
  return document.diagnostics.length + files.diagnostics().length > 0 ? undefined : root;
}

/** Where a bundle has more than the description. */
const holders = /^(?:\/components(?:\/[^/]+)?|\/(?:definitions|parameters|responses))?$/;

/** Compares a bundle, whose references lead to places in it, with a tree that has none left. */
class Comparison {
  readonly #root: unknown;
  /** What was compared with what: both may be endless. */
  readonly #seen = new WeakMap<object, WeakSet<object>>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Where the two differ first, as a pointer. */
  difference(ours: unknown, theirs: unknown, at: string): string | undefined {
    const own = this.#resolved(ours);
    if (typeof own !== 'object' || own === null || typeof theirs !== 'object' || theirs === null) {
      return Object.is(own, theirs) ? undefined : at;
    }
    // It leaves a reference alone that is no pointer, such as "#definitions/Thing".
    if ('$ref' in theirs && /^#[^/]/.test(String(theirs.$ref))) return undefined;
    const compared = this.#seen.get(own) ?? new WeakSet();
    if (compared.has(theirs)) return undefined;
    this.#seen.set(own, compared.add(theirs));
    if (Array.isArray(own) !== Array.isArray(theirs)) return at;
    const keys = Object.keys(theirs);
    // What came from other files became components: it is compared where it is referred to.
    if (!holders.test(at) && keys.length !== Object.keys(own).length) return `${at} (members)`;
    for (const key of keys) {
      // The standard knows no references inside of extensions (OpenAPI 3.1, 4.9).
      if (key.startsWith('x-')) continue;
      // An example is data: what looks like a reference in it is none.
      if (key === 'example' && !at.endsWith('/properties')) continue;
      // A mapping holds references as texts: those to other files are rewritten in a bundle alone.
      if (at.endsWith('/discriminator') && key === 'mapping') continue;
      if (!Object.hasOwn(own, key)) return `${at}/${key} (missing)`;
      const [one, other] = [Reflect.get(own, key), Reflect.get(theirs, key)];
      const found = this.difference(one, other, `${at}/${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What a chain of references leads to; what stands beside a reference joins it. */
  #resolved(node: unknown): unknown {
    if (!isObject(node) || typeof node['$ref'] !== 'string') return node;
    const { $ref, ...beside } = node;
    if (!$ref.startsWith('#')) return node;
    const target = this.#resolved(
      lookUp(this.#root, parsePointer(decodeURIComponent($ref.slice(1)))),
    );
    if (Object.keys(beside).length === 0 || !isObject(target)) return target;
    return { ...target, ...beside };
  }
}
