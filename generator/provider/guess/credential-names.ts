import type { ApiParameter } from '../../model/schema/api-operations.ts';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import { isToldCredential, parameterText } from './told-credential.ts';

const credentialNames =
  /^(?:(?:x[-_])?authorization|(?:x[-_])?(?:access|auth|api|private)[-_]?token|token|(?:[\w-]*[-_])?(?:api|subscription)[-_]?key|apikey)$/i;

/** Whose token, key or secret it is that a header carries: `end-user-token`, `X-Acme-Session-Token`. */
const ofCaller =
  /^(?:x[-_])?(?:[a-z\d]+[-_]){0,2}(?:(?:(?:end[-_]?)?user|session|member|account|server|service|admin|developer|partner|access|auth|oauth2?)[-_]?token|app(?:lication)?[-_]?(?:token|key)|(?:access|account|api|app(?:lication)?|auth|client|partner|server|service)[-_]?secret|bearer(?:[-_]?token)?)$/i;

/** What belongs to one thing or one step, so that only its caller knows it: an upload, a payment, a device. */
const ofThing =
  /upload|download|checkout|payment|card|cart|basket|order|device|push|messag|chat|call|confirm|registr(?!y)|(?:re|pre|step)[-_]?(?:up[-_]?)?auth|captcha|otp|mfa|2fa|factor|challenge|reset|refresh|invit|new|old|target|subject|recipient|resume|continu|sync|page|csrf|xsrf/i;

/** What those are called who have logged in, where it is said that they have. */
const sessionId = /^(?:x[-_])?(?:[a-z\d]+[-_])?session(?:[-_]?id)?$/i;

/**
 * Whether a parameter of this name carries a credential, whatever the description says of it. In an
 * address the token of a user is as often one that names him.
 */
export function isCredentialName(name: string, place?: unknown): boolean {
  if (credentialNames.test(name)) return true;
  return place === 'header' && ofCaller.test(name) && !ofThing.test(name);
}

/** What a vendor may call its key after itself, as in `X-Acme-Key`: one where most operations demand it. */
const vendorKey = /^x[-_](?:[a-z\d]+[-_]){1,2}key$/i;
/** Keys that open nothing. */
const otherKey =
  /idempoten|request|cache|partition|sort|routing|dedup|encrypt|public|group|trace|correlation|object|row|primary|foreign|feature|unique|transaction|customer|host|lookup/i;

/** Whether a header that most operations demand is named like the key of a vendor. */
export function isVendorKey(name: string): boolean {
  return vendorKey.test(name) && !otherKey.test(name) && !ofThing.test(name);
}

/** What servers call the cookie of somebody who has logged in. */
const cookieNames =
  /(?:^|[-_.])(?:s?sid|sess(?:ion)?|auth\w*|token|jwt)(?:$|[-_.])|session|token|apikey/i;

/**
 * Whether a parameter that an operation demands is a credential by its name, or in the address by
 * what is said of it.
 */
export function isDemandedCredential({ in: place, name, required, node }: ApiParameter): boolean {
  if (!required) return false;
  if (place === 'cookie') return cookieNames.test(name);
  if (place !== 'header' && place !== 'query') return false;
  if (place === 'header' && sessionId.test(name)) return !ofThing.test(name) && isSaidToLogIn(node);
  const isUnclear = place === 'query' && /^token$/i.test(name);
  if (isCredentialName(name, place)) return !isUnclear || isSaidToBe(node);
  return place === 'header' && !ofThing.test(name) && isToldCredential(name, node);
}

/** The credentials that an operation is sent with, which names them or takes the usual ones. */
export function usedBy(
  auth: readonly CuratedAuth[],
  ids: readonly string[] | undefined,
): readonly CuratedAuth[] {
  return auth.filter(({ id, default: isUsual = true }) =>
    ids === undefined ? isUsual : id !== undefined && ids.includes(id),
  );
}

/**
 * Tells the parameters that carry the credential, which the server adds by itself. In an address a
 * name such as `key` is one only where it is sent: elsewhere it asks for something.
 */
export function credentialTest(auth: readonly CuratedAuth[], used = auth) {
  const own = new Set(auth.flatMap(namesIn));
  const ownInQuery = new Set(used.flatMap(namesIn));
  const cookies = auth.flatMap(({ in: place, name }) => (place === 'cookie' ? [name] : []));
  const isKeyless = auth.every(({ type }) => type === 'none');
  return (parameter: Readonly<Record<string, unknown>>): boolean => {
    const { in: place, required } = parameter;
    const name = String(parameter['name']);
    if (place === 'cookie') return cookies.includes(name);
    if (isKeyless || (place !== 'query' && place !== 'header')) return false;
    if ((place === 'query' ? ownInQuery : own).has(name.toLowerCase())) return true;
    // What an operation demands beside the credential that is sent, its caller has to know.
    const isOther =
      place === 'header' && required === true && !/^(?:authorization|token)$/i.test(name);
    if (isOther) return false;
    // A token that has to stand in the address is that of an invitation as often as that of a caller.
    const isUnclear = place === 'query' && required === true && /^token$/i.test(name);
    return isCredentialName(name, place) && (!isUnclear || isSaidToBe(parameter));
  };
}

/** What a credential and the keys that come with it are called, in lower case. */
function namesIn({ name, headers, query }: CuratedAuth): string[] {
  const all = [
    ...(name === undefined ? [] : [name]),
    ...Object.keys(headers ?? {}),
    ...Object.keys(query ?? {}),
  ];
  return all.map((each) => each.toLowerCase());
}

function isSaidToBe(parameter: Readonly<Record<string, unknown>>): boolean {
  return /authenticat|authori[sz](?:ation|ed)|credential|api key|scope/i.test(
    parameterText(parameter),
  );
}

function isSaidToLogIn(parameter: Readonly<Record<string, unknown>>): boolean {
  return /(?<!un)authenticat|credential|\blog(?:ged|s)?[- ]?(?:in|on)\b|\bsign(?:ed|s)?[- ]?(?:in|on)\b/i.test(
    parameterText(parameter),
  );
}
