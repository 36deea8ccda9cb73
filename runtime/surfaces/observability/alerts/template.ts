/** What a text of a rule is filled in with. */
export interface AlertValues {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
}

const placeholder =
  /\{\{-?\s*(?:\$labels\.([a-zA-Z_][a-zA-Z0-9_]*)|\$value)\s*(?:\|\s*(humanize|humanizePercentage)\s*)?-?\}\}/g;

/** More of an annotation is cut off. */
const longestText = 2000;

/**
 * Fill the labels and the value in (Prometheus, template reference), as such or humanized. What
 * else a template can do is left as it was written.
 */
export function expand(template: string, { labels, value }: AlertValues): string {
  const text = template.replace(placeholder, (_, label?: string, form?: string) => {
    const filled = label === undefined ? value : (labels[label] ?? '');
    if (form === 'humanizePercentage') return percentage(filled);
    return form === undefined ? filled : humanized(filled);
  });
  return text.slice(0, longestText);
}

/** Fill in the same everywhere. */
export function expandAll(
  templates: Readonly<Record<string, string>>,
  values: AlertValues,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(templates).map(([name, text]) => [name, expand(text, values)]),
  );
}

/** The same of a rule that holds for nothing, which has neither labels nor a value. */
export function unfilled(
  templates: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(templates).map(([name, text]) => [name, text.replace(placeholder, '…')]),
  );
}

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
const fractions = ['', 'm', 'u', 'n', 'p', 'f', 'a', 'z', 'y'];

/** Four digits with a metric prefix, as Prometheus writes them. */
function humanized(text: string): string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  if (number === 0) return '0';
  const size = Math.abs(number);
  const names = size >= 1 ? prefixes : fractions;
  const steps = size >= 1 ? Math.log10(size) / 3 : -Math.log10(size) / 3;
  // A fraction takes the first prefix with which it is 1 or more.
  const wanted = size >= 1 ? Math.floor(steps) : Math.ceil(steps);
  const step = Math.min(wanted, names.length - 1);
  const scaled = size >= 1 ? number / 1000 ** step : number * 1000 ** step;
  return `${fourDigits(scaled)}${names[step] ?? ''}`;
}

function percentage(text: string): string {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? text : `${fourDigits(number * 100)}%`;
}

function fourDigits(number: number): string {
  return String(Number(number.toPrecision(4)));
}
