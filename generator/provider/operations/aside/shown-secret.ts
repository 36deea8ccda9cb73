import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { answerList, isType, membersOf } from '../../guess/pages/answer-list.ts';
import { shownText } from '../nature/told-summary.ts';
import { reading } from '../nature/verbs.ts';
import type { OperationNature } from '../operation-nature.ts';
import { squashed } from './given-credential.ts';

/** What one thing is called that lets its bearer in: `/users/me/token`, `/servers/{id}:password`. */
const secret =
  /^(?:[a-z]+ ){0,2}(?:(?:backup|recovery) codes|cred(?:ential)?s?|jwt|passw(?:or)?d|private key|secret|token)$/;

/** Of these it is none: it is asked about, or stands for something that is no way in. */
const noSecret =
  /\b(?:authenticate|card|check|coin|contract|device|domain|has|invit\w+|is|nft|next|page|payment|polic(?:y|ies)|push|status|sync|validat\w+|verif\w+|wallet|with)\b/;

/** Members that may be the secret itself, in small letters without anything between. */
const itself = /credential|jwt|key|passw(?:or)?d|secret|token|^(?:codes?|data|value)$/;

const saidToProve = /\b(?:authenticat|authori[sz])\w+\b/i;

/** What a certificate or a key pair keeps to itself, wherever it is shown. */
const privateKey = /^priv(?:ate)?[-_ ]?key(?:[-_ ]?pem)?$/i;

/** How a text says that a secret is among what it shows. */
const saidToShow =
  /(?<!\bnot )\bincluding (?:its|the|their) (?:(?:actual|plain(?:text)?|private|secret) )?(?:keys?|passwords?|secrets?|tokens?)\b/i;

/** What stands on a card alone, so that only its owner can pay with it. */
const ofCard = /^(?:cvc2?|cvv2?|card_?verification_?(?:code|value))$/i;

/**
 * Whether what a GET asks for is a secret, by the end of its path: one thing alone, of whose answer nothing
 * is known or a member may be it. Keys that are private, or said to be shown, are secrets wherever they are.
 */
export function showsSecret(
  document: ApiDocument,
  { path, node }: ApiOperation,
  content: OperationNature['content'],
): boolean {
  const isList = answerList(document, content) !== undefined;
  const members = content === undefined ? [] : membersOf(document, content.schema);
  const texts = members.filter(([, member]) => isText(member));
  if (texts.some(([name]) => privateKey.test(name) || ofCard.test(name))) return true;
  const subject = subjectOf(path);
  const keys = texts.filter(([name]) => /^(?:key|password|secret|token)$/i.test(name));
  if (keys.length > 0 && saidToShow.test(String(node['summary'] ?? ''))) return true;
  if (isList || !secret.test(subject)) return false;
  if (noSecret.test(`${path} ${subject} ${node['summary'] ?? ''}`.toLowerCase())) return false;
  const told = `${node['description'] ?? ''}`.slice(0, shownText);
  return (
    members.length === 0 ||
    saidToProve.test(told) ||
    texts.some(([name]) => itself.test(squashed(name)))
  );
}

/** The words of the last part of a path, without the verb of whoever reads: `get-token`, `:password`. */
function subjectOf(path: string): string {
  const last = (path.split('/').findLast((part) => part !== '') ?? '').replace(/^\{[^}]*\}:?/, '');
  const words = wordsOf(last).map((word) => word.toLowerCase());
  return (reading.has(words[0] ?? '') ? words.slice(1) : words).join(' ');
}

function isText(schema: Parameters<typeof isType>[0]): boolean {
  return (schema['type'] === undefined || isType(schema, 'string')) && schema['writeOnly'] !== true;
}
