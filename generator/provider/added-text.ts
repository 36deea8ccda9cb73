import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { shownText } from '../diagnostics/format-diagnostics.ts';
import type { Added } from './add-provider.ts';
import { credentialStep } from './credential-step.ts';
import { unknownHost } from './guess/guess-server.ts';

/** Tell what `provider add` has done, and what to do next. */
export function addedText(id: string, added: Added): string {
  const { written, requests, total, extended } = added;
  const { operations } = requests;
  const folder = `specs/providers/${id}`;
  const fixtures = written.filter((name) => name.startsWith('fixtures/')).length;
  return `${extended ? 'Extended' : 'Drafted'} the provider ${id}: ${operations.length} of ${total} operations are switched on${beside(added)}.

  ${folder}/curation.yaml  ${extended ? 'as it was' : 'the tools; guesses are marked "review"'}
  ${folder}/openapi.yaml   the part of the description that they need
  ${folder}/fixtures/      ${fixtures} new exchanges, made from the description
  ${folder}/UPSTREAM.json  where the description comes from
${notes(added)}
Next:
  1. Read curation.yaml${serverStep(id, requests)} and settle what is marked "review".
  2. npm run provider -- check ${id}
  3. npm run generate
  4. ${credentialStep(requests, added.credentialNote)}
  5. ${startStep(id, added)}
`;
}

function startStep(id: string, { firstCall, requests }: Added): string {
  if (firstCall === undefined) {
    return `SERVICE_PROVIDER=${id} npm start, then call a tool such as ${requests.operations[0]?.name}.`;
  }
  const { tool, arguments: given } = firstCall;
  return `SERVICE_PROVIDER=${id} npx agent-tool-server call ${tool} '${given}'
  6. SERVICE_PROVIDER=${id} npm start`;
}

/** No call gets anywhere before a person has done it. */
function serverStep(id: string, { servers }: Added['requests']): string {
  const isUnknown = URL.parse(servers[0].url)?.hostname === unknownHost(id);
  return isUnknown ? ', write the host of your server into "servers"' : '';
}

/** So many problems are shown one by one. */
const mostShown = 10;

/** What the number of all operations leaves out. */
function beside({ missingPaths }: Added): string {
  if (missingPaths.length === 0) return '';
  const paths = missingPaths.length === 1 ? 'path' : 'paths';
  return `; the operations of ${missingPaths.length} more ${paths} cannot be read`;
}

function notes(added: Added): string {
  const { licence, texts, errorsElsewhere, missingPaths, objection, unfollowed, failed } = added;
  return [
    added.isVast ? unasked : opinion(objection),
    ...(texts ? [] : [withoutTexts]),
    ...(texts && licence === undefined ? [unlicensedTexts] : []),
    ...(unfollowed.length > 0 ? [unfollowedNote(unfollowed)] : []),
    ...(failed.length > 0 ? [failedNote(failed)] : []),
    ...(missingPaths.length > 0 ? [missingNote(missingPaths)] : []),
    ...(added.heldBack?.length ? [heldNote(added.heldBack)] : []),
    ...(added.leftOut?.length ? [leftOutNote(added.leftOut)] : []),
    ...(errorsElsewhere.length > 0 ? [errorsNote(errorsElsewhere)] : []),
    ...(added.mended?.length ? [mendedNote(added.mended)] : []),
  ].join('');
}

function opinion(objection: string | undefined): string {
  if (objection === undefined) return accepted;
  return `\nswagger-parser does not accept the description: ${shownText(objection)}\n`;
}

const accepted = '\nswagger-parser accepts the description too.\n';

const unasked =
  '\nswagger-parser was not asked: it takes too long where references multiply or lead deep, or lists have thousands of objects.\n';

const withoutTexts = `
The texts of the description were left out, because you said so or its licence is none that is known
to allow copies. To keep them, run the same command with --texts keep, or with --licence if you know it.
`;

const unlicensedTexts = `
The description names no licence; its texts were kept. Where the folder is published and the texts are
not yours to publish, run the same command with --texts drop.
`;

function unfollowedNote(unfollowed: Added['unfollowed']): string {
  const lines = unfollowed.map(({ name, diagnostic }) => `${name}: ${toldWhere(diagnostic)}`);
  return `\nNot switched on, because what they take is not described in full:\n${listed(lines)}`;
}

/** The files that they were tried out in are gone. */
function failedNote(failed: Added['failed']): string {
  const count = failed.length === 1 ? '1 operation has' : `${failed.length} operations have`;
  const lines = failed.map(({ name, diagnostic: { code, message } }) =>
    message.includes(name) ? `${code} ${message}` : `${name}: ${code} ${message}`,
  );
  return `\nNot switched on, because ${count} an error, as the marks in curation.yaml say:\n${listed(lines)}`;
}

/** So many names show what is meant. */
const mostHeldShown = 3;

function heldNote(held: NonNullable<Added['heldBack']>): string {
  const lines = held.map(({ what, names }) => {
    const more = names.length - mostHeldShown;
    const shown = [...names.slice(0, mostHeldShown), ...(more > 0 ? [`${more} more`] : [])];
    return `${String(names.length).padStart(3)} ${what}: ${shown.join(', ')}`;
  });
  return `
Off until you say that agents may do it: remove the comment marks of an operation in curation.yaml, and run
the same command again. Its mark there says more.
${listed(lines)}`;
}

function leftOutNote(names: readonly string[]): string {
  return `
Optional headers and cookies that no tool takes. To make a header an argument of an operation, name it in
params: { include: [...] } of that operation in curation.yaml; cookies are not sent:
${listed(names)}`;
}

function missingNote(missing: Added['missingPaths']): string {
  const lines = missing.map(({ path, diagnostic }) => `${path}: ${toldWhere(diagnostic)}`);
  return `
Left out, because what these paths refer to cannot be read. Where it stands in other files, fetch all of them
and run the same command with --root DIR, the folder that holds them:
${listed(lines)}`;
}

function errorsNote(errors: readonly Diagnostic[]): string {
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return `
The description has ${count}; what is switched on is free of ${errors.length === 1 ? 'it' : 'them'}:
${listed(errors.map((error) => `${error.code} ${toldWhere(error)}`))}`;
}

function mendedNote(mended: readonly Diagnostic[]): string {
  const lines = mended.map((each) => `${each.code} ${toldWhere(each)}`);
  return `
Read otherwise than it is written, because that breaks the specification and can mean nothing else; where it
does, say in an overlay what is meant:
${listed(lines)}`;
}

function toldWhere({ message, file, line }: Diagnostic): string {
  return `${message} (${file}:${line})`;
}

/** A line for each of the first ones. */
function listed(lines: readonly string[]): string {
  const more = lines.length - mostShown;
  const shown = [...lines.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])];
  return shown.map((line) => `  ${shownText(line)}\n`).join('');
}
