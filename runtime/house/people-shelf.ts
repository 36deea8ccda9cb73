import type { Arrival } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import type { Asker, SignedInPeople, Standing, Visitor } from '#contract/surface/people';

/** The people for the surfaces, which are made before them; nobody signs in before it is filled. */
export class PeopleShelf implements SignedInPeople {
  #people: SignedInPeople | undefined;

  fill(people: SignedInPeople | undefined): void {
    this.#people = people;
  }

  async visitor(http: Arrival | undefined): Promise<Visitor | undefined> {
    return this.#people?.visitor(http);
  }

  signInPath(path: string, tenant: string): string | undefined {
    return this.#people?.signInPath(path, tenant);
  }

  async standing(asker: Asker, person: Visitor): Promise<Standing> {
    return this.#people?.standing(asker, person) ?? 'foreign';
  }

  nobodyDecides(caller: Caller) {
    return this.#people?.nobodyDecides(caller);
  }
}
