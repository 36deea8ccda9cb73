import { isObject } from '#contract/json';
import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { sentMembers } from './sent-members.ts';

/** What holds what somebody may do, and is given to him afterwards: a role in a film holds none of it. */
export const role = /^(?:(?:[a-z]+ )?|admin|user)role$/;
export const ofRole =
  /^(?:[a-z]+ )?(?:actions?|grants?|permissions?|polic(?:y|ies)|privileges?|resources?|rights|rules?|scopes?|statements?)(?: (?:ids?|keys?|names?|sets?))?$/;
const belowRole = /\b(?:grants?|members?|permissions?|polic(?:y|ies)|privileges?|users?)\b/;

/** What a policy of access holds: that of an insurance, of a shop or of a shelf life holds none of it. */
const policy = /^(?:[a-z]+ )?policy$/;
const ofPolicy =
  /^(?:access rights?|bindings?|permissions?|principals?|(?:[a-z]+ )?principal|effect|resource policy|role policy|statements?|(?:source|destination)(?:s| (?:[a-z]+ )?(?:groups?|ids?|users?)))$/;

/** With what a server tells whom it may trust, or shows who it is itself: other certificates are of schools and gifts. */
const trusted =
  /^(?:[a-z]+ )?(?:ca|certificate authority|cert|certificate|(?:enterprise|oidc|saml|sso) connection|jwk|jwks|known host|dkim|(?:crypto|dkim|gpg|host|public|signing|ssh|trusted|tsig) ?key|trust anchor)$/;
const certificate = /\bcert(?:ificate)?$/;
const asked = /^(?:enrol(?:l?ment)?|external|import|renewal|request|signing request|upload)$/;
const ofCertificate =
  /^(?:[a-z]+ )?(?:ca|cert(?:ificate)?|chain|csr|domain names?|domains|hostnames?|pem|(?:private|public) key|key|x509)(?: [a-z]+)?$/;
const awarded = /\b(?:award\w*|birth|completion|courses?|gift|origin|students?|training)\b/;

/** Below which parts of a path all says who may do what, and what is made there. */
const accessRoom = /^(?:auth|authorization|authz|iam|identity|rbac|security)$/;
const ofAccess = /^(?:(?:entity )?alias?|entity|group|policy|rule)$/;

/** Whether what is made says who may do what, before anybody has it: a role, a policy of access, a trusted certificate. */
export function definesRights(
  document: ApiDocument,
  operation: ApiOperation,
  last: string,
  before: string,
): boolean {
  const noun = asked.test(last) && certificate.test(before) ? before : last;
  const takes = (names: RegExp) =>
    sentMembers(document, operation).some(([name]) => names.test(smallWords(name).join(' ')));
  if (accessRoom.test(before) && ofAccess.test(noun)) return true;
  if (role.test(noun)) return takes(ofRole) || hasBelow(document, operation, belowRole);
  if (policy.test(noun)) {
    const isUntold = sentMembers(document, operation).length === 0;
    const isOfRules = hasBelow(document, operation, /\brules?\b/);
    return takes(ofPolicy) || (isOfRules && (isUntold || takes(/^conditions$/)));
  }
  if (!trusted.test(noun)) return false;
  if (awarded.test(smallWords(operation.path).join(' '))) return false;
  return !certificate.test(noun) || takes(ofCertificate) || takesFile(document, operation);
}

function hasBelow(document: ApiDocument, { path }: ApiOperation, names: RegExp): boolean {
  return apiOperations(document).all.some((other) => {
    if (!other.path.startsWith(`${path}/{`)) return false;
    const [, , ...parts] = other.path.slice(path.length).split('/');
    return names.test(parts.flatMap((part) => smallWords(part)).join(' '));
  });
}

/** Whether what is sent is no object: a file in itself, or nothing that is described. */
function takesFile(document: ApiDocument, operation: ApiOperation): boolean {
  const { properties, type } = bodySchema(document, operation);
  return operation.node['requestBody'] !== undefined && !isObject(properties) && type === 'string';
}
