/** What a change of a signature does to callers, in words. */
export interface SignatureChange {
  readonly narrowed: string[];
  readonly widened: string[];
}

/** Compare what an argument allowed with what it allows now. */
export function compareSignatures(before: string, after: string): SignatureChange {
  const [old, now] = [parse(before), parse(after)];
  const change: SignatureChange = { narrowed: [], widened: [] };
  if (now.required && !old.required) change.narrowed.push('is required now');
  if (old.required && !now.required) change.widened.push('may be left out now');
  const [gone, added] = [lost(old.types, now.types), lost(now.types, old.types)];
  if (gone.length > 0) change.narrowed.push(`no longer takes ${gone.join(', ')}`);
  if (added.length > 0) change.widened.push(`takes ${added.join(', ')} too`);
  compareValues(old.values, now.values, change);
  for (const mark of new Set([...old.facets.keys(), ...now.facets.keys()])) {
    compareFacet(mark, [old.facets.get(mark), now.facets.get(mark)], change);
  }
  return change;
}

interface Parsed {
  readonly required: boolean;
  readonly types: readonly string[];
  readonly facets: ReadonlyMap<string, string>;
  readonly values?: readonly unknown[];
}

function parse(signature: string): Parsed {
  const [, head = '', listed] = /^(.*?)(?: in (\[.*\]))?$/s.exec(signature) ?? [];
  const [type = '', ...facets] = head.split(' ');
  const values: unknown = listed === undefined ? undefined : JSON.parse(listed);
  return {
    required: type.endsWith('!'),
    types: type.replace('!', '').split('|'),
    facets: new Map(
      facets.map((facet) => {
        const [, mark = facet, value = ''] = /^(.*?(?:[<>]=?|#))(.*)$/.exec(facet) ?? [];
        return [mark, value];
      }),
    ),
    ...(Array.isArray(values) && { values }),
  };
}

/** The types of `from` that `to` does not take; a number is any integer, anything is all. */
function lost(from: readonly string[], to: readonly string[]): string[] {
  if (to.includes('any')) return [];
  const taken = new Set([...to, 'nothing', ...(to.includes('number') ? ['integer'] : [])]);
  return from.filter((type) => !taken.has(type));
}

function compareValues(
  old: Parsed['values'],
  now: Parsed['values'],
  { narrowed, widened }: SignatureChange,
): void {
  if (old === undefined && now === undefined) return;
  if (old === undefined) narrowed.push('takes only listed values now');
  else if (now === undefined) widened.push('takes any value now');
  else {
    const texts = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));
    const [before, after] = [texts(old), texts(now)];
    const gone = before.filter((value) => !after.includes(value));
    const added = after.filter((value) => !before.includes(value));
    if (gone.length > 0) narrowed.push(`no longer takes ${gone.join(', ')}`);
    if (added.length > 0) widened.push(`takes ${added.join(', ')} too`);
  }
}

function compareFacet(
  mark: string,
  [old, now]: readonly [string | undefined, string | undefined],
  { narrowed, widened }: SignatureChange,
): void {
  if (old === now) return;
  const isOpaque = mark.endsWith('#');
  const named = (value: string | undefined) => (isOpaque ? mark.slice(0, -1) : mark + value);
  if (now === undefined) widened.push(`is no longer limited by ${named(old)}`);
  else if (old === undefined) narrowed.push(`is limited by ${named(now)} now`);
  else if (isOpaque) narrowed.push(`has another ${named(now)}`);
  else {
    const isTighter = mark.includes('>') ? Number(now) > Number(old) : Number(now) < Number(old);
    (isTighter ? narrowed : widened).push(`allows ${mark}${now}, not ${mark}${old}`);
  }
}
