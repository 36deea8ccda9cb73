import type { JsonPath } from '#contract/json';
import { updateAt } from './json/json-edit.ts';

/** Copy items with the HTML at each of `paths` turned into Markdown, all of it in one go. */
export async function fieldsInMarkdown(
  items: readonly unknown[],
  paths: readonly JsonPath[],
  toMarkdown: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly unknown[]> {
  const html = [...new Set(items.flatMap((item) => textsAt(item, paths)))];
  const markdown = await toMarkdown(html);
  const converted = new Map(html.map((text, index) => [text, markdown[index]]));
  const convert = (found: unknown) =>
    typeof found === 'string' ? (converted.get(found) ?? '') : found;
  return items.map((item) => paths.reduce((all, path) => updateAt(all, path, convert), item));
}

/** All texts that stand at `paths`, in the order in which `updateAt` visits them. */
function textsAt(value: unknown, paths: readonly JsonPath[]): string[] {
  const texts: string[] = [];
  const collect = (found: unknown) => {
    if (typeof found === 'string') texts.push(found);
    return found;
  };
  for (const path of paths) updateAt(value, path, collect);
  return texts;
}
