import type { PersonCredentials } from '#contract/connect/person-credentials';

/** What people have connected, for the vendors, which are made before the surface that knows it. */
export class CredentialShelf implements PersonCredentials {
  #credentials: PersonCredentials | undefined;

  fill(credentials: PersonCredentials | undefined): void {
    this.#credentials = credentials;
  }

  find: PersonCredentials['find'] = async (caller, provider) =>
    this.#credentials?.find(caller, provider);

  renew: PersonCredentials['renew'] = async (caller, provider, refused) =>
    this.#credentials?.renew(caller, provider, refused);

  place: PersonCredentials['place'] = (caller, provider) =>
    this.#credentials?.place(caller, provider);
}
