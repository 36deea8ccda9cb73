import { diagnose } from '../../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../../diagnostics/diagnostic-codes.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { NamedTypes } from '../../schema/named-types.ts';

/** What the parts of a route are planned with. */
export interface RoutePlanning {
  readonly document: ApiDocument;
  readonly types: NamedTypes;
  readonly diagnostics: Diagnostic[];
}

/** Say what is wrong with a route, at the node that `pointer` leads to. */
export function report(
  { document, diagnostics }: RoutePlanning,
  code: DiagnosticCode,
  pointer: string,
  message: string,
  help?: string,
): void {
  const at = { ...document.locate(pointer), pointer };
  diagnostics.push(diagnose(code, at, message, help === undefined ? {} : { help }));
}
