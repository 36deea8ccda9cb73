import type { Added } from './add-provider.ts';

/** Tell what `provider add` has done, and what to do next. */
export function addedText(id: string, added: Added): string {
  const { written, requests, total, extended } = added;
  const { operations, auth } = requests;
  const folder = `specs/providers/${id}`;
  const fixtures = written.filter((name) => name.startsWith('fixtures/')).length;
  const [variable] = auth.flatMap(({ env }) => env ?? []);
  const credential =
    variable === undefined
      ? 'No credential is needed.'
      : `Set ${variable} to a credential of yours.`;
  return `${extended ? 'Extended' : 'Drafted'} the provider ${id}: ${operations.length} of ${total} operations are switched on.

  ${folder}/curation.yaml  ${extended ? 'as it was' : 'the tools; guesses are marked "review"'}
  ${folder}/openapi.yaml   the part of the description that they need
  ${folder}/fixtures/      ${fixtures} new exchanges, made from the description
  ${folder}/UPSTREAM.json  where the description comes from
${notes(added)}
Next:
  1. Read curation.yaml and settle what is marked "review".
  2. npm run provider -- check ${id}
  3. npm run generate
  4. ${credential}
  5. SERVICE_PROVIDER=${id} npm start, then call a tool such as ${operations[0]?.name}.
`;
}

function notes({ licence, texts, errorsElsewhere, objection, unfollowed }: Added): string {
  return [
    objection === undefined
      ? accepted
      : `\nswagger-parser does not accept the description: ${objection}\n`,
    ...(texts ? [] : [withoutTexts]),
    ...(texts && licence === undefined ? [unlicensedTexts] : []),
    ...(unfollowed.length > 0 ? [unfollowedNote(unfollowed)] : []),
    ...(errorsElsewhere > 0 ? [errorsNote(errorsElsewhere)] : []),
  ].join('');
}

const accepted = '\nswagger-parser accepts the description too.\n';

const withoutTexts = `
The texts of the description were left out, because you said so or its licence is none that is known
to allow copies. To keep them, run the same command with --texts keep, or with --licence if you know it.
`;

const unlicensedTexts = `
The description names no licence; its texts were kept. Where the folder is published and the texts are
not yours to publish, run the same command with --texts drop.
`;

function unfollowedNote(unfollowed: Added['unfollowed']): string {
  const lines = unfollowed.map(({ name, diagnostic: { file, line, message } }) => {
    return `  ${name}: ${message} (${file}:${line})`;
  });
  return `\nNot switched on, because what they take is not described in full:\n${lines.join('\n')}\n`;
}

function errorsNote(count: number): string {
  return `
The description has ${count} errors; what is switched on is free of them.
`;
}
