import type { Catalogue } from '../../catalogue.ts';
import { errorCode } from '../json-rpc.ts';
import { rejected } from '../outcome.ts';
import type { Method } from './method.ts';

/** List the tools, page by page. */
export function toolsList(catalogue: Catalogue): Method {
  return {
    check: ({ cursor }) =>
      cursor === undefined || typeof cursor === 'string' ? undefined : '"cursor" must be a string',
    async run({ cursor }) {
      const page = await catalogue.page(cursor as string | undefined);
      return page
        ? { kind: 'toolPage', page }
        : rejected(
            errorCode.invalidParams,
            'the cursor is not valid any more; list from the start',
          );
    },
  };
}
