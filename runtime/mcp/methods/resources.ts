import { ServiceError } from '#contract/errors';
import type { CachePolicy } from '../../offer/page.ts';
import type { Resources } from '../../offer/resources.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import { bindingOf, Dialogue } from '../request/dialogue.ts';
import type { Method } from '../request/method.ts';
import { errorCode } from '../wire/json-rpc.ts';
import { checkCursor, pageOutcome, withoutAccess } from './cursor.ts';

/** Contents may depend on who reads them. */
const readCache: CachePolicy = { ttlMs: 0, scope: 'private' };

/** List what can be read. */
export function resourcesList(resources: Resources): Method {
  return {
    check: checkCursor,
    async run({ cursor }, { caller }) {
      const page = await resources.page(cursor as string | undefined, caller);
      return pageOutcome('resources', page, withoutAccess);
    },
  };
}

/** List the patterns of what can be read. */
export function resourceTemplatesList(resources: Resources): Method {
  return {
    check: checkCursor,
    async run({ cursor }, { caller: { scopes } }) {
      const page = await resources.templatePage(cursor as string | undefined, scopes);
      return pageOutcome('resourceTemplates', page, withoutAccess);
    },
  };
}

/** Read one resource. */
export function resourcesRead(resources: Resources, dialogue: Dialogue): Method {
  return {
    subject: 'uri',
    check: (params) =>
      typeof params['uri'] === 'string' ? Dialogue.check(params) : '"uri" must be a string',
    async run(params, call): Promise<Outcome> {
      const uri = String(params['uri']);
      const read = resources.find(uri);
      if (!read) return { kind: 'noResource', uri };
      const binding = () => bindingOf('resources/read', uri, call);
      const refusal = dialogue.open(binding, params, call);
      if (refusal) return refusal;
      try {
        const contents = await read(call);
        if (!contents) return { kind: 'noResource', uri };
        return { kind: 'complete', result: { contents }, cache: readCache };
      } catch (error) {
        // With a status of its own, clients would take what is wrong in a URI for a broken connection.
        if (error instanceof ServiceError && error.status === 400) {
          return rejected(errorCode.invalidParams, error.message, { uri });
        }
        return dialogue.outcomeOf(error, binding, call);
      }
    },
  };
}
