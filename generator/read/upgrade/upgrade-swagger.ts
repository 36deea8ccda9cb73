import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import { lose, report, type WorkingDocument } from '../document/working-document.ts';
import type { LocalReference } from '../references/bundle.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import { type Path, within } from '../text/origins.ts';
import { type BodyParameter, requestBodyOf } from './swagger-body.ts';
import { serversOf, upgradeSecurityScheme } from './swagger-root.ts';
import { moveToSchema, takeStyle } from './swagger-values.ts';

/** Where the sections of Swagger 2.0 stand in OpenAPI 3. */
const sections: Readonly<Record<string, string>> = {
  definitions: 'schemas',
  parameters: 'parameters',
  responses: 'responses',
  securityDefinitions: 'securitySchemes',
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Rewrite Swagger 2.0, whose schemas are upgraded already, to the structure of OpenAPI 3.1. */
export function upgradeSwagger(
  document: WorkingDocument,
  references: readonly LocalReference[],
): void {
  // Operations take their bodies from parameters, which may stand anywhere.
  upgradeEach(document, { Parameter: upgradeParameter, Header: upgradeHeader });
  upgradeEach(document, { PathItem: upgradePathItem, Operation: upgradeResponses });
  upgradeSections(document);
  for (const { node } of references) {
    if (!isReference(node)) continue;
    node.$ref = node.$ref.replace(
      /^#\/(definitions|parameters|responses)(?=\/)/,
      (_, section: string) => `#/components/${sections[section]}`,
    );
  }
}

type Upgrade = (document: WorkingDocument, node: Node, path: Path) => void;

/** Upgrade every object of these types once, however often it is included. */
function upgradeEach(document: WorkingDocument, upgrades: Readonly<Record<string, Upgrade>>): void {
  const done = new WeakSet<Node>();
  walk(document.grammar, document.root, {
    leave(name, node, path) {
      const upgrade = upgrades[name];
      if (upgrade === undefined || done.has(node)) return;
      done.add(node);
      upgrade(document, node, path);
    },
  });
}

function upgradeHeader(document: WorkingDocument, node: Node, path: Path): void {
  Object.assign(node, takeStyle(document, node, path));
  moveToSchema(document, node, path);
}

function upgradeParameter(document: WorkingDocument, node: Node, path: Path): void {
  if (node['in'] !== 'body') upgradeHeader(document, node, path);
}

function upgradePathItem(document: WorkingDocument, item: Node, path: Path): void {
  const shared = bodyParametersOf(document, item['parameters'], [...path, 'parameters']);
  for (const method of methods) {
    const operation = item[method];
    if (isObject(operation)) upgradeOperation(document, operation, [...path, method], shared);
  }
  removeBodyParameters(document, item, path);
}

/** A request has one body: where a parameter is all of it, there is no form (Swagger 2.0, parameter object). */
function reportFields(
  document: WorkingDocument,
  parameters: readonly BodyParameter[],
  path: Path,
): void {
  const fields = parameters.filter(({ node }) => node['in'] === 'formData');
  if (fields.length === parameters.length) return;
  for (const { node } of fields) {
    const severity = node['required'] === true ? 'error' : 'warning';
    const message = `formData "${node['name']}" is left out: a parameter in body is all that is sent`;
    lose(document, path, report(document, 'SPEC005', path, message, { severity }));
  }
}

function upgradeOperation(
  document: WorkingDocument,
  operation: Node,
  path: Path,
  shared: readonly BodyParameter[],
): void {
  const { root, origins } = document;
  const own = bodyParametersOf(document, operation['parameters'], [...path, 'parameters']);
  const names = new Set(own.map(({ node }) => node['name']));
  const all = [...shared.filter(({ node }) => !names.has(node['name'])), ...own];
  const body = requestBodyOf(document, all, texts(operation['consumes'] ?? root['consumes']));
  reportFields(document, all, [...path, 'parameters']);
  removeBodyParameters(document, operation, path);
  if (body !== undefined && all[0] !== undefined) {
    origins.set(operation, 'requestBody', all[0].origin);
    operation['requestBody'] = body;
  }
  if (operation['schemes'] !== undefined) {
    operation['servers'] = serversOf(root, operation['schemes']);
  }
  for (const key of ['consumes', 'produces', 'schemes']) delete operation[key];
}

/** The parameters of a list that belong to a body, with where each was written. */
function bodyParametersOf(
  { root, origins }: WorkingDocument,
  list: unknown,
  path: Path,
): BodyParameter[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => {
    const steps = isReference(item) ? parsePointer(item.$ref.slice(1)) : [...path, index];
    const node = isReference(item) ? lookUp(root, steps.map(String)) : item;
    return isBodyParameter(node) ? [{ node, origin: origins.at(steps) }] : [];
  });
}

function isBodyParameter(node: unknown): node is Node {
  return isObject(node) && (node['in'] === 'body' || node['in'] === 'formData');
}

function removeBodyParameters({ root, origins }: WorkingDocument, owner: Node, path: Path): void {
  const list = owner['parameters'];
  if (!Array.isArray(list)) return;
  for (let index = list.length - 1; index >= 0; index--) {
    const item: unknown = list[index];
    const node = isReference(item) ? lookUp(root, parsePointer(item.$ref.slice(1))) : item;
    if (isBodyParameter(node)) origins.removeItem(list, [...path, 'parameters'], index);
  }
}

function upgradeResponses(document: WorkingDocument, operation: Node, path: Path): void {
  const { responses, produces = document.root['produces'] } = operation;
  if (!isObject(responses)) return;
  for (const [status, response] of Object.entries(responses)) {
    if (isReference(response) || !isObject(response)) continue;
    upgradeResponse(document, response, [...path, 'responses', status], texts(produces));
  }
}

function upgradeResponse(
  { origins }: WorkingDocument,
  response: Node,
  path: Path,
  produces: readonly string[],
): void {
  const { schema, examples } = response;
  const origin = origins.at(path);
  const named = isObject(examples) ? Object.keys(examples) : [];
  delete response['schema'];
  delete response['examples'];
  if (schema === undefined && named.length === 0) return;
  const content = bareMap();
  const mediaTypes = new Set([
    ...(produces.length > 0 ? produces : ['application/json']),
    ...named,
  ]);
  for (const mediaType of mediaTypes) {
    const media = bareMap(schema === undefined ? {} : { schema });
    origins.set(media, 'schema', within(origin, ['schema']));
    if (isObject(examples) && named.includes(mediaType)) {
      origins.set(media, 'example', within(origin, ['examples', mediaType]));
      media['example'] = examples[mediaType];
    }
    content[mediaType] = media;
  }
  response['content'] = content;
}

function upgradeSections(document: WorkingDocument): void {
  const { root, origins } = document;
  const components = bareMap();
  if (isObject(root['responses'])) {
    for (const [name, response] of Object.entries(root['responses'])) {
      if (isReference(response) || !isObject(response)) continue;
      upgradeResponse(document, response, ['responses', name], texts(root['produces']));
    }
  }
  for (const scheme of Object.values(root['securityDefinitions'] ?? {}))
    upgradeSecurityScheme(scheme);
  for (const [name, parameter] of Object.entries(root['parameters'] ?? {})) {
    if (isBodyParameter(parameter)) delete (root['parameters'] as Node)[name];
  }
  for (const [old, section] of Object.entries(sections)) {
    if (root[old] === undefined) continue;
    origins.set(components, section, origins.at([old]));
    components[section] = root[old];
    delete root[old];
  }
  origins.set(root, 'openapi', origins.at(['swagger']));
  root['openapi'] = '3.1.0';
  root['components'] = components;
  root['servers'] = serversOf(root, root['schemes']);
  for (const key of ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces']) {
    delete root[key];
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
