import { isObject } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type ApiOperation, apiOperations } from '../../model/schema/api-operations.ts';
import type {
  CuratedAuth,
  CuratedOperation,
  CuratedPagination,
} from '../../model/shape/curation.ts';
import { cleanText, shorten } from '../../model/texts/clean-text.ts';
import type { ApiDocument, Loss } from '../../read/document/api-document.ts';
import { answerForm } from '../guess/answer-form.ts';
import { guessAnswerHeaders } from '../guess/answer-headers.ts';
import type { GuessedAuth } from '../guess/auth-candidate.ts';
import { guessAuth } from '../guess/guess-auth.ts';
import { guessErrors } from '../guess/guess-errors.ts';
import { guessServer } from '../guess/guess-server.ts';
import { guessOwnAuth, type OperationAuth } from '../guess/own-auth.ts';
import { answersOne } from '../operations/answers-one.ts';
import { shownCredential } from '../operations/aside/given-credential.ts';
import { brokenReferences } from '../operations/broken-references.ts';
import {
  hasAnswer,
  heldReason,
  isUntold,
  rankOperations,
} from '../operations/choose-operations.ts';
import { toolNames } from '../operations/operation-names.ts';
import { natureOf, type OperationNature } from '../operations/operation-nature.ts';
import { obstacles } from '../operations/operation-obstacle.ts';
import { type Twin, twinsOf } from '../operations/operation-twins.ts';
import { asideReason } from '../operations/set-aside.ts';
import { commonSentences } from '../operations/texts/more-told.ts';
import { framedOnes, purposeOf, unlikePurposes } from '../operations/texts/operation-purpose.ts';
import { holdsCredential } from '../source/public-address.ts';
import type { CurationDraft } from './curation-text.ts';
import { draftOperation, usualPagination } from './draft-operation.ts';

/** What the files of a provider are made from. */
export interface DraftSource {
  readonly id: string;
  readonly document: ApiDocument;
  /** Address of the description, for servers that are relative to it. */
  readonly origin: string | undefined;
  /** Path below which its host offers what it describes; absent where that is the root. */
  readonly below?: string | undefined;
  /** Whether whoever reads the description there logs in (RFC 7617). */
  readonly isBehindLogin?: boolean;
  /** Licence of the description's texts. */
  readonly licence: string | undefined;
  /** Whether they are kept. */
  readonly texts: boolean;
  /** What is wrong with the description. */
  readonly diagnostics?: readonly Diagnostic[];
  /** What is missing of it. */
  readonly losses?: readonly Loss[];
}

/** The operations of a description, judged, named and put in order. */
export interface Survey {
  readonly natures: readonly OperationNature[];
  /** Names of the tools, in the order of `natures`. */
  readonly names: readonly string[];
  /** Names of those that may be switched on, the most useful first. */
  readonly ranked: readonly string[];
  /** Those of which another one does the same. */
  readonly twins: ReadonlyMap<OperationNature, Twin>;
  /** Names of those that take something away: a person switches them on. */
  readonly destroying: ReadonlySet<string>;
  readonly usual: CuratedPagination | undefined;
  /** Why agents have no use for some of them. */
  readonly asides: ReadonlyMap<OperationNature, string>;
  /** Whether next to no read says what it answers. */
  readonly isUntold: boolean;
  /** Why requests of the named tools would be wrong. */
  readonly obstacles: ReadonlyMap<string, string>;
}

/** Look at every operation of a description. */
export function surveyOperations(source: DraftSource): Survey {
  const { id, document, origin } = source;
  const operations = apiOperations(document).all;
  const natures = operations.map((operation) => natureOf(document, operation));
  const one = new Set(
    natures.filter((nature) => answersOne(document, nature)).map(({ called }) => called),
  );
  const reading = new Set(natures.filter(({ reads }) => reads).map(({ called }) => called));
  const twins = twinsOf(document, natures);
  // What stays on has the name without a number, though an older version of it stands first.
  const inOrder = natures.toSorted((a, b) => Number(twins.has(a)) - Number(twins.has(b)));
  const left = new Set([...twins.keys()].map(({ called }) => called));
  const given = toolNames(
    id,
    inOrder.map(({ called }) => called),
    {
      givesOne: (operation) => one.has(operation),
      reads: (operation) => reading.has(operation),
      isTwin: (operation) => left.has(operation),
    },
  );
  const nameOf = new Map(inOrder.map((nature, index) => [nature, given[index] ?? id]));
  const names = natures.map((nature) => nameOf.get(nature) ?? id);
  const asides = new Map(
    natures.flatMap((nature) => {
      const reason = asideReason(document, nature);
      return reason === undefined ? [] : [[nature, reason] as const];
    }),
  );
  const { first } = rankOperations(document, natures, twins, new Set(asides.keys()));
  const ranked = first.map((nature) => nameOf.get(nature) ?? id);
  const destroying = new Set(
    natures.flatMap((nature) => (nature.destroys ? (nameOf.get(nature) ?? id) : [])),
  );
  const obstacleOf = obstacles({ id, document, origin });
  const brokenOf = brokenReferences(source);
  const found = natures.flatMap((nature) => {
    const reason = brokenOf(nature.operation)?.message ?? obstacleOf(nature.operation);
    return reason === undefined ? [] : [[nameOf.get(nature) ?? id, reason] as const];
  });
  const usual = usualPagination(document, natures);
  return {
    ...{ natures, names, ranked, twins, destroying, usual, asides },
    ...{ obstacles: new Map(found), isUntold: isUntold(document, natures) },
  };
}

/** Draft a curation file in which the named tools are switched on. */
export function draftCuration(
  source: DraftSource,
  survey: Survey,
  switchedOn: ReadonlySet<string>,
): CurationDraft {
  return curationDrafter(source, survey)(switchedOn);
}

/** A tool that was tried out, and the error that it has. */
interface Failed {
  readonly name: string;
  readonly diagnostic: Diagnostic;
}

/** A message names parts of the description, which may be long. */
const longestFault = 200;

/**
 * The same for several choices of tools: which of them are on changes nothing in what they do. What
 * has failed when it was tried out stays off with the reason.
 */
export function curationDrafter(
  source: DraftSource,
  survey: Survey,
): (switchedOn: ReadonlySet<string>, failed?: readonly Failed[]) => CurationDraft {
  const { id, document, origin, licence } = source;
  const { natures, usual, obstacles } = survey;
  const ranked = new Set(survey.ranked);
  const errors = guessErrors(document, natures);
  const server = guessServer(document, id, origin, source.below);
  // A credential is for the host that wanted it.
  const isOwn = origin !== undefined && URL.parse(server.url)?.host === new URL(origin).host;
  const auth = guessAuth(document, id, isOwn && source.isBehindLogin);
  const others = guessOwnAuth(document, id, auth);
  const owns = natures.map(({ operation }) => others.of(operation));
  const drafted = draftOperations(source, survey, { auth, otherAuth: others.entries, owns });
  const homepage = homepageOf(document);
  const whole = {
    id,
    title: titleOf(id, document),
    ...(homepage !== undefined && { homepage }),
    ...(licence !== undefined && { licence }),
    server,
    auth,
    otherAuth: others.entries,
    ...(usual && { pagination: usual }),
    ...(errors && { errors }),
  };
  return (switchedOn, failed = []) => {
    const faults = new Map(failed.map(({ name, diagnostic }) => [name, faultText(diagnostic)]));
    const operations = drafted.map(({ nature, operation, ownNote }) => {
      const { name } = operation;
      const isOn = switchedOn.has(name);
      const note = isOn
        ? doubtsOf(document, nature, { ...survey, name, isRanked: ranked.has(name) })
        : offReason(document, nature, survey);
      const review = [obstacles.get(name), faults.get(name), note, ownNote]
        .filter(Boolean)
        .join('; ');
      return { operation, switchedOn: isOn, ...(review !== '' && { review }) };
    });
    return { ...whole, operations };
  };
}

function faultText({ code, message, pointer }: Diagnostic): string {
  const at = pointer === '' ? '' : ` at ${pointer}`;
  return `it has an error, and stays off: ${shorten(`${code} ${message}${at}`, longestFault)}`;
}

interface DraftedOperation {
  readonly nature: OperationNature;
  readonly operation: CuratedOperation;
  /** What there is to know of its own credential. */
  readonly ownNote: string | undefined;
}

interface Credentials {
  readonly auth: GuessedAuth;
  readonly otherAuth: readonly CuratedAuth[];
  /** What each operation takes instead, where that is not the usual one. */
  readonly owns: readonly (OperationAuth | undefined)[];
}

function draftOperations(
  { id, document, texts }: DraftSource,
  { natures, names, usual }: Survey,
  { auth, otherAuth, owns }: Credentials,
): readonly DraftedOperation[] {
  const headers = guessAnswerHeaders(document);
  const answeredBy = (operation: ApiOperation) => ({
    shown: headers.shownBy(operation),
    describe(header: string) {
      const source = headers.sourceOf(operation, header);
      const at = natures.findIndex((each) => each.operation.pointer === source?.operation.pointer);
      if (!source || at < 0) return undefined;
      return `The ${source.name} in response_headers of what ${names[at]} answers.`;
    },
  });
  const common = commonSentences(natures.map(({ operation }) => operation));
  const framed = framedOnes(natures.map(({ operation }) => operation));
  const saidOf = ({ operation }: OperationNature) =>
    purposeOf(operation, undefined, { isFramed: framed.has(operation) });
  const said = Map.groupBy(natures, saidOf);
  const drafted = natures.map((nature, index) => {
    const name = names[index] ?? id;
    const isShared = (said.get(saidOf(nature)) ?? []).length > 1;
    const isFramed = framed.has(nature.operation);
    const { auth: own, review: ownNote } = owns[index] ?? {};
    const answered = answeredBy(nature.operation);
    const choices = {
      name,
      usual,
      auth,
      otherAuth,
      own,
      texts,
      answered,
      isShared,
      isFramed,
      common,
    };
    return { nature, operation: draftOperation(document, nature, choices), ownNote };
  });
  const purposes = unlikePurposes(
    drafted.map(({ nature, operation: { purpose } }) => ({ ...nature, purpose })),
  );
  return drafted.map(({ operation, ...others }, index) => ({
    ...others,
    operation: { ...operation, purpose: purposes[index] ?? operation.purpose },
  }));
}

const untoldAnswer = 'nothing that it answers is described';

/** What a person should ask of a tool that is on. */
function doubtsOf(
  document: ApiDocument,
  nature: OperationNature,
  {
    name,
    isRanked,
    destroying,
    asides,
    isUntold: noneTells,
  }: Survey & { readonly name: string; readonly isRanked: boolean },
): string | undefined {
  if (isRanked) {
    if (!nature.reads) return 'it changes something: may agents do that?';
    const shown = shownCredential(document, nature);
    if (shown !== undefined) return shownText(shown);
    return noneTells || hasAnswer(document, nature) ? undefined : untoldAnswer;
  }
  const harm = destroying.has(name) ? ' Its name says that it takes something away' : '';
  const aside = asides.get(nature) ?? heldReason(nature);
  const why = aside === undefined ? '' : `${aside}; `;
  return `${why}no read that answers JSON was found: is this the one to begin with?${harm}`;
}

/** What to do where an answer holds more than agents should see. */
function shownText(member: string): string {
  return `its answer shows "${member}", which may be a credential: name it in response: { drop: [...] }`;
}

/** Why a tool is off, where that is not for want of room. */
function offReason(
  document: ApiDocument,
  nature: OperationNature,
  { twins, asides, isUntold: noneTells }: Survey,
): string | undefined {
  const twin = twins.get(nature)?.reason;
  if (twin !== undefined) return `one of the two is enough: ${twin}`;
  const isSilent = nature.reads && !noneTells && !hasAnswer(document, nature);
  const form = answerForm(document, nature.operation);
  const why = form === 'binary' ? 'it answers with a file' : untoldAnswer;
  const held = heldReason(nature);
  if (asides.get(nature) === undefined && held !== undefined)
    return `${held}: switch it on if agents may do that`;
  return asides.get(nature) ?? (isSilent ? `${why}: switch it on if it is of use` : undefined);
}

/** The title of the description, with the name of the provider in it. */
function titleOf(id: string, document: ApiDocument): string {
  const name = id.replaceAll('_', ' ');
  const title = (cleanText(document.root.info['title']) ?? '').replace(/\s+/g, ' ').trim();
  const isNamed = title.toLowerCase().replace(/\W+/g, '').includes(id.replaceAll('_', ''));
  return shorten(
    isNamed ? title : `${name.charAt(0).toUpperCase()}${name.slice(1)} ${title}`.trim(),
    60,
  );
}

function homepageOf({ root }: ApiDocument): string | undefined {
  const { contact } = root.info;
  const documentation = root['externalDocs'];
  const candidates = [documentation, contact].map((node) => (isObject(node) ? node['url'] : ''));
  return candidates
    .map(String)
    .find((text) => /^https?:\/\/[^\s"<>]+$/.test(text) && !holdsCredential(text));
}
