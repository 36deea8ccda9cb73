import { closest, distance } from 'fastest-levenshtein';
import { diagnose } from '../diagnose.ts';
import type { Diagnostic, Location, Severity } from '../diagnostic.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';

/** A file whose nodes have positions. */
export interface Located {
  locate(pointer: string): Location;
  /** Where a node stands in the file, if that is not where it stands in what was made of it. */
  original?(pointer: string): string;
}

interface Extra {
  readonly help?: string;
  readonly severity?: Severity;
}

/** Collects what is wrong with one provider, each thing where it stands. */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly #curation: Located;
  readonly #api: Located;

  constructor(curation: Located, api: Located) {
    this.#curation = curation;
    this.#api = api;
  }

  /** Something is wrong at a pointer into the curation. */
  curation(code: DiagnosticCode, pointer: string, message: string, extra: Extra = {}): void {
    const original = this.#curation.original?.(pointer) ?? pointer;
    const at = { ...this.#curation.locate(pointer), pointer: original };
    this.diagnostics.push(diagnose(code, at, message, extra));
  }

  /** Something is wrong at a pointer into the API description. */
  api(code: DiagnosticCode, pointer: string, message: string, extra: Extra = {}): void {
    const at = { ...this.#api.locate(pointer), pointer };
    this.diagnostics.push(diagnose(code, at, message, extra));
  }
}

const mostListed = 12;

/** `it has: a, b; did you mean "b"?` */
export function suggestion(wanted: string, known: readonly string[]): string {
  if (known.length === 0) return 'it has none';
  const listed = known.slice(0, mostListed).join(', ');
  const rest = known.length > mostListed ? ` and ${known.length - mostListed} more` : '';
  const nearest = nearestOf(wanted, known);
  return `it has: ${listed}${rest}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

/** The name that was probably meant. */
export function nearestOf(wanted: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const names = known.map((name) => name.toLowerCase());
  const text = wanted.toLowerCase();
  const containing = names.findIndex((name) => name.includes(text));
  if (containing >= 0 && text.length > 2) return known[containing];
  const nearest = closest(text, names);
  const limit = Math.max(2, Math.ceil(Math.max(text.length, nearest.length) * 0.6));
  return distance(text, nearest) <= limit ? known[names.indexOf(nearest)] : undefined;
}
