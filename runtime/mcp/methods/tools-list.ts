import type { Catalogue } from '../../offer/catalogue.ts';
import { profileOf } from '../profiles/profile-of.ts';
import type { Method } from '../request/method.ts';
import { checkCursor, staleCursor } from './cursor.ts';

/** List the tools, page by page. */
export function toolsList(catalogue: Catalogue): Method {
  return {
    check: checkCursor,
    async run({ cursor }, { client, caller }) {
      const page = await catalogue.page(cursor as string | undefined, caller);
      if (!page) return staleCursor();
      return { kind: 'toolPage', page, profile: profileOf(client) };
    },
  };
}
