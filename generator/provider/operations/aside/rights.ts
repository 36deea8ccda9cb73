import { type ApiOperation, requestPath } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { isType } from '../../guess/pages/answer-list.ts';
import { shownText, toldFirst } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';
import { definesRights, ofRole, role } from './defined-rights.ts';
import { type SentMember, sentMembers } from './sent-members.ts';

/** What says who may do what, wherever it is made: the right itself, or who is trusted to say who somebody is. */
const rights =
  /^(?:[a-z]+ )*(?:access (?:binding|control|control entry|control list|entry|grant|policy|right|rule)|acl(?: entry| policy| rule)?|(?:bucket|iam|resource) policy|collaborat(?:ion|or)|(?:admin|authorization|permission|role|user role) (?:assignment|binding|grant)|identity provider|(?:identity|oauth2?|sso) link|idp|permission|privilege|resource control|saml provider)$/;

/** The same below the thing that it is about: elsewhere an owner has a dog, and a policy insures a car. */
const ofThing =
  /^(?:admin(?:istrator)?|co ?(?:host|organi[sz]er)|grant|iam policy|maintainer|moderator|owner)$/;

/** Who signs for what others have put together: below a document, whoever is asked to sign it. */
const signing = /^(?:co)?signer$/;
const signedFor = /^(?:[a-z]+ )?(?:account|multi ?sig|safe|treasury|wallet)$/;

/** What belongs to somebody: a role is made elsewhere and given here. */
const given = /^(?:(?:access|acl|auth|iam) policy|policy|(?:[a-z]+ )?(?:entitlement|role|scope))$/;
/** Whoever may be allowed something. */
export const somebody =
  /^(?:[a-z]+ )?(?:account|agent|api key|client|group|identity|member|membership|principal|robot|service account|subject|team|user)$/;

/** What is done with these, in a part of a path or at the beginning of an id. */
export const making =
  /^(?:add|assign|attach|batch|bind|bulk|create|give|grant|insert|invite|new|put|set|update|upsert)$/;
const giving = /^(?:add|assign|attach|bind|give|grant|make|set)$/;
const givenWord =
  /^(?:access|admin(?:istrator)?|leader|mod|moderator|owner|permission|privilege|right|role)s?$/;

/** What takes one away, or asks whether there is one. */
const otherwise = /^(?:check|delete|has|is|reject|remove|revoke|unassign|validate|verify)$/;

/** What makes a credential good again that was taken from somebody. */
const broughtBack =
  /(?:credential|key|token)s?\/\{[^}]*\}[/:](?:activate|enable|reactivate|restore)$/i;

/** What a policy of access holds for one of those whom it names. */
const inPolicy =
  /\/(?:access-?)?polic(?:y|ies)\/\{[^}]*\}\/(?:[^/]+\/)*(?:entries|permissions|resources|statements|subjects)(?:\/\{[^}]*\})?$/i;

/** What is shared, and what says with whom, until when or what they may do: a post is shared with everybody. */
const shared = /^(?:public ?link|share(?: ?link)?)$/;
const sharedWith =
  /^(?:actions|emails?|expir\w*(?: .*)?|permissions?|polic(?:y|ies)|roles?|(?:group|user)s?(?: ids?)?)$/;

/** Where it is set up who says who somebody is, and what a log-in takes from that. */
const loginSetUp =
  /\/idps?\/\{[^}]*\}\/[\w-]+$|\/(?:identity-providers?\/.*\{[^}]*\}\/mappers|protocol-mappers\/(?:add-)?models)$|\/(?:auth|identity|idp|ldap|oidc|saml|sso)\/(?:\{[^}]*\}\/)?(?:config(?:uration)?|settings)$|\/auth\/enable$|\/authentication\/(?:[^/]+\/)*(?:executions?|flows?|required-actions?)(?:\/copy)?$/i;

/** A role that a path takes beside whom it is given to: `PUT /groups/{id}/{role}/{email}`. */
const roleInPath =
  /\}\/\{(?:access_?level|permission|role)(?:_?(?:id|name))?\}|\{(?:access_?level|permission|role)(?:_?(?:id|name))?\}\/\{/i;
const ofRoles = /\/(?:access_?levels|permissions|roles)\/\{/i;

/** What is granted without anybody being allowed something by it. */
const noRight =
  /\b(?:badge|bonus|consent|coupon|credit|leave|loan|point|reward|stock|trial|wish)s?\b/i;

/** How texts say that somebody may do something from now on. */
const saidToGive =
  /^\W*(?:(?:add|assign|attach|bind|give|grant)s? (?:[\w'-]+ ){0,5}?(?:access|permissions?|privileges?|roles?|rights?) (?:for|on|to|within)\b|(?:add|assign|make|promote)s? (?:[\w'-]+ ){1,6}?(?:as|an?|to) (?:[\w-]+ )?(?:admin(?:istrator)?|moderator|owner)s?\b|(?:add|assign)s? (?:an? |the )?(?:[\w-]+ )?(?:admin(?:istrator)?|moderator|owner)s?\b|(?:add|attach|create|set)s? (?:an? |the )?(?:[\w-]+ ){0,2}access (?:polic(?:y|ies)|rules?)\b|trusts? (?:[\w.-]+ ){0,6}?(?:authority|issuer|provider)\b)/i;

/** Whoever comes to others with a role, and whoever is made with one. */
const joining = /^(?:[a-z]+ )?(?:collaborator|invitation|invite|member|membership|teammate)$/;
const people = /^(?:[a-z]+ )?(?:person|people|user)$/;

/** Members of a body that say what somebody may do. */
export const mayDo =
  /^(?:access|access level|access role|authorit(?:y|ies)|permissions?|privileges?|roles?)(?: (?:i?ds?|keys?|names?|slugs?))?$|^[a-z]+ (?:role|permission)s?(?: ids?)?$/;
export const isAdmin = /^(?:is )?(?:admin(?:istrator)?|site admin|staff|super ?admin|super ?user)$/;
const namesAdmin = /\b(?:admin\w*|co-owner|owner|super ?user)\b|[a-z]Admin\b/i;

/** Why a person should say that agents may give somebody rights: a role, access to a thing, a say in who is let in. */
export function rightsReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  const verbs = [operation.id ?? '', partsOf(operation).at(-1) ?? ''].map(
    (name) => smallWords(name)[0] ?? '',
  );
  if (verbs.some((verb) => otherwise.test(verb))) return undefined;
  return isOfRights(document, operation) || saysToGive(operation) || takesRole(document, operation)
    ? 'it gives rights to somebody: switch it on if agents may do that'
    : undefined;
}

/** Parts of a path; those of methods of RPC and of resources count (`channels.addOwner`, `role-bindings:create`). */
function partsOf(operation: ApiOperation): readonly string[] {
  return requestPath(operation)
    .split(/[/.]|:(?=[a-z])/i)
    .filter((part) => part !== '');
}

function isOfRights(document: ApiDocument, operation: ApiOperation): boolean {
  const parts = partsOf(operation);
  const at = parts.findLastIndex(
    (part) => !part.startsWith('{') && !smallWords(part).every((word) => making.test(word)),
  );
  const noun = thingOf(parts[at] ?? '');
  const before = nounOf(parts[at - 1] ?? '');
  if ([broughtBack, inPolicy, loginSetUp].some((kind) => kind.test(operation.path))) return true;
  if (roleInPath.test(operation.path) && !ofRoles.test(operation.path)) return true;
  if (noun === 'instance' && rights.test(before)) return true;
  if (shared.test(noun) && isShared(document, operation)) return true;
  if (rights.test(noun) || definesRights(document, operation, noun, before)) return true;
  if (!parts[at - 1]?.startsWith('{')) return false;
  const above = nounOf(parts[at - 2] ?? '');
  if (signing.test(noun) && signedFor.test(above)) return true;
  if (role.test(above) && (ofRole.test(noun) || somebody.test(noun))) return true;
  return ofThing.test(noun) || (given.test(noun) && somebody.test(above));
}

function isShared(document: ApiDocument, operation: ApiOperation): boolean {
  return sentMembers(document, operation).some(([name]) =>
    sharedWith.test(smallWords(name).join(' ')),
  );
}

/** A part of a path as the thing that it names, without what is done with it: `add-policy` is about a policy. */
export function thingOf(part: string): string {
  const words = nounOf(part).split(' ');
  return words.slice(words.length > 1 && making.test(words[0] ?? '') ? 1 : 0).join(' ');
}

function saysToGive({ id = '', node, path }: ApiOperation): boolean {
  const told = toldFirst(node).slice(0, shownText);
  const last = path.split(/[/.:]/).findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  const isGiven = [last, id].some((name) => {
    const [verb = '', ...things] = smallWords(name);
    // `setAwayAdmin` tells of an admin, `setAdmin` makes one.
    const said = verb === 'set' ? things.slice(0, 1) : things;
    return giving.test(verb) && (said.some((word) => givenWord.test(word)) || verb === 'grant');
  });
  return (
    (isGiven || saidToGive.test(told)) && !noRight.test(`${smallWords(path).join(' ')} ${told}`)
  );
}

/** Whether somebody comes to others, or is made, with a role that the caller chooses and that may be the highest. */
function takesRole(document: ApiDocument, operation: ApiOperation): boolean {
  const parts = partsOf(operation).filter((part) => !part.startsWith('{'));
  const noun = nounOf(
    parts.findLast((part) => !smallWords(part).every((word) => making.test(word))) ?? '',
  );
  const isBelow = /\}\/[^/{}]+\/?$/.test(operation.path) && somebody.test(noun);
  const isJoining =
    isBelow || joining.test(noun) || /^invite$/.test(smallWords(parts.at(-1) ?? '')[0] ?? '');
  if (!isJoining && !people.test(noun)) return false;
  return sentMembers(document, operation).some((member) => isHighest(document, member, isJoining));
}

function isHighest(document: ApiDocument, [name, schema]: SentMember, isJoining: boolean): boolean {
  const words = smallWords(name).join(' ');
  if (isAdmin.test(words)) return true;
  if (!mayDo.test(words)) return false;
  const item = isType(schema, 'array') ? mergedSchema(document, schema['items']) : schema;
  const choices = Array.isArray(item['enum']) ? item['enum'].map(String) : [];
  if (choices.some((choice) => /[a-z]/i.test(choice)))
    return choices.some((choice) => namesAdmin.test(choice));
  const examples = JSON.stringify([schema['examples'], item['examples']]);
  return isJoining || namesAdmin.test(`${schema['description'] ?? ''} ${examples}`);
}
