import type { Operation } from '#contract/operation';
import { isSecretName, secretIn } from '#contract/secret-values';

const longestValue = 300;
const mostArguments = 20;
const longestSummary = 4000;
/** More than that is not even looked through for secrets: only its beginning is shown anyway. */
const longestScan = 10_000;

/** Say in plain words what a call will do; whoever wrote its arguments gets no say in how that looks. */
export function summaryOf(
  { name, title, description }: Operation,
  args: Readonly<Record<string, unknown>>,
): string {
  const given = Object.entries(args);
  const lines = given.slice(0, mostArguments).map(argumentLine);
  const more = given.length - lines.length;
  return [
    `Run ${title === undefined ? name : `"${title}" (${name})`}?`,
    ...(description === undefined ? [] : [plain(description)]),
    lines.length > 0 ? 'It is called with:' : 'It is called without arguments.',
    ...lines,
    ...(more > 0 ? [`and ${more} more arguments`] : []),
  ]
    .join('\n')
    .slice(0, longestSummary)
    .toWellFormed();
}

/** One line that shows what is there: what cannot be seen, or turns the reading around, is marked. */
export function plain(text: string, most = longestValue): string {
  const marked = text
    .slice(0, most)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, '\uFFFD');
  const cut = text.length - most;
  return `${marked.toWellFormed()}${cut > 0 ? ` … (${cut} more characters)` : ''}`;
}

function argumentLine([name, value]: readonly [string, unknown]): string {
  return `- ${plain(name, 64)}: ${isSecretName(name) ? hidden : valueText(value)}`;
}

const hidden = '(not shown: a secret)';

function valueText(value: unknown): string {
  const text = JSON.stringify(value, (key, member) => (isSecretName(key) ? hidden : member)) ?? '';
  const secret = secretIn(text.slice(0, longestScan));
  // To whom something goes is the very thing to look at.
  return secret === undefined || secret === 'an e-mail address' ? plain(text) : hidden;
}
