import type { Added } from './add-provider.ts';

/** Tell what `provider add` has done, and what to do next. */
export function addedText(
  id: string,
  { written, requests, total, licence, extended }: Added,
): string {
  const tools = requests.operations;
  const folder = `specs/providers/${id}`;
  const fixtures = written.filter((name) => name.startsWith('fixtures/')).length;
  const first = tools[0]?.name ?? `${id}_...`;
  const [variable] = requests.auth.flatMap(({ env }) => env ?? []);
  return `${extended ? 'Extended' : 'Drafted'} the provider ${id}: ${tools.length} of ${total} operations are switched on.

  ${folder}/curation.yaml  ${extended ? 'as it was' : 'the tools; guesses are marked "review"'}
  ${folder}/openapi.yaml   the part of the description that they need
  ${folder}/fixtures/      ${fixtures} new exchanges, made from the description
  ${folder}/UPSTREAM.json  where the description comes from
${licence === undefined ? withoutTexts : ''}
Next:
  1. Read curation.yaml and settle what is marked "review".
  2. npm run provider -- check ${id}
  3. npm run generate
  4. ${variable === undefined ? 'No credential is needed.' : `Set ${variable} to a credential of yours.`}
  5. SERVICE_PROVIDER=${id} npm start, or try one tool: SERVICE_PROVIDER=${id} npx node runtime/cli.ts call ${first} '{}'
`;
}

const withoutTexts = `
The description names no licence that allows copies, so its texts were left out. If you know its
licence, remove the folder and add the provider again with --licence.
`;
