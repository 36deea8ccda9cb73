import type { Catalogue } from '../../catalogue.ts';
import { checkCursor, staleCursor } from './cursor.ts';
import type { Method } from './method.ts';

/** List the tools, page by page. */
export function toolsList(catalogue: Catalogue): Method {
  return {
    check: checkCursor,
    async run({ cursor }) {
      const page = await catalogue.page(cursor as string | undefined);
      return page ? { kind: 'toolPage', page } : staleCursor();
    },
  };
}
