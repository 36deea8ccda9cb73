import type { DriftChange } from './drift-change.ts';

/**
 * One change for each cause: what a component, a server or a credential says otherwise is the same
 * change for every tool that it concerns, told once, at the first of them.
 */
export function byCause(changes: readonly DriftChange[]): readonly DriftChange[] {
  const groups = new Map<string, DriftChange[]>();
  for (const change of changes) {
    const { kind, file, line, column, text, breaks, curated } = change;
    // Whatever is not known for want of one thing is told once.
    const what = kind === 'unread' ? '' : causeOf(text);
    const key = [kind, file, line, column, breaks, curated, what].join(' ');
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()].flatMap((group): DriftChange[] => {
    const [first] = group;
    const tools = [...new Set(group.map(({ tool }) => tool))];
    if (!first) return [];
    return tools.length > 1 ? [{ ...first, tools }] : [first];
  });
}

/** What a text says of a place, without the way that leads there. */
export function causeOf(text: string): string {
  return text.replace(/^\S*[/\]}]/, '');
}
