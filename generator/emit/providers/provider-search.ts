import { type SearchDocument, searchMarks } from '#contract/provider';
import type { ProviderModel, ToolModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { firstSentence } from '../print/first-sentence.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `search-documents.ts` of a provider: what a search over its tools reads. */
export function emitProviderSearch({
  folder,
  settings,
  exportName,
  tools,
}: ProviderModel): EmittedFile {
  return printSourceFile({
    path: `generated/providers/${settings.id}/search-documents.ts`,
    source: folder,
    imports: [{ from: '#contract/provider', types: ['SearchDocument'] }],
    statements: [
      constant({
        name: searchName(exportName),
        type: 'readonly SearchDocument[]',
        docs: [`What a search over the tools of ${settings.title} reads.`],
        value: literal(tools.map(searchDocument), { depth: 0, used: 100, after: 1 }),
      }),
    ],
  });
}

/** The name of the constant that holds the search documents of a provider. */
export function searchName(exportName: string): string {
  return `${exportName}Search`;
}

/** What a search reads of a tool. */
export function searchDocument({
  definition,
  purpose,
  whenToUse,
  arguments: all,
}: ToolModel): SearchDocument {
  const words = all.map(({ name, description }) =>
    description === undefined ? name : `${name}: ${firstSentence(description)}`,
  );
  return {
    tool: definition.name,
    title: definition.title ?? purpose,
    text: whenToUse === undefined ? purpose : `${purpose}. ${whenToUse}`,
    parameters: words.join(' '),
    ...searchMarks(
      definition.annotations.readOnlyHint,
      all.map(({ name }) => name),
    ),
  };
}
