import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic, Location, Severity } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';

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
