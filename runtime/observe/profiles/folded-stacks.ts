import type { Profiler } from 'node:inspector';

/** Bytes of a profile; the stacks that were seen least go together then. */
const mostBytes = 1_048_576;
/** More of the name of a function is cut off. */
const longestName = 120;

/** Below it lies what is written here: a clone, or the folder of emitted JavaScript. */
const project = new URL('../../../', import.meta.url).href;
/** Tells nothing of what the server does. */
const untold = new Set(['(root)', '(idle)']);

/** A profile as lines `outer;inner count`, the stacks seen most first; without a path of this machine. */
export function foldedStacks({ nodes }: Profiler.Profile): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const counts = new Map<string, number>();
  const visit = (node: Profiler.ProfileNode, above: string) => {
    const { functionName: name } = node.callFrame;
    const stack = name === '(root)' ? '' : `${above}${above && ';'}${frameName(node.callFrame)}`;
    const hits = untold.has(name) ? 0 : (node.hitCount ?? 0);
    if (hits > 0) counts.set(stack, (counts.get(stack) ?? 0) + hits);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, stack);
    }
  };
  if (nodes[0]) visit(nodes[0], '');
  return written([...counts].sort(([, a], [, b]) => b - a));
}

function written(stacks: readonly (readonly [string, number])[]): string {
  let text = '';
  let others = 0;
  for (const [stack, count] of stacks) {
    const line = `${stack} ${count}\n`;
    if (text.length + line.length > mostBytes) others += count;
    else text += line;
  }
  return others > 0 ? `${text}(others) ${others}\n` : text;
}

function frameName({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']): string {
  // Semicolons and spaces separate there; what is not ASCII would be more bytes than characters.
  const name = functionName.replace(/[^!-:<-~]/g, '_').slice(0, longestName) || '(anonymous)';
  return url === '' ? name : `${name} ${fileName(url)}:${lineNumber + 1}`.replaceAll(' ', '@');
}

/** `runtime/…`, `node:…` or `node_modules/<package>`; all else is told apart no further. */
function fileName(url: string): string {
  if (/^node:[\w/]+$/.test(url)) return url;
  const inside = url.startsWith(project) ? url.slice(project.length) : url;
  const [, installed] = /.*node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)/.exec(inside) ?? [];
  if (installed !== undefined) return `node_modules/${installed.replace('\\', '/')}`;
  return inside !== url && /^[\w./-]+$/.test(inside) ? inside : '(elsewhere)';
}
