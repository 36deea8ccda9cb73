import { isObject } from '#contract/json';
import type { Version } from '../document/document-version.ts';
import { type Node, type Visitor, walk } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { Path } from '../text/origins.ts';
import { repairBody } from './repair-body.ts';
import { repairControls } from './repair-controls.ts';
import { repairMisplaced } from './repair-misplaced.ts';
import { demandedBeside, repairParameter } from './repair-parameter.ts';
import { repairPathParameters } from './repair-path-parameters.ts';
import { repairPaths } from './repair-paths.ts';
import { repairPattern } from './repair-pattern.ts';
import { repairResponses } from './repair-responses.ts';
import { repairRoot } from './repair-root.ts';
import { repairSchema } from './repair-schema.ts';
import { securityRepair } from './repair-security.ts';
import { repairValues } from './repair-values.ts';
import { repairWithdrawn } from './repair-withdrawn.ts';
import type { Told } from './told.ts';

/** Repairs what comes from other files, in place. */
export interface IncludedRepair {
  /** An object that has become part of the document, by the type that it has in the grammar. */
  readonly object: NonNullable<Visitor['object']>;
  /** All paths, when nothing of them lies in another file any more. */
  paths(): void;
}

/**
 * Read as it is meant what vendors write against the specification and what can only mean one thing,
 * in place; each with a warning. What is written here is taken at its word instead, so that its
 * author hears of it.
 *
 * @returns the same for what comes from other files
 */
export function repairDocument(document: WorkingDocument, version: Version): IncludedRepair {
  const { grammar, root } = document;
  const told: Told = (path, message) =>
    report(document, 'SPEC005', path, message, { severity: 'warning' });
  repairRoot(root, version, told);
  // Nothing takes the place of what is left out, so that its author hears of an error.
  repairControls(root['paths'], (path, message) => report(document, 'SPEC005', path, message));
  repairPaths(document, told);
  repairMisplaced(root, told);
  repairWithdrawn(root, told);
  const repairSecurity = securityRepair(root, told);
  repairSecurity(root, []);
  const { components } = root;
  repairParameters(document, version, { node: root, path: [], told });
  if (version === '2.0') repairResponses(root, version, { path: [], told });
  if (isObject(components)) {
    repairParameters(document, version, { node: components, path: ['components'], told });
    repairResponses(components, version, { path: ['components'], told });
  }
  const object: IncludedRepair['object'] = (name, node, path) => {
    if (name === 'Parameter') repairGiven(document, version, { node, path: [...path], told });
    if (name === 'Operation') {
      repairBody(node, version, { path, told });
      repairResponses(node, version, { path, told });
    }
    if (name === 'Operation') repairSecurity(node, path);
    if (name === 'Operation' || name === 'PathItem') {
      repairParameters(document, version, { node, path: [...path], told });
    }
    if (name === 'Items') repairPattern(node, { path, told });
    if (name === 'Schema') repairSchema(node, version, { path, told });
    if (name === 'Schema') {
      repairValues(node, { path: [...path], told, written: (at) => writtenAt(document, at) });
    }
  };
  const paths = () => repairPathParameters(root, version, told);
  walk(grammar, root, { object });
  paths();
  return { object, paths };
}

function writtenAt({ origins }: WorkingDocument, path: Path): string | undefined {
  const { file, pointer } = origins.at(path);
  return file.wordAt(pointer);
}

interface Given {
  readonly node: Node;
  readonly path: Path;
  readonly told: Told;
}

/** Repair the parameters that an object holds, by their names or in a list. */
function repairParameters(
  document: WorkingDocument,
  version: Version,
  { node, path, told }: Given,
): void {
  const { parameters } = node;
  if (typeof parameters !== 'object' || parameters === null) return;
  for (const [key, parameter] of Object.entries(parameters)) {
    if (!isObject(parameter)) continue;
    const at = [...path, 'parameters', key];
    const meant = demandedBeside(parameter, document.root);
    if (meant !== undefined) {
      Object.assign(parameters, { [key]: meant });
      told([...at, 'required'], '"required" beside $ref is read as that of the parameter');
    }
    repairGiven(document, version, { node: meant ?? parameter, path: at, told });
  }
}

function repairGiven(document: WorkingDocument, version: Version, given: Given): void {
  repairParameter(given.node, version, given);
  if (version !== '2.0') return;
  // In Swagger 2.0 a parameter says itself what its values are.
  repairPattern(given.node, given);
  repairValues(given.node, { ...given, written: (inner) => writtenAt(document, inner) });
}
