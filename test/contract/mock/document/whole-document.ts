import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '#contract/json';
import { isSigned } from '../../../../generator/provider/guess/security-schemes.ts';
import { mendYaml } from '../../../../generator/read/loose/loose-yaml.ts';
import { bodyOf, followed, hasClosedParts, standingAt } from './closed-parts.ts';
import { expandsBeyond } from './expanded-size.ts';
import { nameHeaders } from './mends/header-names.ts';
import { dropNullExamples } from './mends/null-examples.ts';
import { nameNulls } from './mends/nullable-types.ts';
import { takeToldChoices } from './mends/told-choices.ts';
import { nameChoices } from './mends/untyped-choices.ts';
import { bringIn } from './other-files.ts';
import { pruneDocument } from './pruned-document.ts';
import { areSeveralTaking } from './taking-alternatives.ts';
import { hasUnclearChoice } from './unclear-choices.ts';

/** A description as its mock reads it. */
export interface WholeDocument {
  /** The file, or a copy without what no mock could read. */
  readonly file: string;
  /** Whether the mock has to leave references as they stand: there are too many places to write them out. */
  readonly keepsReferences: boolean;
  /** The operations that a request can be, by its method and the path of its address. */
  at(method: string, url: string): readonly DescribedOperation[];
  close(): void;
}

/** One operation, as far as a verdict needs it. */
interface DescribedOperation {
  readonly template: string;
  /** Statuses that it describes; nothing where they stand in another file. */
  readonly statuses: readonly string[] | undefined;
  /** Media types of its body, as the document writes them. */
  bodyTypes(): readonly string[];
  /** Whether parts of an `allOf` in its body each forbid what the others have. */
  closesParts(): boolean;
  /** Whether its body has a choice that a mock cannot make. */
  leavesChoice(): boolean;
  /** Whether alternatives of one `oneOf` at a place in its body each take what a body has there. */
  severalTake(steps: readonly string[], body: unknown): boolean;
  /** Headers that are worked out from each request, in small letters. */
  signatures(): readonly string[];
}

type Node = Record<string, unknown>;

/** Of as many as documents are written with; those that the generator takes are bounded by it. */
const maxAliasCount = 100_000;

/** Objects and lists that a mock can write out within a minute. */
const mostExpanded = 2_000_000;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Read a description, and mend what keeps Prism from reading it: references to what does not exist
 * become schemas of anything, bodies of a Swagger 2.0 document that names no media type are JSON, those
 * of an operation that takes it away again are of the document's, and what needs no credential (`{}`,
 * OpenAPI 3.1, security requirement object), or one that is not declared, demands none. Headers are called
 * what they can be, and no example is null where null is not allowed.
 *
 * @param only operations that it is read for, by method and path, without their answers: of the
 *   largest descriptions, the mock takes minutes to read the rest, and to make up answers
 */
export function readWholeDocument(
  file: string,
  only?: readonly (readonly [method: string, path: string])[],
): WholeDocument {
  const read = readFileSync(file, 'utf8');
  // RFC 8259, section 8.1: a byte order mark may be ignored; Prism does not.
  const text = read.replace(/^\uFEFF/, '');
  const isJson = /^\s*[{[]/.test(text);
  const { root, isMended } = isJson ? { root: JSON.parse(text), isMended: false } : readYaml(text);
  if (isObject(root) && only) pruneDocument(root, only);
  const keepsReferences = isObject(root) && expandsBeyond(root, mostExpanded, file);
  if (keepsReferences) {
    bringIn(root, file);
    // What is left as it stands, the mock does not read as its version wants it.
    nameNulls(root);
  }
  const paths = isObject(root) && isObject(root['paths']) ? root['paths'] : {};
  let gathered: Node | undefined;
  /** With all that stands in other files; few requests are asked about it. */
  const inOneFile = () => {
    gathered ??= gather(isObject(root) ? root : {}, file);
    return gathered;
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    operationsOf(path, item, root, inOneFile),
  );
  // Prism reads no YAML whose keys are numbers.
  const isNumbered = !isJson && /^\s+\d+(?:\.\d+)?\s*:/m.test(text);
  const isOdd = isNumbered || isMended || text !== read || (!isJson && file.endsWith('.json'));
  const isCopied = only !== undefined || keepsReferences || isOdd;
  const mended = isObject(root) && mend(root, file, isCopied);
  const folder = mended ? mkdtempSync(join(tmpdir(), 'contract-mock-')) : undefined;
  const copy = folder === undefined ? file : join(folder, 'description.json');
  if (folder !== undefined) writeFileSync(copy, JSON.stringify(root));
  return {
    file: copy,
    keepsReferences,
    at(method, url) {
      const { pathname } = new URL(url, 'http://vendor.invalid');
      return operations.filter((each) => each.method === method && each.rule.test(pathname));
    },
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

/** Read YAML, and what is none as the generator reads it. */
function readYaml(text: string): { readonly root: unknown; readonly isMended: boolean } {
  try {
    return { root: parse(text, { merge: true, maxAliasCount }), isMended: false };
  } catch (error) {
    const mended = mendYaml(text);
    if (mended === undefined) throw error;
    return { root: parse(mended.text, { merge: true, maxAliasCount }), isMended: true };
  }
}

function operationsOf(path: string, item: unknown, root: unknown, inOneFile: () => Node) {
  const [template = ''] = path.split(/[?#]/, 1);
  const literal = template.split(/\{[^}]*\}/).map((part) => RegExp.escape(part));
  const rule = new RegExp(`^${literal.join('[^/]*')}$`);
  if (!isObject(item)) return [];
  return methods
    .filter((method) => method in item || '$ref' in item)
    .map((method) => {
      const node = item[method];
      const responses = isObject(node) ? node['responses'] : undefined;
      const statuses = isObject(responses) ? Object.keys(responses) : undefined;
      const closesParts = () => isObject(node) && hasClosedParts(bodyOf(node, root), root);
      const leavesChoice = () => isObject(node) && hasUnclearChoice(bodyOf(node, root), root);
      const bodyTypes = () => (isObject(node) ? bodyOf(node, root).flatMap(typesOf) : []);
      const signatures = () => signaturesOf([item, node], root);
      const severalTake = (steps: readonly string[], body: unknown) => {
        const whole = inOneFile();
        const operation = ['paths', path, method].reduce<unknown>(
          (holder, step) => (isObject(holder) ? holder[step] : undefined),
          whole,
        );
        return isObject(operation) && areSeveralTaking(operation, whole, steps, body);
      };
      const tests = { closesParts, leavesChoice, severalTake, bodyTypes, signatures };
      return { template, rule, method: method.toUpperCase(), statuses, ...tests };
    });
}

function gather(root: Node, file: string): Node {
  const whole = structuredClone(root);
  bringIn(whole, file);
  return whole;
}

/** The headers of a path and its operation that are signatures. */
function signaturesOf(holders: readonly unknown[], root: unknown): readonly string[] {
  const listed = holders.filter(isObject).map(({ parameters }): unknown => parameters);
  return listed
    .flatMap((parameters): readonly unknown[] => (Array.isArray(parameters) ? parameters : []))
    .map((each) => followed(each, root))
    .filter(isObject)
    .filter((each) => each['in'] === 'header' && isWorkedOut(each))
    .map(({ name }) => String(name).toLowerCase());
}

function isWorkedOut({ name, schema, ...rest }: Node): boolean {
  return [rest, schema].some((each) => isObject(each) && isSigned({ ...each, name }));
}

function typesOf(body: unknown): readonly string[] {
  return isObject(body) && isObject(body['content']) ? Object.keys(body['content']) : [];
}

/** Whether anything had to be changed, or was before: references lead elsewhere from a copy. */
function mend(root: Node, file: string, isCopied: boolean): boolean {
  const lacksType = root['swagger'] === '2.0' && isNone(root['consumes']);
  const mends = [
    openOptional,
    dropUndeclared,
    fillEmptied,
    nameChoices,
    nameHeaders,
    takeToldChoices,
    dropNullExamples,
  ];
  const changes = mends.map((change: (node: Node) => boolean) => change(root));
  const isChanged = isCopied || lacksType || changes.includes(true);
  if (!isChanged && !hasBrokenReference(root, root, file)) return false;
  if (lacksType) nameTypes(root);
  mendReferences(root, root, file);
  return true;
}

function isNone(types: unknown): boolean {
  return types === undefined || (Array.isArray(types) && types.length === 0);
}

/** Bodies are JSON, and fields of forms are forms, where a document of Swagger 2.0 does not say so. */
function nameTypes(root: Node): void {
  root['consumes'] = ['application/json'];
  for (const operation of operationsIn(root)) {
    if (operation['consumes'] !== undefined) continue;
    const { parameters } = operation;
    const fields = (Array.isArray(parameters) ? parameters : [])
      .filter(isObject)
      .filter((parameter) => parameter['in'] === 'formData');
    if (fields.length === 0) continue;
    const isFile = fields.some(({ type }) => type === 'file');
    operation['consumes'] = [isFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
  }
}

/** Lists of no media types beside bodies or answers that have one (OpenAPI 2.0, operation object). */
function fillEmptied(root: Node): boolean {
  const emptied = operationsIn(root).flatMap((operation) =>
    ['consumes', 'produces']
      .filter((key) => isEmptied(operation, key))
      .map((key) => [operation, key] as const),
  );
  for (const [operation, key] of emptied) delete operation[key];
  return emptied.length > 0;
}

function isEmptied(operation: Node, key: string): boolean {
  const { [key]: types, parameters, responses } = operation;
  if (!Array.isArray(types) || types.length > 0) return false;
  const hasSchema = (holder: unknown) => isObject(holder) && holder['schema'] !== undefined;
  const isForm = (parameter: unknown) => isObject(parameter) && parameter['in'] === 'formData';
  const named: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  return key === 'consumes'
    ? named.some(hasSchema) && !named.some(isForm)
    : Object.values(isObject(responses) ? responses : {}).some(hasSchema);
}

function operationsIn(root: Node): readonly Node[] {
  const items = isObject(root['paths']) ? Object.values(root['paths']).filter(isObject) : [];
  return items.flatMap((item) => methods.map((method) => item[method])).filter(isObject);
}

/** Prism refuses every request of an operation that demands a scheme which is not declared. */
function dropUndeclared(root: Node): boolean {
  const { components, securityDefinitions } = root;
  const declared =
    securityDefinitions ?? (isObject(components) ? components['securitySchemes'] : undefined) ?? {};
  // What stands in another file may be declared there.
  if (!isObject(declared) || '$ref' in declared) return false;
  if (isObject(components) && '$ref' in components) return false;
  const lacking = [root, ...operationsIn(root)].filter(
    ({ security }) =>
      Array.isArray(security) &&
      security.length > 0 &&
      security.every(
        (each) =>
          isObject(each) && Object.keys(each).some((name) => !Object.hasOwn(declared, name)),
      ),
  );
  for (const holder of lacking) (holder as Node)['security'] = [];
  return lacking.length > 0;
}

/** Prism takes `{}` for a scheme that is called "None". */
function openOptional(root: Node): boolean {
  const optional = [root, ...operationsIn(root)].filter(
    ({ security }) => Array.isArray(security) && security.some(isEmpty),
  );
  for (const holder of optional) (holder as Node)['security'] = [];
  return optional.length > 0;
}

function isEmpty(requirement: unknown): boolean {
  return isObject(requirement) && Object.keys(requirement).length === 0;
}

function hasBrokenReference(node: unknown, root: Node, file: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { $ref } = node as Node;
  if (typeof $ref === 'string' && isBroken($ref, root, file)) return true;
  return Object.values(node).some((member) => hasBrokenReference(member, root, file));
}

/** Take out what leads nowhere, and let the rest lead to where it did from the file's own folder. */
function mendReferences(node: unknown, root: Node, file: string): void {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as Node;
  const { $ref } = holder;
  if (typeof $ref === 'string') {
    if (isBroken($ref, root, file)) delete holder['$ref'];
    else if (/^[^#:]+(?:#|$)/.test($ref)) holder['$ref'] = resolve(dirname(file), $ref);
  }
  for (const member of Object.values(node)) mendReferences(member, root, file);
}

function isBroken(reference: string, root: Node, file: string): boolean {
  const [place = '', pointer = ''] = reference.split('#', 2);
  // Prism would fetch what lies elsewhere.
  if (place !== '') return place.includes(':') || !existsSync(resolve(dirname(file), place));
  return standingAt(root, pointer) === undefined;
}
