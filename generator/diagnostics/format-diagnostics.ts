import type { Diagnostic } from './diagnostic.ts';

export const diagnosticFormats = ['text', 'json', 'github'] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];

/** Print diagnostics for people, for programs, or as GitHub workflow annotations. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
): string {
  switch (format) {
    case 'text':
      return diagnostics.map(textOf).join('');
    case 'json':
      return `${JSON.stringify(diagnostics, null, 2)}\n`;
    case 'github':
      return diagnostics.map(annotationOf).join('');
  }
}

/** Sort diagnostics by place: file, line, column, code. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      compare(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compare(a.code, b.code) ||
      compare(a.message, b.message),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function textOf(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, help } = diagnostic;
  const first = `${file}:${line}:${column} ${severity} ${code} ${messageOf(diagnostic)}\n`;
  return help === undefined ? first : `${first}    ${shownText(help)}\n`;
}

function messageOf({ file, message, related = [] }: Diagnostic): string {
  const places = related.map((other) => {
    const where = other.file === file ? '' : `${other.file}:`;
    return ` (${other.message} at ${where}${other.line}:${other.column})`;
  });
  return shownText(message + places.join(''));
}

/** Third-party text must neither move the terminal's cursor nor break the line. */
export function shownText(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The same for a text of several lines. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownText).join('\n');
}

/** Workflow commands of GitHub Actions: `::error file=...,line=...::message`. */
/** An annotation that belongs to no place in a file. */
export function placelessAnnotation(
  command: 'error' | 'notice',
  title: string,
  text: string,
): string {
  return `::${command} title=${escapeProperty(title)}::${escapeData(text)}\n`;
}

function annotationOf(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, help } = diagnostic;
  const command = severity === 'info' ? 'notice' : severity;
  const message = messageOf(diagnostic);
  const text = help === undefined ? message : `${message}\n${shownText(help)}`;
  const properties = `file=${escapeProperty(file)},line=${line},col=${column},title=${code}`;
  return `::${command} ${properties}::${escapeData(text)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
