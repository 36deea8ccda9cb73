import { createHmac, randomInt } from 'node:crypto';
import { isSame, keyedHash } from '../secrets/keyed-hash.ts';

/** Without vowels, and without what looks like something else (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

interface Style {
  readonly alphabet: string;
  readonly length: number;
  /** Characters between two dashes. */
  readonly group: number;
}

/** 34.5 bits, or what some agents and people are used to: 19.9. */
const styles = {
  letters: { alphabet: letters, length: 8, group: 4 },
  digits6: { alphabet: '0123456789', length: 6, group: 6 },
} as const satisfies Record<string, Style>;

export type CodeStyle = keyof typeof styles;

/** The two codes of an attempt: one that its agent has, and one that the page shows. */
export interface Codes {
  /** A new code for the agent, as it is shown. */
  make(): string;
  /** As what the code of the agent is kept. */
  hash(attempt: string, code: string): string;
  /** Whether a person has entered the code of the agent. */
  isTyped(attempt: { readonly id: string; readonly typedCode: string }, code: string): boolean;
  /** The code that the page shows: always the same for an attempt, and kept nowhere. */
  readback(attempt: string): string;
  isReadback(attempt: string, code: string): boolean;
}

/** Make the codes of one style. `key` gives 32 bytes when they are first needed. */
export function createCodes(style: CodeStyle, key: () => Buffer): Codes {
  const { alphabet, length, group } = styles[style];
  // Upper case, and nothing but the alphabet: people add spaces and dashes.
  const plain = (code: string) =>
    [...code.toUpperCase()].filter((each) => alphabet.includes(each)).join('');
  const shown = (code: string) => code.replaceAll(new RegExp(`(.{${group}})(?=.)`, 'g'), '$1-');
  const hash = (attempt: string, code: string) =>
    keyedHash(key(), 'typed code', attempt, plain(code));
  const readback = (attempt: string) => {
    const digest = createHmac('sha256', key()).update(`readback code ${attempt}`).digest('hex');
    let rest = BigInt(`0x${digest}`);
    let code = '';
    for (let at = 0; at < length; at++) {
      code += alphabet[Number(rest % BigInt(alphabet.length))];
      rest /= BigInt(alphabet.length);
    }
    return shown(code);
  };
  return {
    make: () => shown(Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')),
    hash,
    isTyped: ({ id, typedCode }, code) => isSame(hash(id, code), typedCode),
    readback,
    isReadback: (attempt, code) =>
      isSame(
        keyedHash(key(), 'compare', plain(readback(attempt))),
        keyedHash(key(), 'compare', plain(code)),
      ),
  };
}
