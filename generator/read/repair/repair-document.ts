import { isObject } from '#contract/json';
import type { Version } from '../document/document-version.ts';
import { type Node, walk } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { Path } from '../text/origins.ts';
import { repairBody } from './repair-body.ts';
import { repairControls } from './repair-controls.ts';
import { repairMisplaced } from './repair-misplaced.ts';
import { repairParameter } from './repair-parameter.ts';
import { repairPathParameters } from './repair-path-parameters.ts';
import { repairPaths } from './repair-paths.ts';
import { repairRoot } from './repair-root.ts';
import { repairSchema } from './repair-schema.ts';
import { securityRepair } from './repair-security.ts';
import { repairValues } from './repair-values.ts';
import type { Told } from './told.ts';

/**
 * Read as it is meant what vendors write against the specification and what can only mean one thing,
 * in place; each with a warning. What is written here is taken at its word instead, so that its
 * author hears of it.
 */
export function repairDocument(document: WorkingDocument, version: Version): void {
  const { grammar, origins, root } = document;
  const told: Told = (path, message) =>
    report(document, 'SPEC005', path, message, { severity: 'warning' });
  repairRoot(root, version, told);
  const written = (path: Path) => {
    const { file, pointer } = origins.at(path);
    return file.wordAt(pointer);
  };
  // Nothing takes the place of what is left out, so that its author hears of an error.
  repairControls(root['paths'], (path, message) => report(document, 'SPEC005', path, message));
  repairPaths(document, told);
  repairMisplaced(root, told);
  const { components } = root;
  const holders: { node: Node; path: Path }[] = [{ node: root, path: [] }];
  if (isObject(components)) holders.push({ node: components, path: ['components'] });
  const repairSecurity = securityRepair(root, told);
  repairSecurity(root, []);
  walk(grammar, root, {
    object(name, node, path) {
      if (name === 'Operation') repairBody(node, version, { path, told });
      if (name === 'Operation') repairSecurity(node, path);
      if (name === 'Operation' || name === 'PathItem') holders.push({ node, path: [...path] });
      if (name === 'Schema') repairSchema(node, version, { path, told });
      if (name === 'Schema') repairValues(node, { path: [...path], told, written });
    },
  });
  for (const { node, path } of holders) {
    for (const [key, parameter] of Object.entries(node['parameters'] ?? {})) {
      const at = [...path, 'parameters', key];
      if (!isObject(parameter)) continue;
      repairParameter(parameter, version, { path: at, told });
      // In Swagger 2.0 a parameter says itself what its values are.
      if (version === '2.0') repairValues(parameter, { path: at, told, written });
    }
  }
  repairPathParameters(root, version, told);
}
