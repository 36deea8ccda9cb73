import type { Diagnostic, Location } from './diagnostic.ts';
import { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.ts';

/** Make a diagnostic; its severity is that of its code unless `extra` names another. */
export function diagnose(
  code: DiagnosticCode,
  at: Location & { readonly pointer: string },
  message: string,
  extra: Partial<Pick<Diagnostic, 'severity' | 'help' | 'related'>> = {},
): Diagnostic {
  const { file, line, column, pointer } = at;
  const { severity } = diagnosticCodes[code];
  return { code, severity, file, line, column, pointer, message, ...extra };
}
