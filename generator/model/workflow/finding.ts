import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';

/** Something that is wrong with a document of workflows, at a JSON pointer into it. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly pointer: string;
  readonly message: string;
  readonly help?: string;
}

/** Collects what is wrong with one document. */
export class Findings {
  readonly all: Finding[] = [];

  add(code: DiagnosticCode, pointer: string, message: string, help?: string): void {
    this.all.push({ code, pointer, message, ...(help !== undefined && { help }) });
  }
}
