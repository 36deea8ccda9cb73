import type { Version } from '../document/document-version.ts';
import { RepeatedFindings } from '../document/repeated-finding.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { LocalReference } from '../references/bundle.ts';
import { followMovedTargets, type PinnedReference } from '../references/moved-targets.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import { upgradeDiscriminatedBodies } from './discriminated-bodies.ts';
import { joinSiblings } from './join-siblings.ts';
import { placeSecuritySchemes } from './named-schemes.ts';
import { RequiredSiblings } from './required-siblings.ts';
import { upgrade32 } from './upgrade-32.ts';
import { upgradeChoices } from './upgrade-choices.ts';
import { upgradeDiscriminators } from './upgrade-discriminators.ts';
import { dropSiblings, upgradeSchema } from './upgrade-schema.ts';

/** Bring a description of any version to the shapes of OpenAPI 3.1, in place. */
export async function upgrade(
  document: WorkingDocument,
  version: Version,
  references: readonly LocalReference[],
): Promise<void> {
  const pinned = pinTargets(document, references);
  upgradeSchemas(document, version);
  if (version === '2.0') {
    const { upgradeSwagger } = await import('./upgrade-swagger.ts');
    upgradeSwagger(document, references);
  } else if (version === '3.0') {
    document.root['openapi'] = '3.1.0';
  } else if (version === '3.2') {
    upgrade32(document);
  }
  followMovedTargets(document, pinned);
  placeSecuritySchemes(document);
  joinSiblings(document);
  upgradeDiscriminators(document);
  upgradeDiscriminatedBodies(document);
  upgradeChoices(document);
}

/** References into the inside of something: their pointers may no longer hold afterwards. */
function pinTargets(
  { root }: WorkingDocument,
  references: readonly LocalReference[],
): PinnedReference[] {
  const named = /^#\/(?:components\/[^/]+|definitions|parameters|responses)\/[^/]+$/;
  return references.flatMap(({ node }) => {
    if (!isReference(node) || named.test(node.$ref)) return [];
    return { node, target: lookUp(root, parsePointer(node.$ref.slice(1))) };
  });
}

/** What is upgraded already stays as it is, so that nodes in several places do no harm. */
function upgradeSchemas(document: WorkingDocument, version: Version): void {
  const { grammar, root, origins } = document;
  const siblingsCount = version !== '2.0' && version !== '3.0';
  const ignored = new RepeatedFindings();
  const both = new RepeatedFindings();
  const siblings = new RequiredSiblings(root);
  const schema = (node: Node, path: Path) => {
    const keepsRequired = !siblingsCount && siblings.areMeant(node);
    if (keepsRequired) both.add('required', path);
    if (!siblingsCount && dropSiblings(node, keepsRequired)) ignored.add('$ref', path);
    upgradeSchema(node, path, origins);
  };
  walk(grammar, root, {
    reference(node, shape, { path }) {
      if (shape.kind === 'object' && shape.name === 'Schema') schema(node, path);
      return node;
    },
    leave(name, node, path) {
      if (name === 'Schema') schema(node, path);
    },
  });
  for (const { path, others } of both) {
    const message = `"required" beside $ref is ignored before OpenAPI 3.1; it is read as meant of both${others}`;
    report(document, 'SPEC005', path, message, { severity: 'warning' });
  }
  for (const { path, others } of ignored) {
    report(document, 'SPEC025', path, `fields beside $ref are ignored${others}`);
  }
}
