import type { Profile, ProfileNode } from '../answers/rows.ts';

interface Stack {
  readonly name: string;
  readonly children: Map<string, Stack>;
  self: number;
  total: number;
}

/** Add up equal stacks; the profiles must be of one type, and so of one unit. */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  const [only] = profiles;
  if (only !== undefined && profiles.length === 1) return only;
  const root: Stack = { name: '', children: new Map(), self: 0, total: 0 };
  for (const profile of profiles) addTo(root, profile);
  return flat(
    root,
    profiles.reduce((sum, { total }) => sum + total, 0),
  );
}

function addTo(root: Stack, { names, nodes }: Profile): void {
  const stacks = new Map<number, Stack>();
  for (const { id, parent, name, self, total } of nodes) {
    const above = parent === null ? root : stacks.get(parent);
    if (above === undefined) continue;
    const text = names[name] ?? '';
    const stack = above.children.get(text) ?? {
      name: text,
      children: new Map(),
      self: 0,
      total: 0,
    };
    stack.self += self;
    stack.total += total;
    above.children.set(text, stack);
    stacks.set(id, stack);
  }
}

function flat(root: Stack, total: number): Profile {
  const places = new Map<string, number>();
  const nodes: ProfileNode[] = [];
  const waiting = [...root.children.values()].map((stack) => ({
    stack,
    parent: null as number | null,
  }));
  for (const { stack, parent } of waiting) {
    const name = places.get(stack.name) ?? places.size;
    places.set(stack.name, name);
    const id = nodes.length;
    nodes.push({ id, parent, name, self: stack.self, total: stack.total });
    for (const child of stack.children.values()) waiting.push({ stack: child, parent: id });
  }
  return { total, names: [...places.keys()], nodes };
}
