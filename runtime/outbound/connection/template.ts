import type { Environment } from '../call/options.ts';

/** A text whose placeholders are filled, or the name of the one that has no value. */
export type Filled =
  | { readonly text: string; readonly missing?: undefined }
  | { readonly text?: undefined; readonly missing: string };

/** Fill `{env:NAME}` from the environment and `{word}` from `words`; other braces stay. */
export function fillTemplate(
  template: string,
  { env, words = {} }: { env: Environment; words?: Readonly<Record<string, string>> },
): Filled {
  let missing: string | undefined;
  const text = template.replace(/\{(?:env:([A-Z0-9_]+)|([a-z_]+))\}/g, (whole, name, word) => {
    if (name === undefined) return Object.hasOwn(words, word) ? (words[word] ?? whole) : whole;
    const value = env[name];
    if (value === undefined || value === '') missing ??= name;
    return value ?? '';
  });
  return missing === undefined ? { text } : { missing };
}
