import { stringify } from 'yaml';
import { visible } from '../../emit/print/quoted.ts';
import type {
  CuratedAuth,
  CuratedOperation,
  CuratedPagination,
  Curation,
} from '../../model/shape/curation.ts';
import type { GuessedAuth } from '../guess/auth-candidate.ts';
import type { GuessedServer } from '../guess/guess-server.ts';

/** A curation file that nobody has looked at yet. */
export interface CurationDraft {
  readonly id: string;
  readonly title: string;
  readonly homepage?: string;
  readonly licence?: string;
  readonly server: GuessedServer;
  readonly auth: GuessedAuth;
  /** Credentials that only some operations take. */
  readonly otherAuth: readonly CuratedAuth[];
  readonly pagination?: CuratedPagination;
  readonly errors?: NonNullable<Curation['errors']>;
  readonly operations: readonly {
    readonly operation: CuratedOperation;
    readonly switchedOn: boolean;
    /** What to think about before it stays switched on, or why it is not. */
    readonly review?: string;
  }[];
}

/** Print a curation file: guesses carry the mark "review", what is not switched on is a comment. */
export function curationText(draft: CurationDraft): string {
  const { id, title, homepage, licence, server, auth, otherAuth, pagination, errors } = draft;
  const on = draft.operations.filter(({ switchedOn }) => switchedOn);
  const off = draft.operations.filter(({ switchedOn }) => !switchedOn);
  return [
    '# yaml-language-server: $schema=../../schemas/provider-curation.schema.json',
    '# Drafted by "provider add". Check what is marked "review", then remove the mark.',
    line('provider', id),
    line('title', title),
    ...(homepage === undefined ? [] : [line('homepage', homepage)]),
    ...(licence === undefined ? [] : [line('licence', licence)]),
    'status: beta',
    ...(server.url.startsWith('http:')
      ? [line('self_hosted', true, 'it is reached without TLS')]
      : []),
    line('servers', [{ url: server.url }], server.review ?? 'taken from the description'),
    line('auth', [auth.auth, ...otherAuth], auth.review),
    ...(auth.headers ? [line('headers', auth.headers, 'sent with every request')] : []),
    ...(auth.query ? [line('query', auth.query, 'sent with every request')] : []),
    line(
      'rate_limit',
      { requests: 5, per: '1s', burst: 10, concurrency: 4 },
      'what the vendor allows',
    ),
    ...(pagination ? [line('pagination', pagination, 'how lists continue')] : []),
    ...(errors ? [line('errors', errors, 'where an error says what is wrong')] : []),
    'operations:',
    ...on.map(({ operation, review }) => entry(operation, review).join('\n')),
    ...(off.length === 0 ? [] : [switchingOn(id)]),
    ...off.map(({ operation, review }) => entry(operation, review).map(commentedOut).join('\n')),
    '',
  ].join('\n');
}

function switchingOn(id: string): string {
  return [
    '',
    '  # Not switched on. To switch one on, remove its comment marks and run the same "provider add"',
    `  # again: it adds what the operation needs to openapi.yaml and fixtures/ and keeps this file.`,
    `  # Then: npm run provider -- check ${id}`,
  ].join('\n');
}

/** The lines of one operation, each key on one line. */
function entry(operation: CuratedOperation, review?: string): string[] {
  const marks: Readonly<Record<string, string | undefined>> = {
    name: review,
    purpose: '',
    when_to_use: '',
  };
  return Object.entries(operation).map(([key, value], index) => {
    const text = line(key, value, marks[key]);
    return `${index === 0 ? '  - ' : '    '}${text}`;
  });
}

function commentedOut(text: string): string {
  return text.replace(/^ {2}/, '  # ');
}

/** Words that a plain scalar may be without another thought (YAML 1.2.2, section 7.3.3). */
const plainWords = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z]\w*(?: \w+)*$/i;

/** `key: value` on one line, with a mark for the person who reads it. */
function line(key: string, value: unknown, review?: string): string {
  const isPlain = typeof value === 'string' && plainWords.test(value);
  const text = isPlain ? value : flowText(value);
  if (review === undefined) return `${key}: ${text}`;
  return `${key}: ${text} # review${review === '' ? '' : `: ${visible(review)}`}`;
}

/** Printing one value costs as much as a document; many operations have the same ones. */
const flowTexts = new Map<string, string>();
const mostFlowTexts = 1000;

function flowText(value: unknown): string {
  const key = JSON.stringify(value);
  const known = flowTexts.get(key);
  if (known !== undefined) return known;
  const text = onOneLine(value);
  if (flowTexts.size < mostFlowTexts) flowTexts.set(key, text);
  return text;
}

/** What a value is in YAML: a second line of it would stand outside of the comment that it belongs to. */
function onOneLine(value: unknown): string {
  const options = { collectionStyle: 'flow', lineWidth: 0, aliasDuplicateObjects: false } as const;
  const text = stringify(value, options).trim();
  // JSON is YAML, and YAML has an escape for every character (YAML 1.2.2, section 5.7).
  return visible(text) === text ? text : JSON.stringify(value).replace(/[^ -~]/gu, escapedInYaml);
}

function escapedInYaml(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}
