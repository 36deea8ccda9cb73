import { isObject } from '#contract/json';
import { isSecretName } from '#contract/secret-values';
import { maskOf, visibleString } from './visible-text.ts';

/** Text that is longer than a person can be shown. */
export class TooLong extends Error {}

/** What fits stands on one line. */
const lineCharacters = 72;
/** Beyond that, members are no longer moved to the right. */
const mostIndent = 12;
/** A name that the caller made up hides nothing that could be a sentence. */
const secretForm = /^\S{0,512}$/;

interface Place {
  readonly name: string;
  /** The same after the name of what it stands in, which may be what tells a secret. */
  readonly path: string;
  /** Whether the spec of the tool says that name. */
  readonly isDeclared: boolean;
}

/**
 * Show the value of an argument, whole, as JSON in lines; in a line stands nothing that its writer
 * could have made look like another one.
 *
 * @throws TooLong when it has more than `most` characters
 */
export function shownValue(
  name: string,
  value: unknown,
  isDeclared: boolean,
  most: number,
): string {
  const writer = new Writer(most);
  writer.write(value, { name, path: name, isDeclared }, 0);
  return writer.text;
}

class Writer {
  text = '';
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  write(value: unknown, place: Place, level: number): void {
    if (Array.isArray(value)) {
      if (value.length > this.#most) throw new TooLong();
      const members = value.map((member) => ({ lead: '', member, place }));
      this.#list('[', members, ']', level);
    } else if (isObject(value)) {
      const members = Object.entries(value).map(([key, member]) => ({
        lead: `"${this.#string(key)}": `,
        member,
        place: { name: key, path: `${place.name}_${key}`, isDeclared: false },
      }));
      this.#list('{', members, '}', level);
    } else this.#add(this.#scalar(value, place));
  }

  #list(
    open: string,
    members: readonly { lead: string; member: unknown; place: Place }[],
    close: string,
    level: number,
  ): void {
    const start = this.text.length;
    const newLine = `\n${'  '.repeat(Math.min(level, mostIndent))}`;
    this.#add(open);
    for (const [index, { lead, member, place }] of members.entries()) {
      this.#add(`${index > 0 ? ',' : ''}${newLine}  ${lead}`);
      this.write(member, place, level + 1);
    }
    this.#add(members.length > 0 ? newLine + close : close);
    const line = this.text.slice(start).replaceAll(/\n */g, ' ');
    if (line.length <= lineCharacters) this.text = this.text.slice(0, start) + line;
  }

  #add(text: string): void {
    this.text += text;
    if (this.text.length > this.#most) throw new TooLong();
  }

  #scalar(value: unknown, place: Place): string {
    // JSON text can bring numbers that JSON has no text for (1e400).
    if (typeof value !== 'string') return String(value);
    if (isHidden(value, place)) return maskOf({ start: 0, end: value.length, what: 'a secret' });
    // A number is an amount or an id rather than a card, unless its name says so.
    const isNumber = /^\d{1,40}$/.test(value) && !/card|pan$/i.test(place.path);
    return isNumber ? `"${value}"` : `"${this.#string(value)}"`;
  }

  /** What is too long is not even looked through. */
  #string(text: string): string {
    if (this.text.length + text.length > this.#most) throw new TooLong();
    return visibleString(text);
  }
}

function isHidden(value: string, { name, path, isDeclared }: Place): boolean {
  if (value === '' || !(isSecretName(name) || isSecretName(path))) return false;
  return isDeclared || secretForm.test(value);
}
