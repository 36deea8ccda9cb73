import type { Pages } from '#contract/house/pages';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { elevationPage } from '../pages/consent-page.ts';
import { tellingPage } from '../pages/parts.ts';
import type { Person } from '../people/person.ts';
import type { Sessions } from '../people/sessions.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import { secretHash } from '../secrets/secret.ts';
import { type Elevation, elevationPath } from './elevation.ts';

export interface ElevationHandlerParts {
  readonly elevation: Elevation;
  readonly sessions: Pick<Sessions, 'current'>;
  readonly pages: Pages;
  readonly scopes: Pick<Scopes, 'sentence'>;
  readonly tenant: string;
}

const gone = tellingPage(
  'Not found',
  'There is no such request for you, or it is over. Let the agent try again what it wanted to do.',
);
const foreign = tellingPage(
  'Not taken',
  'This answer did not come from the page. Open it again and answer there.',
);
const given = tellingPage('Allowed', 'It can go on now. You can close this page.');
const denied = tellingPage('Not allowed', 'Nothing has changed. You can close this page.');

/** The page on which a person gives more to what acts for them. */
export function createElevationHandlers(
  parts: ElevationHandlerParts,
): Pick<IdentityHandlers, 'showElevation' | 'decideElevation'> {
  const { elevation, sessions, pages, scopes, tenant } = parts;
  const told = <Status extends number>(status: Status, page: Parameters<Pages['show']>[0]) => ({
    status,
    ...pages.show(page),
  });
  const placeOf = (person: Person, written: string) => ({
    path: elevationPath,
    caller: { tenant, subject: `${person.id} ${secretHash(written)}` },
  });
  return {
    async showElevation({ parameters: { request: written }, context: { http } }) {
      const person = await sessions.current(http);
      if (!person) {
        const back = encodeURIComponent(`${elevationPath}?request=${written}`);
        const headers = { location: `/sign-in?return_to=${back}`, 'cache-control': 'no-store' };
        return { status: 303, headers };
      }
      const request = await elevation.read(written, person);
      if (!request) return told(404, gone);
      const shown = request.scopes.map((name) => ({ name, sentence: scopes.sentence(name) }));
      const asker = await elevation.askerOf(request);
      const form = pages.form(placeOf(person, written), http);
      return told(200, elevationPage({ scopes: shown, person, key: written, asker }, form));
    },
    async decideElevation({ body, context: { http } }) {
      const { request: written, token, decision } = body;
      const person = await sessions.current(http);
      if (!person || !pages.accepts(placeOf(person, written), token, http)) {
        return told(403, foreign);
      }
      const request = await elevation.read(written, person);
      if (!request) return told(404, gone);
      if (decision === 'deny') return told(200, denied);
      const isGiven = await elevation.allow(written, request, person);
      return isGiven ? told(200, given) : told(404, gone);
    },
  };
}
