import { longestPreference } from '../numbers.ts';

/** A way to pay, as MPP names it. */
export interface Way {
  readonly method: string;
  readonly intent: string;
}

interface Preference extends Way {
  readonly weight: number;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const entry = new RegExp(`^(${token})/(${token})((?:[ \\t]*;[ \\t]*${token}=${token})*)$`);
const weightForm = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The ways that a client takes, best first, as its header `Accept-Payment` says
 * (draft-httpauth-payment-00), such as `evm/charge, stripe/charge;q=0.5`. All of them, as they are,
 * where it takes none of them, or its header cannot be read.
 */
export function acceptedWays<Offered extends Way>(
  header: string | readonly string[] | undefined,
  offered: readonly Offered[],
): readonly Offered[] {
  const preferences = header === undefined ? undefined : preferencesIn(String(header));
  if (preferences === undefined) return offered;
  const accepted = offered
    .map((way) => ({ way, weight: weightOf(way, preferences) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ way }) => way);
  return accepted.length > 0 ? accepted : offered;
}

function preferencesIn(header: string): readonly Preference[] | undefined {
  if (header.length > longestPreference) return undefined;
  const found: Preference[] = [];
  for (const text of header.split(',').map((part) => part.trim())) {
    if (text === '') continue;
    const [, method = '', intent = '', parameters = ''] = entry.exec(text) ?? [];
    const [weight = '1', ...others] = [...parameters.matchAll(/;[ \t]*q=([^; \t]*)/gi)].map(
      ([, value = '']) => value,
    );
    if (method === '' || others.length > 0 || !weightForm.test(weight)) return undefined;
    found.push({ method, intent, weight: Number(weight) });
  }
  return found.length > 0 ? found : undefined;
}

/** What names a way more exactly counts before what names many (RFC 9110 section 12.5.1). */
function weightOf({ method, intent }: Way, preferences: readonly Preference[]): number {
  const exactness = (each: Way) => Number(each.method !== '*') * 2 + Number(each.intent !== '*');
  const [best] = preferences
    .filter(
      (each) =>
        (each.method === '*' || each.method === method) &&
        (each.intent === '*' || each.intent === intent),
    )
    .toSorted((one, other) => exactness(other) - exactness(one) || other.weight - one.weight);
  return best?.weight ?? 0;
}
