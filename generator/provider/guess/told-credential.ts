import { isObject } from '#contract/json';

type Parameter = Readonly<Record<string, unknown>>;

/** Names that end so are of what proves something to a server or to one behind it. */
const proofNames =
  /(?:^|[-_])auth$|[a-z]authorization(?:[-_]?header)?$|^authorization[-_]?header$/i;

/** How texts tell of a token that its owner has: of one who has logged in, or has agreed. */
const ownerToken =
  /\b(?:access|auth|authenticat\w+|authori[sz]\w+|bearer|consent|login|session)[-_ ]?(?:jwt|token)\b/i;

/** And how they tell what another token proves: "the token with the user's authorisation". */
const tokenThatProves =
  /\b(?:jwt|token)\b[^.]{0,60}\b(?:authenticates?|authori[sz](?:ation|e)s?)\b/i;

/** What is worked out of a request, or says about a token when or which. */
const aboutOne =
  /(?:date|expir\w*|hash|id|method|mode|scope|signature|time(?:stamp)?|type|uri|url)$/i;

/** Whether a header holds a credential, as the text about it tells or its name, whatever that is called. */
export function isToldCredential(name: string, parameter: Parameter): boolean {
  if (aboutOne.test(name)) return false;
  if (proofNames.test(name)) return true;
  const text = parameterText(parameter);
  return ownerToken.test(text) || tokenThatProves.test(text);
}

/** What is said of a parameter: enough to tell what it is. */
export function parameterText({ description, schema }: Parameter): string {
  const inner = isObject(schema) ? schema['description'] : undefined;
  return `${String(description ?? '').slice(0, shownText)} ${String(inner ?? '').slice(0, shownText)}`;
}

/** So many characters of a text tell what a parameter is. */
const shownText = 300;
