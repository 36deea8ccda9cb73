import { isObject } from '#contract/json';
import { standingAt } from './closed-parts.ts';

type Node = Record<string, unknown>;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Where OpenAPI 3 and Swagger 2.0 keep what is referred to. */
const holders = ['definitions', 'parameters', 'responses'];

/**
 * Leave of a description these operations, by method and path, no answer with a body, and nothing
 * that they do not refer to: the mock reads everything before it listens, once for each operation.
 */
export function pruneDocument(
  root: Node,
  operations: readonly (readonly [method: string, path: string])[],
): void {
  const wanted = new Set(operations.map(([method, path]) => `${method.toLowerCase()} ${path}`));
  const paths = isObject(root['paths']) ? root['paths'] : {};
  const items = Object.entries(paths).flatMap(([path, item]) => {
    if (!isObject(item)) return [];
    const [template = ''] = path.split(/[?#]/, 1);
    const out = methods.filter((method) => !wanted.has(`${method} ${template}`));
    const kept = Object.entries(item).filter(([key]) => !out.includes(key));
    const isLeft = '$ref' in item || kept.some(([key]) => methods.includes(key));
    return isLeft ? [[path, Object.fromEntries(kept)] as const] : [];
  });
  root['paths'] = Object.fromEntries(items);
  emptyAnswers(root);
  const reached = reachedFrom(root);
  const components = isObject(root['components']) ? root['components'] : {};
  for (const [kind, named] of Object.entries(components)) {
    if (kind !== 'securitySchemes') keep(named, `/components/${kind}`, reached);
  }
  for (const kind of holders) keep(root[kind], `/${kind}`, reached);
}

function keep(named: unknown, at: string, reached: ReadonlySet<string>): void {
  if (!isObject(named)) return;
  for (const name of Object.keys(named)) {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const isReached = [...reached].some(
      (each) => each === pointer || each.startsWith(`${pointer}/`),
    );
    if (!isReached) delete (named as Node)[name];
  }
}

/** Leave no answer a body. */
function emptyAnswers({ paths, components, responses }: Node): void {
  const items = isObject(paths) ? Object.values(paths).filter(isObject) : [];
  const operations = items.flatMap((item) => methods.map((method) => item[method]));
  const all = [...operations.filter(isObject), isObject(components) ? components : {}];
  for (const answers of [responses, ...all.map((holder) => holder['responses'])]) {
    for (const answer of Object.values(isObject(answers) ? answers : {})) {
      if (!isObject(answer)) continue;
      for (const key of ['content', 'schema', 'examples']) delete (answer as Node)[key];
    }
  }
}

/** Pointers to all that the operations refer to, also by way of others. */
function reachedFrom(root: Node): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue: unknown[] = [root['paths']];
  for (const node of queue) {
    if (typeof node !== 'object' || node === null) continue;
    const { $ref, discriminator } = node as Node;
    const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
    const named = [$ref, ...Object.values(isObject(mapping) ? mapping : {})];
    for (const reference of named) {
      if (typeof reference !== 'string' || !reference.startsWith('#/')) continue;
      const pointer = decodeURIComponent(reference.slice(1));
      if (reached.has(pointer)) continue;
      reached.add(pointer);
      queue.push(standingAt(root, reference.slice(1)));
    }
    queue.push(...Object.values(node));
  }
  return reached;
}
