import { isObject, mostLevels } from '#contract/json';
import { deeper, mostValues, sizeOfJson } from '#contract/text/json-size';
import { shown } from './rule-words.ts';

const mostProblems = 10;

/** Collects what is wrong with arguments, and where. */
export class Report {
  /** The first ones: there could be one for each value. */
  readonly problems: string[] = [];
  /** All of them. */
  count = 0;
  #place = '';
  #room = mostValues;

  /** Take down a problem at the place that is being read. */
  add(problem: string): void {
    this.count += 1;
    if (this.count > mostProblems) return;
    this.problems.push(`${this.#place || 'the arguments'}: ${problem}`);
  }

  /** Make room for the values of one more text, unless all texts together would hold too many. */
  admits(text: string): boolean {
    const { values, levels } = sizeOfJson(text, { values: this.#room, levels: mostLevels });
    const isDeep = levels > mostLevels;
    const isHere = !isDeep && values <= this.#room;
    if (isDeep) this.add(`its JSON text ${deeper}`);
    else if (!isHere) this.add(`with it, JSON texts hold more than ${mostValues} values`);
    else this.#room -= values;
    return isHere;
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
  if (!report.admits(value)) return value;
  try {
    return JSON.parse(value);
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
