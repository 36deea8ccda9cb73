import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { shownText, toldFirst } from '../nature/told-summary.ts';
import { isAdmin, making, mayDo, thingOf } from './rights.ts';
import { sentMembers } from './sent-members.ts';

/** Whoever works with what a vendor has, by the name that nearly all give him. */
const worker =
  /^(?:(?:admin|company|console|operator|organi[sz]ation|staff|sys|system|workspace) ?)?user$/;

/** How somebody is asked to come, unless it is to something that goes on without him. */
const invitation = /^(?:[a-z]+ )?(?:invite|invitation)$/;
const gathering =
  /^(?!.*\bco ?(?:host|organi[sz]er)s?\b).*\b(?:appointment|attend\w*|booking|calendar|call|channel|chat|conversation|event|game|guest|lobb(?:y|ie)|match|meeting|party|room|rsvp|session|webinar)s?\b/;
const saidToInvite =
  /^\W*(?:invites?|sends? (?:an? )?invit\w+ to) (?:(?:an?|new|one|or|more|the|your) )*(?:[\w-]+ )?(?:admin\w*|collaborators?|colleagues?|employees?|members?|people|persons?|teammates?|users?)\b/i;

/** How somebody from elsewhere is let in without being asked. */
const saidToAdd =
  /^\W*adds? (?:an? )?(?:external|guest|outside) (?:members?|people|persons?|users?)\b/i;

/** What is looked after of somebody who may do something here: customers and readers have none of it. */
const ofWorker =
  /\b(?:authenticators?|credentials?|factors?|grants?|impersonat\w*|keys?|mfa|passwords?|permissions?|polic(?:y|ies)|privileges?|roles?|tokens?)\b/;

/** What says elsewhere in a description that not everybody may do everything. */
const ofRoles = /\broles?\b|^(?:api )?(?:v ?\d+ )?(?:permissions?|privileges?)\b/;

/** How texts say that only some may do it. */
const saidOfAdmins =
  /\b(?:administrators?|(?:sys|system )?admins?) (?:can|may|only|permissions?|privileges?|rights)\b|\b(?:only|requires?) (?:by |for |an? |the )?(?:sys(?:tem )?)?admin/i;

/** Parts of a path below which operators say who may come in. */
const administered = /\b(?:access|admin|administration|auth|iam|management|rbac|scim|security)\b/;

/** What is done with somebody, or with an invitation, that is there already. */
const otherwise =
  /^(?:accept|assign|cancel|check|decline|delete|disable|edit|enable|get|join|link|merge|reject|remove|revoke|search|set|tag|unset|update|validate|verify)$/;

const known = new WeakMap<ApiDocument, boolean>();

/** Why a person should say that agents may let somebody in, who works with what is there from then on. */
export function letInReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  if (otherwise.test(verbOf(operation))) return undefined;
  return isInvited(operation) || isWorker(document, operation)
    ? 'it lets somebody in: switch it on if agents may do that'
    : undefined;
}

function verbOf({ id = '', path, node }: ApiOperation): string {
  const [told = ''] = smallWords(toldFirst(node));
  const [named = ''] = smallWords(id);
  const [ofPath = ''] = smallWords(path.split(/[/:]/).at(-1) ?? '');
  return [told.replace(/s$/, ''), named, ofPath].find((verb) => otherwise.test(verb)) ?? '';
}

function isInvited({ path, node }: ApiOperation): boolean {
  const told = toldFirst(node).slice(0, shownText);
  if (saidToAdd.test(told)) return true;
  if (gathering.test(`${wordsIn(path)} ${told.toLowerCase()}`)) return false;
  return invitation.test(thingOf(lastPart(path))) || saidToInvite.test(told);
}

/** Whether a user is made in a place where users may do different things. */
function isWorker(document: ApiDocument, operation: ApiOperation): boolean {
  const { path } = operation;
  const isOne = worker.test(thingOf(lastPart(path))) || /\/identities$/i.test(path);
  if (!isOne || isMadeElsewhere(document, path)) return false;
  return (
    administered.test(wordsIn(path)) ||
    saidOfAdmins.test(String(operation.node['description'] ?? '').slice(0, shownText)) ||
    looksAfterWorkers(document) ||
    sentMembers(document, operation).some(([name]) => {
      const words = smallWords(name).join(' ');
      return mayDo.test(words) || isAdmin.test(words);
    })
  );
}

/** Whether users are made without a thing above them: those below one, as a team, are there already. */
function isMadeElsewhere(document: ApiDocument, path: string): boolean {
  const last = `/${lastPart(path)}`;
  return (
    path.includes('{') &&
    apiOperations(document).all.some(
      (other) => other.method === 'POST' && other.path.endsWith(last) && !other.path.includes('{'),
    )
  );
}

/** Whether a description knows of roles, or of keys and the like of one user. */
function looksAfterWorkers(document: ApiDocument): boolean {
  const found =
    known.get(document) ??
    apiOperations(document).all.some(({ path }) => {
      const [before = '', ...behind] = path.split(/users?\/\{/i).map(wordsIn);
      return ofRoles.test(before) || behind.some((words) => ofWorker.test(words));
    });
  known.set(document, found);
  return found;
}

function wordsIn(path: string): string {
  return partsOf(path)
    .flatMap((part) => smallWords(part))
    .join(' ');
}

/** The last part of a path that names a thing: what is done with it may stand behind, or before it in one word. */
function lastPart(path: string): string {
  return (
    partsOf(path).findLast((part) => !smallWords(part).every((word) => making.test(word))) ?? ''
  );
}

function partsOf(path: string): readonly string[] {
  const parts = path.replace(/\.(?:json|xml)$/i, '').split(/[/.]/);
  return parts.filter((part) => part !== '' && !part.startsWith('{'));
}
