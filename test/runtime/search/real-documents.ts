import { readFileSync } from 'node:fs';
import { createService } from '../../../runtime/main.ts';
import { documentsOf } from '../../../runtime/search/documents.ts';
import type { ToolDocument } from '../../../runtime/search/tool-index.ts';

/** What a search over the tools of all providers and surfaces reads. */
export async function realDocuments(): Promise<readonly ToolDocument[]> {
  const { offer, life } = await createService({
    SERVICE_PROVIDER: 'all-providers',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_LOG_LEVEL: 'silent',
  });
  await life.stop();
  return documentsOf(offer.catalogue.sources);
}

/** Questions, each with the tool that answers it; written before there was an index. */
export function questions(): readonly { readonly tool: string; readonly question: string }[] {
  const text = readFileSync(new URL('questions.tsv', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [tool = '', question = ''] = line.split('\t');
      return { tool, question };
    });
}

/** Questions, each with the tools of which any answers it, or with none where there is no such tool. */
export function plainQuestions(
  file: string,
): readonly { readonly tools: readonly string[]; readonly question: string }[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [tools = '', question = ''] = line.split('\t');
    return { tools: tools === 'none' ? [] : tools.split(' '), question };
  });
}
