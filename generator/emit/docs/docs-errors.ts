import type { CodeEntry } from '../../diagnostics/codes/code-entry.ts';
import { descriptionCodes } from '../../diagnostics/codes/description-codes.ts';
import { houseCodes } from '../../diagnostics/codes/house-codes.ts';
import { providerCodes } from '../../diagnostics/codes/provider-codes.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { type Printed, plain, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';
import { ownMarkdown, page } from './markdown.ts';

const source = 'generator/diagnostics/diagnostic-codes.ts';

interface Group {
  readonly name: string;
  readonly about: Printed;
  readonly codes: Readonly<Record<string, CodeEntry>>;
}

const groups: readonly Group[] = [
  { name: 'descriptions', about: printed`API descriptions`, codes: descriptionCodes },
  { name: 'providers', about: printed`Providers`, codes: providerCodes },
  { name: 'server', about: printed`The server itself`, codes: houseCodes },
];

/** A page for each group of codes that the generator reports, and an index of all. */
export function emitErrorPages(): EmittedFile[] {
  const listed = groups.map((group) => ({ group, codes: codesOf(group) }));
  const all = listed.flatMap(({ codes }) => codes);
  return [
    page('errors/README.md', source, 'diagnostics-index', {
      codes: all.toSorted((a, b) => (String(a['code']) < String(b['code']) ? -1 : 1)),
    }),
    ...listed.map(({ group: { name, about }, codes }) =>
      page(`errors/${name}.md`, source, 'diagnostics', { about, codes }),
    ),
  ];
}

function codesOf({ name, codes }: Group): TemplateData[] {
  return Object.entries(codes).map(([code, { severity, title, cause, fix }]) => ({
    code: plain(code),
    page: plain(`${name}.md`),
    anchor: plain(code.toLowerCase()),
    severity: plain(severity),
    title: ownMarkdown(title),
    cause: ownMarkdown(cause),
    fix: ownMarkdown(fix),
  }));
}
