import type { CuratedAuth, CuratedOperation } from '../model/shape/curation.ts';
import { demandedBeside } from '../model/vendor/provider-settings.ts';
import type { CuratedRequests } from './draft/draft-files.ts';

/** Credentials of single operations, and parts of one, that are told one by one. */
const mostSteps = 10;

/**
 * What has to be set before the first call: all that the vendor demands together.
 *
 * @param note what there is to know of the usual credential
 */
export function credentialStep(
  { auth, headers, query, operations }: CuratedRequests,
  note?: string,
): string {
  const [first] = auth;
  const usual = first?.env?.[0];
  const isTaken = (entry: CuratedAuth) =>
    entry.env?.includes(usual ?? '') && demandedBeside(entry).every((name) => name === usual);
  const others = auth.filter((entry) => entry.default === false && !isTaken(entry));
  const all = others.flatMap((entry) => ownStep(entry, operations, usual));
  const left = all.length - mostSteps;
  const used =
    left > 1 ? [...all.slice(0, mostSteps), `And ${left} more, as curation.yaml has them.`] : all;
  if (first === undefined || usual === undefined) {
    const most = used.length === 0 ? 'No credential is needed.' : 'Most need no credential.';
    return [note === undefined ? most : sentenceOf(note), ...used].join('\n     ');
  }
  // A plain key needs no more words; how a token is come by does, and what a vendor calls a pair.
  const isTold = first.type === 'bearer' || (isPair(first) && !note?.includes(plainPair));
  const told = isTold && note !== undefined ? [`${note}.`] : [];
  return [`Set ${settingOf(first, { headers, query })}.`, ...told, ...used].join('\n     ');
}

function ownStep(
  entry: CuratedAuth,
  operations: readonly CuratedOperation[],
  usual: string | undefined,
): string[] {
  const takers = operations.filter(({ auth = [] }) => auth.includes(entry.id ?? ''));
  const [first, ...more] = takers.map(({ name }) => name);
  if (first === undefined || entry.env?.[0] === undefined) return [];
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  const besides = demandedBeside(entry).filter((name) => name !== usual);
  const setting =
    entry.env[0] === usual ? `${joined(besides)} to what belongs to it` : settingOf(entry, entry);
  return [`Set ${setting}, for ${first}${rest}.`];
}

/** The two parts of Basic authentication (RFC 7617, section 2). */
const plainPair = 'user:password';

function isPair({ type, format }: CuratedAuth): boolean {
  return type === 'basic' && format === '{token}';
}

function settingOf(entry: CuratedAuth, beside: Parameters<typeof demandedBeside>[0]): string {
  const { type, format, env = [] } = entry;
  const [variable] = env;
  const isUser = type === 'basic' && format === '{token}:';
  const user = `${variable} to your key (it is the user of Basic authentication, without a password)`;
  const other = isUser ? user : `${variable} to a credential of yours`;
  const own = isPair(entry) ? `${variable} to ${plainPair}` : other;
  const besides = demandedBeside(beside).filter((name) => name !== variable);
  return besides.length === 0 ? own : `${own}, and ${joined(besides)} to what belongs to it`;
}

function joined(names: readonly string[]): string {
  const left = names.length - mostSteps;
  const told = left > 1 ? [...names.slice(0, mostSteps), `${left} more`] : names;
  return told.join(' and ');
}

function sentenceOf(note: string): string {
  return `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
}
