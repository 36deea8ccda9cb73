import { loadGrammar, type Version } from '../document/document-version.ts';
import { Targets } from '../document/targets.ts';
import { walk } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { Compositions } from './check-compositions.ts';
import { checkOperations } from './check-operations.ts';
import { SchemaChecks } from './check-schemas.ts';
import { checkTemplates } from './check-templates.ts';
import { ValueChecks } from './check-values.ts';

/** Check what no grammar can: how the parts of an upgraded description fit together. */
export async function checkMeaning(document: WorkingDocument, version: Version): Promise<void> {
  const targets = new Targets(document.root);
  const follow = (value: unknown) => targets.end(value);
  checkOperations(document, follow);
  checkTemplates(document);
  const schemas = new SchemaChecks();
  const compositions = new Compositions(document, follow);
  const values = new ValueChecks(document, follow, version === '2.0' ? 'error' : 'warning');
  // The newest grammar knows everything that may stand in the internal shape.
  walk(await loadGrammar('3.2'), document.root, {
    object(name, node, path) {
      if (name === 'Schema') {
        compositions.schema(node, path);
        schemas.schema(node, path);
        values.schema(node, path);
      } else if (name === 'Parameter' || name === 'Header') {
        values.carrier(node, path);
      } else if (name === 'MediaType' && isJson(path.at(-1))) {
        values.carrier(node, path);
      }
    },
  });
  schemas.report(document);
}

/** Examples of other media types are texts that no schema describes. */
function isJson(mediaType: string | number | undefined): boolean {
  return /^(?:application\/json|[^;]+\+json)\b/i.test(String(mediaType));
}
