import type { Diagnostic, Location } from './diagnostic.ts';
import { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.ts';

/** Characters of a message: what is quoted of a description may be as long as its author likes. */
export const longestMessage = 1_000;

/** Make a diagnostic; its severity is that of its code unless `extra` names another. */
export function diagnose(
  code: DiagnosticCode,
  at: Location & { readonly pointer: string },
  message: string,
  extra: Partial<Pick<Diagnostic, 'severity' | 'help' | 'related'>> = {},
): Diagnostic {
  const { file, line, column, pointer } = at;
  const { severity } = diagnosticCodes[code];
  return { code, severity, file, line, column, pointer, message: shortened(message), ...extra };
}

/** Both ends of a message say what is wrong; what is quoted stands between them. */
function shortened(message: string): string {
  if (message.length <= longestMessage) return message;
  const end = longestMessage / 4;
  const start = longestMessage - end - 1;
  return `${message.slice(0, start)}…${message.slice(-end)}`.toWellFormed();
}
