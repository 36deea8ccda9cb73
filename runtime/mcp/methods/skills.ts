import type { CachePolicy } from '../../offer/page.ts';
import type { Skills } from '../../offer/skills.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import type { Method } from '../request/method.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';
import { checkCursor, pageOutcome, withoutAccess } from './cursor.ts';

/** Skills change with the version of the server alone. */
const cache: CachePolicy = { ttlMs: 300_000, scope: 'public' };

/** The methods of the Skills extension (SEP-2640). */
export function skillMethods(skills: Skills): readonly (readonly [string, Method])[] {
  return [
    ['skills/list', skillsList(skills)],
    ['skills/get', skillsGet(skills)],
    ['resources/directory/read', directoryRead(skills)],
  ];
}

/** List the skills, each with all of its files. */
function skillsList(skills: Skills): Method {
  return {
    check: checkCursor,
    async run({ cursor }, { caller }) {
      const page = await skills.page(cursor as string | undefined, caller);
      return pageOutcome('skills', page, (entry) => entry);
    },
  };
}

/** Give the entry of one skill. */
function skillsGet(skills: Skills): Method {
  return {
    check: checkUri,
    async run({ uri }, { caller }): Promise<Outcome> {
      const skill = await skills.find(String(uri), caller);
      return skill
        ? { kind: 'complete', result: { skill }, cache }
        : refused(`there is no skill at ${clippedUri(uri)}`);
    },
  };
}

/** List what stands directly in a folder of a skill. */
function directoryRead(skills: Skills): Method {
  return {
    check: (params) => checkUri(params) ?? checkCursor(params),
    async run({ uri, cursor }, { caller }): Promise<Outcome> {
      const folder = await skills.folder(String(uri), caller);
      return folder
        ? pageOutcome('resources', folder.get(cursor as string | undefined), withoutAccess)
        : refused(`${clippedUri(uri)} is no folder`);
    },
  };
}

function refused(message: string): Outcome {
  return rejected(errorCode.invalidParams, message);
}

function clippedUri(uri: unknown): string {
  return JSON.stringify(String(uri).slice(0, 200));
}

function checkUri({ uri }: Params): string | undefined {
  return typeof uri === 'string' ? undefined : '"uri" must be a string';
}
