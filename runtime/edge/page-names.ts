import type { Collected } from '#contract/telemetry/browser-gate';
import { isMembers, type Members, textOf } from './faro.ts';

/** What this server calls itself, and where it tells of refusals. */
export const ownServices = ['agent-tool-server', 'service-guard'] as const;

/** What a page is called that calls itself by a name that is not its own. */
const pageName = 'browser';

/** The lists of OTLP in JSON; another spelling of them would be read by some receivers as well. */
const lists = {
  traces: 'resourceSpans',
  logs: 'resourceLogs',
  metrics: 'resourceMetrics',
} as const;
const faroMembers = ['meta', 'logs', 'exceptions', 'events', 'measurements', 'traces'];

/** Gives what a page has sent, in which it does not call itself by a name of the server. */
export type Renamed = (kind: Collected['kind'], payload: Members) => Members;

/**
 * Keep pages from speaking as the server itself, however they spell its name: wherever their telemetry
 * goes, it is told from that of the server by the name of its service.
 *
 * @param names of the server
 * @param project what a page without a name is called
 */
export function createRenamer(names: readonly string[], project: string): Renamed {
  const own = names.map(lettersOf);
  const isOwn = (name: string) => {
    const letters = lettersOf(name);
    return own.some((each) => resembles(letters, each));
  };
  const unnamed = isOwn(project) ? pageName : undefined;

  const otlp = (signal: keyof typeof lists, payload: Members): Members => {
    const list = payload[lists[signal]];
    return { [lists[signal]]: Array.isArray(list) ? list.map(renamedResource) : list };
  };
  const renamedResource = (item: unknown): unknown => {
    const resource = isMembers(item) ? item['resource'] : undefined;
    if (!isMembers(item) || !isMembers(resource)) return item;
    const { attributes } = resource;
    if (!Array.isArray(attributes)) return item;
    return { ...item, resource: { ...resource, attributes: attributes.map(renamedAttribute) } };
  };
  /** The name is a string, and in one spelling of its member: all others become that. */
  const renamedAttribute = (attribute: unknown): unknown => {
    if (!isMembers(attribute) || attribute['key'] !== 'service.name') return attribute;
    const { value } = attribute;
    const said = isMembers(value) ? textOf(value['stringValue']) : '';
    return { key: 'service.name', value: { stringValue: isOwn(said) ? pageName : said } };
  };
  const faro = (payload: Members): Members => {
    const known = Object.fromEntries(
      Object.entries(payload).filter(([name]) => faroMembers.includes(name)),
    );
    const { meta, traces } = known;
    const about = isMembers(meta) ? withoutTwins(meta, 'app') : {};
    const app = isMembers(about['app']) ? withoutTwins(about['app'], 'name') : {};
    const said = textOf(app['name']);
    const name = isOwn(said) ? pageName : said || unnamed;
    return {
      ...known,
      ...(isMembers(meta) || name === pageName
        ? { meta: { ...about, app: { ...app, ...(name !== undefined && { name }) } } }
        : {}),
      ...(isMembers(traces) && { traces: otlp('traces', traces) }),
    };
  };
  return (kind, payload) => (kind === 'faro' ? faro(payload) : otlp(kind, payload));
}

/** Without members that are the same to a receiver that heeds no case. */
function withoutTwins(members: Members, name: string): Members {
  const isTwin = (other: string) => other !== name && other.toLowerCase() === name;
  return Object.fromEntries(Object.entries(members).filter(([other]) => !isTwin(other)));
}

/** Letters that are drawn as one of ASCII is, and that one. */
const drawnAlike: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'l', i: 'l', '|': 'l' },
  ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'l', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o' },
  ...{ р: 'p', ԛ: 'q', ѕ: 's', т: 't', ѵ: 'v', ԝ: 'w', х: 'x', у: 'y' },
  ...{ α: 'a', ε: 'e', ι: 'l', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
};

/** The letters of a name without what two spellings of it differ in. */
function lettersOf(name: string): readonly string[] {
  const shown = name.normalize('NFKD').toLowerCase();
  const letters = shown.replace(/[^\p{L}\p{N}|]|\p{Default_Ignorable_Code_Point}/gu, '');
  return Array.from(letters, (letter) => drawnAlike[letter] ?? letter);
}

/** A letter outside ASCII passes for any, but in a name that has no Latin letter at all. */
function resembles(letters: readonly string[], own: readonly string[]): boolean {
  if (letters.length !== own.length) return false;
  const hasLatin = letters.some((letter) => /\p{Script=Latin}/u.test(letter));
  const passes = (letter: string) => hasLatin && letter > '\u007f';
  return letters.every((letter, place) => letter === own[place] || passes(letter));
}
