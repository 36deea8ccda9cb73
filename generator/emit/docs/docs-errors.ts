import { diagnosticCodes } from '../../diagnostics/diagnostic-codes.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { page, table } from './markdown.ts';

const source = 'generator/diagnostics/diagnostic-codes.ts';

/** A page for each code that the generator reports, and an index of them. */
export function emitErrorPages(): EmittedFile[] {
  const codes = Object.entries(diagnosticCodes).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = codes.map(([code, { severity, title }]) => [
    `[${code}](${code}.md)`,
    severity,
    title,
  ]);
  const index = page('errors/README.md', source, [
    '# What the generator reports',
    'Each line that the generator prints has the form `file:line:column severity CODE message`.',
    table(['Code', 'Severity', 'Problem'], rows),
  ]);
  const pages = codes.map(([code, { severity, title, cause, fix }]) =>
    page(`errors/${code}.md`, source, [
      `# ${code}: ${title}`,
      `Severity: ${severity}`,
      `## Cause\n\n${cause}`,
      `## What to do\n\n${fix}`,
      '[All codes](README.md)',
    ]),
  );
  return [index, ...pages];
}
