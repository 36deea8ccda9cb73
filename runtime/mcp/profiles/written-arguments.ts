import { isObject, mostLevels, nestedDeeperThan } from '#contract/json';
import { shown } from './rule-words.ts';

/** Collects what is wrong with arguments, and where. */
export class Report {
  readonly problems: string[] = [];
  #place = '';

  /** Take down a problem at the place that is being read. */
  add(problem: string): void {
    this.problems.push(`${this.#place || 'the arguments'}: ${problem}`);
  }

  /** Read a part of the arguments. */
  within<Result>(step: string | number, read: () => Result): Result {
    const place = this.#place;
    if (typeof step === 'number') this.#place = `${place}[${step}]`;
    else this.#place = place === '' ? step : `${place}.${step}`;
    try {
      return read();
    } finally {
      this.#place = place;
    }
  }
}

/** Turns a value of a client's form into the exact form; what it cannot read goes on as it is. */
export type Decode = (value: unknown, report: Report) => unknown;

/** Read JSON text. What is no text is taken for what the text would say. */
export const decodeText: Decode = (value, report) => {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    if (!nestedDeeperThan(read, mostLevels)) return read;
    report.add(`its JSON text is nested deeper than ${mostLevels} levels`);
  } catch (error) {
    const { message } = error as SyntaxError;
    report.add(`must be JSON text, but ${shown(value)} was given (${message.slice(0, 100)})`);
  }
  return value;
};

/** How each property of an object is read; absent names stay as they are. */
export type PropertyDecodes = ReadonlyMap<
  string,
  { readonly optional: boolean; readonly decode?: Decode | undefined }
>;

/** Read an object in which null says that an optional property is left out. */
export function decodeObjectWith(properties: PropertyDecodes): Decode | undefined {
  const isSame = [...properties.values()].every(({ optional, decode }) => !optional && !decode);
  if (isSame) return undefined;
  return (value, report) => {
    if (!isObject(value)) return value;
    const entries: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name);
      if (member === null && property?.optional) continue;
      const decode = property?.decode;
      entries.push([name, decode ? report.within(name, () => decode(member, report)) : member]);
    }
    // Unlike an assignment, this gives an object a member called __proto__.
    return Object.fromEntries(entries);
  };
}

/** Read each member of an array. */
export function decodeMembersWith(decode: Decode): Decode {
  return (value, report) => {
    if (!Array.isArray(value)) return value;
    return value.map((member, index) => report.within(index, () => decode(member, report)));
  };
}
