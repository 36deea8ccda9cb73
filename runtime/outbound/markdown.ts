import type { JsonPath } from '#contract/json';
import { updateAt } from './json-edit.ts';
import { unreadable } from './unusable-answer.ts';

/** HTML beyond this is cut before it is converted, which takes time in proportion. */
const longestHtml = 1024 * 1024;

let converter: Promise<(html: string) => string> | undefined;

/** Turn HTML into Markdown. */
export async function toMarkdown(html: string): Promise<string> {
  converter ??= loadConverter();
  const convert = await converter;
  try {
    return convert(html.slice(0, longestHtml));
  } catch {
    // Elements nested deeper than the stack reaches.
    throw unreadable('its HTML cannot be turned into Markdown');
  }
}

/** Copy `value` with the HTML at each of `paths` turned into Markdown. */
export async function fieldsToMarkdown(
  value: unknown,
  paths: readonly JsonPath[],
): Promise<unknown> {
  converter ??= loadConverter();
  const convert = await converter;
  let result = value;
  for (const path of paths) {
    result = updateAt(result, path, (found) =>
      typeof found === 'string' ? convert(found.slice(0, longestHtml)) : found,
    );
  }
  return result;
}

async function loadConverter(): Promise<(html: string) => string> {
  const { default: TurndownService } = await import('turndown');
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.remove(['script', 'style', 'noscript', 'template', 'title']);
  return (html) => service.turndown(html);
}
