import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A description that the harness reads. */
export interface Description {
  /** Of the provider that is drafted from it. */
  readonly id: string;
  /** For people: the vendor's folder and the file, or the file alone. */
  readonly name: string;
  readonly file: string;
  /** The folder that its references may not leave. */
  readonly root: string;
}

/**
 * The descriptions that the words of the command line ask for: files, or names out of the table in
 * the folder's `INDEX.md`; without words all of the table.
 *
 * @throws Error for a word that is neither
 */
export function findDescriptions(words: readonly string[], folder = ''): readonly Description[] {
  const listed = existsSync(join(folder, 'INDEX.md')) ? listedIn(folder) : [];
  const found = words.length === 0 ? listed : words.flatMap((word) => ofWord(word, listed));
  const ids = new Map<string, number>();
  return found.map((description) => {
    const count = (ids.get(description.id) ?? 0) + 1;
    ids.set(description.id, count);
    return count === 1 ? description : { ...description, id: `${description.id}_${count}` };
  });
}

function ofWord(word: string, listed: readonly Description[]): readonly Description[] {
  if (existsSync(word) && statSync(word).isFile()) {
    const file = resolve(word);
    const own = listed.find((each) => each.file === file);
    return [own ?? { id: idOf(basename(file)), name: word, file, root: dirname(file) }];
  }
  const ofVendor = listed.filter(({ name }) => name === word || name.startsWith(`${word}/`));
  if (ofVendor.length > 0) return ofVendor;
  const known = [...new Set(listed.map(({ name }) => name.split('/', 1)[0]))].join(', ');
  const vendors = known === '' ? 'which names none' : `which are ${known}`;
  throw new Error(
    `expected a file, or a vendor of the folder in OPENAPI_VENDORS, ${vendors}; got ${word}`,
  );
}

/** The table in the folder's index names the files that are descriptions of their own. */
function listedIn(folder: string): readonly Description[] {
  const rows = readFileSync(join(folder, 'INDEX.md'), 'utf8').matchAll(
    /^\| ([a-z0-9-]+) \| ([^|]+) \|/gm,
  );
  return Array.from(rows).flatMap(([, vendor = '', entries = '']) =>
    entries.split(',').map((entry) => ({
      id: idOf(vendor),
      name: `${vendor}/${entry.trim()}`,
      file: resolve(folder, vendor, entry.trim()),
      root: resolve(folder, vendor),
    })),
  );
}

/** A provider id: 2 to 24 of a-z, 0-9 and "_", a letter first; room is left for a number. */
function idOf(name: string): string {
  const text = name.toLowerCase().replace(/\.(ya?ml|json)$/, '');
  return `${/^[a-z]/.test(text) ? '' : 'v_'}${text.replace(/[^a-z0-9]+/g, '_')}`.slice(0, 20);
}
