import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import type { Told } from './told.ts';

/** What changes something: hardly anybody lets everybody do that. */
const changing = ['post', 'put', 'patch', 'delete'];
const methods = ['get', 'head', 'options', 'trace', 'query', ...changing];

/** Fewer may be those by which people log in. */
const fewestWithdrawn = 3;

/**
 * Take out the empty lists of what operations demand, where most that change something take the credential
 * of the whole description away again: portals of documentation export each operation so. Sent where
 * nothing asks for it, a credential does no harm; left out, every call is refused.
 */
export function repairWithdrawn(root: Node, told: Told): void {
  const { security, paths } = root;
  const demands = Array.isArray(security) ? security.filter(isObject) : [];
  if (!demands.some((each) => Object.keys(each).length > 0) || !isObject(paths)) return;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const node = isObject(item) ? item[method] : undefined;
      return isObject(node) ? [{ node: node as Node, path, method }] : [];
    }),
  );
  const changes = operations.filter(({ method }) => changing.includes(method));
  const withdrawn = changes.filter(isWithdrawn);
  if (withdrawn.length < fewestWithdrawn || withdrawn.length * 2 <= changes.length) return;
  for (const { node } of operations.filter(isWithdrawn)) delete node['security'];
  told(['security'], 'most operations take it away again; it is read as what they all demand');
}

function isWithdrawn({ node }: { readonly node: Node }): boolean {
  return Array.isArray(node['security']) && node['security'].length === 0;
}
