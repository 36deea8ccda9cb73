import { ToolError } from '../errors.ts';

/** What a member of an exploded object may be: of objects within it, no style says anything. */
type Member = string | number | boolean | null | undefined | readonly unknown[];

/**
 * The members of exploded objects (style form), which stand in a query each under its own name: it has one place for
 * each, so that none is lost behind another.
 *
 * @param objects by the names of their arguments
 * @param named the parameters that stand beside them
 * @throws ToolError `invalid_arguments` for a member whose place is taken
 */
export function exploded(
  objects: Readonly<Record<string, Readonly<Record<string, Member>> | null | undefined>>,
  named: readonly string[] = [],
): Readonly<Record<string, Member>> {
  const owners = new Map<string, string>();
  const members: [string, Member][] = [];
  for (const [argument, object] of Object.entries(objects)) {
    for (const [name, value] of Object.entries(object ?? {})) {
      if (value === undefined || value === null) continue;
      requireFree(name, { argument, owner: owners.get(name), isNamed: named.includes(name) });
      owners.set(name, argument);
      members.push([name, value]);
    }
  }
  return Object.fromEntries(members);
}

interface Claim {
  readonly argument: string;
  readonly owner: string | undefined;
  readonly isNamed: boolean;
}

function requireFree(name: string, { argument, owner, isNamed }: Claim): void {
  if (owner === undefined && !isNamed) return;
  const [shown, here] = [name.slice(0, 80), argument].map((text) => JSON.stringify(text));
  const place = owner === undefined ? 'the parameter of that name' : JSON.stringify(owner);
  throw new ToolError(
    'invalid_arguments',
    `expected each member once, but ${shown} was given in ${here}, whose members stand beside ${place} in the request, where there is one place for ${shown}`,
    { retryable: false },
  );
}
