import type { Survey } from '../../draft/draft-curation.ts';
import { heldReason } from '../choose-operations.ts';

/** Operations that are not on by themselves for one reason. */
export interface HeldBack {
  /** What they do, behind their number: "make a credential". */
  readonly what: string;
  /** Names of their tools, in the order of the description. */
  readonly names: readonly string[];
}

/** What marks say of one operation, and how several are told together. */
const kinds: readonly (readonly [mark: RegExp, what: string])[] = [
  [/^it is how people log in/, 'log people in or out'],
  [/^it is how people join/, 'let people join, or prove who they are'],
  [/^it (?:gives|makes) a credential/, 'make a credential'],
  [/^it shows credentials/, 'show credentials'],
  [/^it may spend money/, 'may spend money'],
  [/^it may reach many people/, 'may reach many people at once'],
  [/^it (?:calls somebody|sends a message)/, 'reach somebody at a cost'],
  [/^it gives rights/, 'give rights'],
  [/^it lets somebody in/, 'let somebody in'],
  [/^it runs what/, 'run what their caller has written'],
  [/^it runs software/, 'run software or builds of it'],
  [/^it sends a command/, 'send a command to a device'],
  [/^it brings in/, 'bring in many things at once'],
  [/^it signs in the name/, 'sign in the name of somebody'],
  [/^it asks somebody to pay/, 'ask somebody to pay'],
  [/^it sends what happens/, 'have what happens sent to an address'],
  [/^it changes which software/, 'change which software runs'],
  [/^it decides/, 'decide what waits for a person'],
  [/^it (?:resets|stops)/, 'stop or reset what others may rely on'],
];

const takingAway = 'take something away';

/** Count what a person has to switch on, by what it does: what is off for want of room is not among it. */
export function heldTogether({ natures, names, asides, twins }: Survey): readonly HeldBack[] {
  const found = natures.flatMap((nature, index) => {
    const name = names[index];
    if (name === undefined || twins.has(nature) || nature.deprecated) return [];
    const mark = asides.get(nature) ?? heldReason(nature) ?? '';
    const told = kinds.find(([pattern]) => pattern.test(mark))?.[1];
    const what = told ?? (nature.destroys ? takingAway : undefined);
    return what === undefined ? [] : [{ what, name }];
  });
  const whats = [...kinds.map(([, what]) => what), takingAway];
  return whats.flatMap((what) => {
    const own = found.filter((each) => each.what === what).map(({ name }) => name);
    return own.length === 0 ? [] : [{ what, names: own }];
  });
}
