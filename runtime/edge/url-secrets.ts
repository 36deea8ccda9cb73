/** A parameter of a URL in JSON: its name, and what is in it. */
const parameter = /([?&#;])([\w.%-]{1,64})=([^&#;\s"'\\<>]+)/g;

/** Names of parameters that let somebody in: by a part of them, and as a word of their own. */
const partOfName =
  /token|secret|passw|session|api_?key|access_?key|credential|signature|jwt|oauth|authoriz/i;
const wordOfName =
  /(?:^|[._-])(?:code|key|sig|sid|state|pwd|pw|pass|otp|nonce|ticket|assertion|auth)(?:$|[._-])/i;

/**
 * What a page has sent, with dots for what the addresses in it let somebody in with: links of invitations,
 * codes of sign-ins, signed URLs. All of it stands in the query or fragment of the page's own address.
 */
export function withoutUrlSecrets(text: string): string {
  return text.replace(parameter, (whole, sign: string, name: string) =>
    partOfName.test(name) || wordOfName.test(name) ? `${sign}${name}=…` : whole,
  );
}
