import { isObject } from '#contract/json';
import { type SearchDocument, searchMarks } from '#contract/provider';
import type { ToolDefinition } from '#contract/tool';
import type { ToolSource } from '../offer/catalogue.ts';
import type { ToolDocument } from './tool-index.ts';

/** What a search over the tools of these sources reads; tools of vendors stay unloaded. */
export async function documentsOf(
  sources: readonly ToolSource[],
): Promise<readonly ToolDocument[]> {
  const all = await Promise.all(
    sources.map(async (source) => {
      const { id: provider, title: providerTitle } = source;
      const documents = (await source.documents?.()) ?? (await loadedDocuments(source));
      return documents.map((document) => ({ ...document, provider, providerTitle }));
    }),
  );
  return all.flat();
}

function loadedDocuments({ tools }: ToolSource): Promise<readonly SearchDocument[]> {
  return Promise.all(tools.map(async ([, load]) => documentOf((await load()).definition)));
}

/** The document of a tool for which none was prepared. */
function documentOf({
  name,
  title = name,
  description,
  input,
  annotations,
}: ToolDefinition): SearchDocument {
  const properties = isObject(input['properties']) ? input['properties'] : {};
  const parameters = Object.entries(properties).map(([argument, schema]) => {
    const said = isObject(schema) ? schema['description'] : undefined;
    return typeof said === 'string' ? `${argument}: ${said}.` : argument;
  });
  const marks = searchMarks(annotations.readOnlyHint, Object.keys(properties));
  return { tool: name, title, text: description, parameters: parameters.join(' '), ...marks };
}
