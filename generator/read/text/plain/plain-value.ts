const words: Readonly<Record<string, boolean | null>> = {
  ...{ null: null, Null: null, NULL: null, '~': null },
  ...{ true: true, True: true, TRUE: true, false: false, False: false, FALSE: false },
};
const smallInteger = /^-?(?:0|[1-9]\d{0,14})$/;
/** Every other number of the core schema (YAML 1.2.2, section 10.3.2), and texts that look like one. */
const otherNumber = /^[-+]?(?:0[xo][\da-fA-F]+|[\d.]+(?:[eE][-+]?\d+)?|\.(?:inf|nan))$/i;

/** What a scalar without quotes is; `undefined` for a number that is not simply one. */
export function plainValue(text: string): string | number | boolean | null | undefined {
  const word = Object.hasOwn(words, text) ? words[text] : undefined;
  if (word !== undefined) return word;
  if (smallInteger.test(text)) return Number(text);
  return otherNumber.test(text) ? undefined : text;
}
