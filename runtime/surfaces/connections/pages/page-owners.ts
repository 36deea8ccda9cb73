import { createHmac } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import type { House } from '#contract/house/house';
import type { FormPlace } from '#contract/house/pages';
import type { Owner } from '../records/connections.ts';

/** Somebody in front of a browser, whose accounts these are. */
export interface PageOwner extends Owner {
  /** As they are called on the page. */
  readonly name: string;
  /** To whom the forms of the page belong. */
  readonly formOf: FormPlace['caller'];
}

/** Whose page it is: nobody has signed in, or somebody else than the page is meant for. */
export type Opened = PageOwner | 'nobody' | 'other';

export interface PageOwners {
  /** Stands in the address of a page that is meant for one person, and shows nobody who that is. */
  tagOf(owner: Owner): string;
  /** Find out who has opened a page that is meant for `tag`, or for whoever opens it. */
  open(context: Pick<CallContext, 'caller' | 'http'>, tag: string | undefined): Promise<Opened>;
  /** All as whom a browser can act here. */
  all(context: Pick<CallContext, 'caller' | 'http'>): Promise<readonly PageOwner[]>;
}

/**
 * Tell who is in front of a browser: with SERVICE_AUTH=local whoever reaches the loopback interface is
 * the operator, and everywhere whoever has signed in. A token does not count: an agent would connect
 * accounts of its own choice.
 */
export function createPageOwners({ keys, people }: Pick<House, 'keys' | 'people'>): PageOwners {
  const tagOf = ({ tenant, subject }: Owner) =>
    createHmac('sha256', keys('connect page'))
      .update(JSON.stringify([tenant, subject]))
      .digest('base64url')
      .slice(0, 22);

  const all: PageOwners['all'] = async ({ caller, http }) => {
    const { tenant, subject, scopes } = caller;
    const visitor = await people.visitor(http);
    const operator = { tenant, subject, name: 'the operator of this server', formOf: caller };
    return [
      ...(scopes === 'all' ? [operator] : []),
      ...(visitor?.tenant === tenant
        ? [
            {
              ...{ tenant, subject: visitor.id, name: visitor.email },
              formOf: { tenant, subject: visitor.session },
            },
          ]
        : []),
    ];
  };

  return {
    tagOf,
    all,
    async open(context, tag) {
      const owners = await all(context);
      const [first] = owners;
      if (tag === undefined) return first ?? 'nobody';
      const meant = owners.find((owner) => tagOf(owner) === tag);
      if (meant) return meant;
      // The operator of this machine may sign in as well, and then be who is meant.
      const hasSignedIn = owners.some(({ formOf, subject }) => formOf.subject !== subject);
      return hasSignedIn ? 'other' : 'nobody';
    },
  };
}
