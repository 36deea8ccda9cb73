import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '#contract/json';

/** A description as its mock reads it. */
export interface WholeDocument {
  /** The file, or a copy without what no mock could read. */
  readonly file: string;
  /** The operations that a request can be, by its method and the path of its address. */
  at(method: string, url: string): readonly DescribedOperation[];
  close(): void;
}

/** One operation, as far as a verdict needs it. */
interface DescribedOperation {
  readonly template: string;
  /** Statuses that it describes; nothing where they stand in another file. */
  readonly statuses: readonly string[] | undefined;
}

type Node = Record<string, unknown>;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Read a description, and mend what keeps Prism from reading it: references to what does not exist
 * become schemas of anything, bodies of a Swagger 2.0 document that names no media type are JSON.
 */
export function readWholeDocument(file: string): WholeDocument {
  const text = readFileSync(file, 'utf8');
  const root: unknown = file.endsWith('.json') ? JSON.parse(text) : parse(text, { merge: true });
  const paths = isObject(root) && isObject(root['paths']) ? root['paths'] : {};
  const operations = Object.entries(paths).flatMap(([path, item]) => operationsOf(path, item));
  const mended = isObject(root) ? mend(root, file) : false;
  const folder = mended ? mkdtempSync(join(tmpdir(), 'contract-mock-')) : undefined;
  const copy = folder === undefined ? file : join(folder, 'description.json');
  if (folder !== undefined) writeFileSync(copy, JSON.stringify(root));
  return {
    file: copy,
    at(method, url) {
      const { pathname } = new URL(url, 'http://vendor.invalid');
      return operations.filter((each) => each.method === method && each.rule.test(pathname));
    },
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

function operationsOf(path: string, item: unknown) {
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
      return { template, rule, method: method.toUpperCase(), statuses };
    });
}

/** Whether anything had to be changed. */
function mend(root: Node, file: string): boolean {
  const lacksType = root['swagger'] === '2.0' && root['consumes'] === undefined;
  if (!hasBrokenReference(root, root, file) && !lacksType) return false;
  if (lacksType) root['consumes'] = ['application/json'];
  mendReferences(root, root, file);
  return true;
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
  const steps = decodeURIComponent(pointer).split('/').slice(1);
  const found = steps.reduce<unknown>((node, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof node === 'object' && node !== null ? (node as Node)[name] : undefined;
  }, root);
  return found === undefined;
}
