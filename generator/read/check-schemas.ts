import { isSafePattern } from '../model/safe-pattern.ts';
import type { Path } from './origins.ts';
import type { Node } from './walk.ts';
import { report, type WorkingDocument } from './working-document.ts';

/** Formats of the OpenAPI Format Registry (https://spec.openapis.org/registry/format/). */
const knownFormats = new Set(
  [
    'base64url binary byte char commonmark date date-time date-time-local decimal decimal128',
    'double double-int duration email float hostname html http-date idn-email idn-hostname',
    'int16 int32 int64 int8 ipv4 ipv6 iri iri-reference json-pointer media-range password regex',
    'relative-json-pointer sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token',
    'single-int time time-local uint16 uint32 uint64 uint8 unixtime uri uri-reference',
    'uri-template uuid',
  ].flatMap((line) => line.split(' ')),
);

interface Found {
  readonly path: Path;
  count: number;
}

/** Collects what schemas say that nobody can or should rely on; each thing is reported once. */
export class SchemaChecks {
  readonly #formats = new Map<string, Found>();
  readonly #patterns = new Map<string, Found>();

  /** Look at one schema. */
  schema({ format, pattern }: Node, path: Path): void {
    if (typeof format === 'string' && !knownFormats.has(format)) {
      remember(this.#formats, format, [...path, 'format']);
    }
    if (typeof pattern === 'string') remember(this.#patterns, pattern, [...path, 'pattern']);
  }

  report(document: WorkingDocument): void {
    for (const [format, found] of this.#formats) {
      report(document, 'SPEC022', found.path, `unknown format "${format}"${elsewhere(found)}`);
    }
    for (const [pattern, found] of this.#patterns) {
      if (isSafePattern(pattern)) continue;
      const message = `pattern ${JSON.stringify(pattern)} can take exponential time`;
      report(document, 'SPEC023', found.path, message + elsewhere(found));
    }
  }
}

function remember(all: Map<string, Found>, text: string, path: Path): void {
  const found = all.get(text);
  if (found === undefined) all.set(text, { path, count: 1 });
  else found.count++;
}

function elsewhere({ count }: Found): string {
  return count === 1 ? '' : ` (and in ${count - 1} other places)`;
}
