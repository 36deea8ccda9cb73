import { LinearPattern } from '../pattern/linear-pattern.ts';
import type { Words } from './scanner.ts';

/** A condition on one label. What has no such label has it empty. */
export interface Matcher {
  readonly label: string;
  readonly sign: '=' | '!=' | '=~' | '!~';
  readonly value: string;
  readonly holds: (value: string) => boolean;
}

/** Make a condition; regular expressions have to match the whole of a value. */
export function matcher(label: string, sign: Matcher['sign'], value: string): Matcher {
  return { label, sign, value, holds: holdsFor(sign, value) };
}

function holdsFor(sign: Matcher['sign'], value: string): (found: string) => boolean {
  if (sign === '=') return (found) => found === value;
  if (sign === '!=') return (found) => found !== value;
  const pattern = new LinearPattern(value, true);
  return sign === '=~' ? (found) => pattern.test(found) : (found) => !pattern.test(found);
}

const signs = ['=', '!=', '=~', '!~'] as const;

/** Conditions in braces, which lie before the words. */
export function readMatchers(words: Words): readonly Matcher[] {
  words.expect('{');
  const found: Matcher[] = [];
  while (!words.is('}')) {
    const label = words.kind('name', 'the name of a label').text;
    const sign = signs.find((each) => words.is(each));
    if (sign === undefined) throw words.wrong('one of = != =~ !~ is expected');
    words.take();
    found.push(matcher(label, sign, words.kind('string', 'a value in quotes').text));
    if (!words.skip(',')) break;
  }
  words.expect('}');
  return found;
}

/** Whether labels meet all conditions. */
export function meets(
  labels: Readonly<Record<string, string>>,
  matchers: readonly Matcher[],
): boolean {
  return matchers.every(({ label, holds }) => holds(labels[label] ?? ''));
}
