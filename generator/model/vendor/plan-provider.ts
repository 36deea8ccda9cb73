import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { ApiOperations } from '../schema/api-operations.ts';
import { ToolSchemas } from '../schema/tool-schema.ts';
import { WholeSchemas } from '../schema/whole-schemas.ts';
import type { Curation } from '../shape/curation.ts';
import type { ProviderModel } from '../shape/provider-model.ts';
import type { ProviderSources } from '../shape/provider-sources.ts';
import { asIdentifier, camelCase, distinct, documentName, pascalCase } from '../texts/names.ts';
import { Report } from '../texts/report.ts';
import { type PlannedEntry, planTool } from './plan-tool.ts';
import { checkProvider } from './provider-rules.ts';
import { environmentOf, providerSettings } from './provider-settings.ts';

/** Turn a curation and the description it speaks of into the model of a provider. */
export function planProvider(sources: ProviderSources): {
  model: ProviderModel;
  diagnostics: readonly Diagnostic[];
} {
  const { folder, curation, curationFile, document } = sources;
  const report = new Report(curationFile, document);
  const settings = providerSettings(curation, report);
  const api = new ApiOperations(document);
  const schemas = new ToolSchemas(document);
  const wholes = new WholeSchemas();
  const entries = planEntries(curation, report);
  const tools = entries.flatMap(
    (entry) => planTool(entry, { curation, api, schemas, wholes, settings, report }) ?? [],
  );
  checkProvider(sources, report);
  const { terms_url, licence, categories = [], preset = [], skill } = curation;
  return {
    model: {
      folder,
      settings,
      exportName: asIdentifier(camelCase(curation.provider)),
      presets: preset,
      env: environmentOf(curation),
      tools,
      ...(terms_url !== undefined && { termsUrl: terms_url }),
      ...(licence !== undefined && { licence }),
      categories,
      ...(skill && { skill }),
    },
    diagnostics: report.diagnostics,
  };
}

/** Give each tool the names of its constants; a number tells two apart that would be the same. */
function planEntries({ operations }: Curation, report: Report): PlannedEntry[] {
  const documents = new Set(
    operations.flatMap(({ name, from }) => (from.graphql ? [documentName(camelCase(name))] : [])),
  );
  const wanted = operations.map(({ name }) => {
    const identifier = asIdentifier(camelCase(name));
    return documents.has(identifier) ? `_${identifier}` : identifier;
  });
  const exportNames = distinct(wanted);
  return operations.map((curated, index) => {
    const pointer = `/operations/${index}`;
    const exportName = exportNames[index] ?? curated.name;
    const isRepeated = operations.findIndex(({ name }) => name === curated.name) < index;
    if (exportName !== wanted[index] && !isRepeated) {
      const message = `"${curated.name}" would be ${wanted[index]} in code like an earlier tool, so it is ${exportName}`;
      report.curation('SPEC014', `${pointer}/name`, message);
    }
    return { curated, pointer, exportName, argumentsType: `${pascalCase(exportName)}Arguments` };
  });
}
