import { RepeatedFindings } from '../document/repeated-finding.ts';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { Path } from '../text/origins.ts';
import { isSafePattern } from '../text/safe-pattern.ts';

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

/** Looks for what schemas say that nobody can or should rely on. */
export class SchemaChecks {
  readonly #formats = new RepeatedFindings();
  readonly #patterns = new RepeatedFindings();

  /** Look at one schema. */
  schema({ format, pattern }: Node, path: Path): void {
    if (typeof format === 'string' && !knownFormats.has(format)) {
      this.#formats.add(format, [...path, 'format']);
    }
    if (typeof pattern === 'string') this.#patterns.add(pattern, [...path, 'pattern']);
  }

  report(document: WorkingDocument): void {
    for (const { key, path, others } of this.#formats) {
      report(document, 'SPEC022', path, `unknown format "${key}"${others}`);
    }
    for (const { key, path, others } of this.#patterns) {
      if (isSafePattern(key)) continue;
      const message = `pattern ${JSON.stringify(key)} repeats a repetition${others}`;
      report(document, 'SPEC023', path, message);
    }
  }
}
