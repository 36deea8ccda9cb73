/** A control against a threat, how it is taken away, and the test that has to notice. */
export interface Control {
  readonly threat: string;
  /** In `runtime/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** In `test/surfaces/identity/`. */
  readonly test: string;
  readonly name: string;
}

const identity = 'surfaces/identity';

/** The threats of the reference, each with what stands against it. */
export const controls: readonly Control[] = [
  {
    threat: '1: a name that strangers give leads to a private address',
    file: 'outbound/connection/guarded-connector.ts',
    from: '!addresses.every(({ address }) => permits(address))',
    to: 'addresses.length === 0',
    test: 'clients/published-keys.test.ts',
    name: 'no address of keys leads into the network of the server (threat 1)',
  },
  {
    threat: '1: strangers give a private address itself',
    file: 'outbound/connection/guarded-connector.ts',
    from: 'isIP(host) !== 0 && !permits(host)',
    to: 'host === ""',
    test: 'clients/published-keys.test.ts',
    name: 'no address of keys leads into the network of the server (threat 1)',
  },
  {
    threat: '1: what strangers name leads on to somewhere else',
    file: 'outbound/strangers/kept-documents.ts',
    from: 'if (status !== 200)',
    to: 'if (status >= 400)',
    test: 'clients/published-keys.test.ts',
    name: 'what stands where the keys should be proves nobody, and leads nowhere',
  },
  {
    threat: '2: a token says itself how it is checked',
    file: `${identity}/tokens/verify-jwt.ts`,
    from: '!key || key.alg !== alg',
    to: '!key || alg === ""',
    test: 'tokens/own-jwt.test.ts',
    name: 'a token with another algorithm is refused',
  },
  {
    threat: '2: a token brings its key along',
    file: `${identity}/trust/verify-foreign.ts`,
    from: 'jwtVerify(token, keys, {',
    to: "jwtVerify(token, header.jwk ? (await import('jose')).EmbeddedJWK : keys, {",
    test: 'tokens/trust.test.ts',
    name: 'each check of an assertion has its error (identity assertion authorization grant, section 6)',
  },
  {
    threat: '3: a token of one kind is taken for another',
    file: `${identity}/tokens/verify-jwt.ts`,
    from: "typeof typ !== 'string' || !types.includes(typ.toLowerCase())",
    to: 'false',
    test: 'tokens/own-jwt.test.ts',
    name: 'a token of another type is refused',
  },
  {
    threat: '4: an assertion is presented again',
    file: `${identity}/records/seen-ids.ts`,
    from: 'return row.uses <= most;',
    to: 'return true;',
    test: 'tokens/trust.test.ts',
    name: 'an agent registers with the word of a provider, once for each assertion (ID-JAG)',
  },
  {
    threat: '5: an assertion is meant for somebody else',
    file: `${identity}/trust/verify-foreign.ts`,
    from: 'others.length === 0 && accepted.includes(only)',
    to: 'true',
    test: 'tokens/trust.test.ts',
    name: 'each check of an assertion has its error (identity assertion authorization grant, section 6)',
  },
  {
    threat: '6: a provider takes over the account of somebody',
    file: `${identity}/trust/vouched.ts`,
    from: 'email !== undefined && (await delegations.knowsAddress(email, tx))',
    to: 'false',
    test: 'tokens/trust.test.ts',
    name: 'a provider cannot bind an agent to somebody who is known here already',
  },
  {
    threat: '7: a link is sent to a victim',
    file: `${identity}/claim/claims.ts`,
    from: 'return hint === email;',
    to: 'return hint !== undefined && email !== undefined;',
    test: 'claims/claim-attacks.test.ts',
    name: 'a link is worth nothing for another account (threats 7 and 9)',
  },
  {
    threat: '7: the victim is not told who asks from where',
    file: `${identity}/claim/describe.ts`,
    from: "network: network === 'local' ? 'this machine' : network,",
    to: "network: '',",
    test: 'claims/claim-attacks.test.ts',
    name: 'the page says who asks from where for what, and warns (threat 7)',
  },
  {
    threat: '8: the code of the page is tried out',
    file: `${identity}/claim/attempt.ts`,
    from: 'wrong >= mostWrongCodes',
    to: 'wrong >= 1000 * mostWrongCodes',
    test: 'claims/claim-attacks.test.ts',
    name: 'five wrong codes lock an attempt, the right one included (threat 8)',
  },
  {
    threat: '9: a third party takes an older link',
    file: `${identity}/claim/claims.ts`,
    from: 'await attempts.supersede(id, tx);',
    to: '',
    test: 'claims/claim-attacks.test.ts',
    name: 'one attempt is live: a new one ends the link and the code of the old one (threat 9)',
  },
  {
    threat: '10: the answer tells who is known here',
    file: `${identity}/claim/service-auth.ts`,
    from: 'await addRegistration(registration);',
    to: `await addRegistration(registration);
    const people = place.store.db.selectFrom('identity_user').select('id');
    const known = await people.where('email', '=', hint).executeTakeFirst();
    if (!known) await people.execute();`,
    test: 'controls/enumeration.test.ts',
    name: 'an agent that asks for a person learns nothing of whether they are known here',
  },
  {
    threat: '11: the time of a comparison tells a secret',
    file: `${identity}/secrets/keyed-hash.ts`,
    from: 'left.length === right.length && timingSafeEqual(left, right)',
    to: "left.toString('hex') === right.toString('hex') || timingSafeEqual.length < 0",
    test: 'controls/constant-time.test.ts',
    name: 'codes, secrets and verifiers are compared in constant time (threat 11)',
  },
  {
    threat: '12: a refresh token is used again',
    file: `${identity}/records/refresh-tokens.ts`,
    from: "if (at - row.spent_at >= graceMs) return { kind: 'reused', row };",
    to: '',
    test: 'tokens/agent-refresh.test.ts',
    name: 'a token that comes again after the grace takes its family along (RFC 9700 section 4.14.2)',
  },
  {
    threat: '13: registrations without end',
    file: `${identity}/registration/quotas.ts`,
    from: 'if (waitMs > 0) throw tooMany(waitMs, perNetwork);',
    to: 'if (waitMs < 0) throw tooMany(waitMs, perNetwork);',
    test: 'flood.slow.ts',
    name: 'a flood of registrations is refused, and leaves nothing behind (threat 13)',
  },
  {
    threat: '14: an exchange gives more than was granted',
    file: `${identity}/grants/agent-token.ts`,
    from: 'return wanted.filter((name) => all.has(name));',
    to: 'return wanted.filter((name) => all.size > 0 || name);',
    test: 'claims/claim-attacks.test.ts',
    name: 'what a claim brings is what was registered, no more (threat 14)',
  },
  {
    threat: '15: a token of before the claim lives on',
    file: `${identity}/claim/binding.ts`,
    from: "await revocationRecords.raise({ kind: 'registration', id, notBefore }, tx);",
    to: '',
    test: 'tokens/watermarks.test.ts',
    name: 'a token that was issued within the millisecond of the claim is over, and the next is not',
  },
  {
    threat: '16: a provider ends what another one vouches for',
    file: `${identity}/events/security-event.ts`,
    from: "named['iss'] !== undefined && named['iss'] !== issuer",
    to: 'false',
    test: 'tokens/provider-events.test.ts',
    name: 'an issuer that is trusted as well ends nothing of what another vouches for (threat 16)',
  },
  {
    threat: '17: the client does not hear who answers',
    file: `${identity}/authorize/answer.ts`,
    from: "parameters.set('iss', issuer);",
    to: "parameters.set('from', issuer);",
    test: 'clients/authorize.test.ts',
    name: 'a person can say no, and the client hears it with iss and state (RFC 9207)',
  },
  {
    threat: '18: a code goes to an address that nobody registered',
    file: `${identity}/clients/redirect-uri.ts`,
    from: 'if (registered.includes(asked)) return true;',
    to: 'if (registered.some((each) => asked.startsWith(each))) return true;',
    test: 'clients/authorize.test.ts',
    name: 'no redirect is followed that the client has not registered to the letter (RFC 9700 section 4.1)',
  },
  {
    threat: '19: secrets are written down',
    file: `${identity}/secrets/secret.ts`,
    from: "return hash('sha256', secret, 'base64url');",
    to: "return hash('sha256', '', 'base64url') && secret;",
    test: 'no-secrets.slow.ts',
    name: 'no secret that was ever given out stands in a log, in the store or in the audit log',
  },
  {
    threat: '20: two readers of a body believe two things',
    file: 'http/body/body-reader.ts',
    from: 'if (name === undefined) return;',
    to: 'if (name !== null) return;',
    test: 'controls/strict-bodies.test.ts',
    name: 'a member that comes twice is refused wherever agents write (threat 20)',
  },
  {
    threat: '20: a parameter comes twice',
    file: 'http/body/form.ts',
    from: 'if (values.length === 1) return',
    to: 'if (values.length >= 1) return',
    test: 'clients/oauth-attacks.test.ts',
    name: 'a parameter that comes twice is refused, whichever of the two would be believed',
  },
  {
    threat: '21: the name of an agent is markup',
    file: 'contract/html.ts',
    from: "return text.replaceAll(/[&<>\"']/g, (character) => entities[character] ?? '');",
    to: "return text + (entities['none'] ?? '');",
    test: 'claims/claim-attacks.test.ts',
    name: 'names of agents are text on every page (threat 21)',
  },
  {
    threat: '22: the metadata say what the request says',
    file: `${identity}/discovery/handlers.ts`,
    from: 'getServerMetadata: async () => ({ status: 200, body: serverMetadata(discovery) }),',
    to: `getServerMetadata: async ({ context }) => {
      const host = context.http?.headers['x-forwarded-host'] ?? context.http?.headers['host'];
      const text = JSON.stringify(serverMetadata(discovery));
      return { status: 200, body: JSON.parse(text.replaceAll(new URL(addresses.base()).host, String(host))) };
    },`,
    test: 'discovery.test.ts',
    name: 'a foreign Host changes nothing in the documents',
  },
];
