import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { planProviderFolder } from '../kinds/providers.ts';
import { apiOperations, parametersOf } from '../model/schema/api-operations.ts';
import type { Curation } from '../model/shape/curation.ts';
import type { ToolModel } from '../model/shape/provider-model.ts';
import type { ApiDocument, Loss } from '../read/document/api-document.ts';
import { readApi } from '../read/read-api.ts';
import { readChecked } from '../read/text/checked-yaml.ts';
import { parsePointer } from '../read/text/json-pointer.ts';
import { curationText } from './draft/curation-text.ts';
import { descriptionLicence, keepsTexts } from './draft/description-licence.ts';
import { curationDrafter, type DraftSource, surveyOperations } from './draft/draft-curation.ts';
import {
  type CuratedRequests,
  draftDescription,
  draftFixtures,
  requestsOf,
  upstreamText,
} from './draft/draft-files.ts';
import { type ProviderFile, writeProvider } from './draft/write-provider.ts';
import { type FirstCall, firstCall } from './first-call.ts';
import { lostOperations } from './lost-operations.ts';
import { type HeldBack, heldTogether } from './operations/aside/held-summary.ts';
import { leftOut } from './operations/left-out.ts';
import type { OperationNature } from './operations/operation-nature.ts';
import { refusalText } from './refusal-text.ts';
import { secondOpinion } from './second-opinion.ts';
import { type DescriptionSource, openDescription } from './source/description-source.ts';
import { servedBelow } from './source/served-below.ts';
import { type SwitchedOff, tryOut } from './try-out.ts';

/** What `provider add` is asked for. */
export interface AddOptions {
  readonly id: string;
  /** The folder that holds `specs/`. */
  readonly base: string;
  /** File or http(s) address of the description. */
  readonly description: string;
  readonly root?: string;
  /** Licence of the description's texts, when the operator knows it. */
  readonly licence?: string;
  /** Whether the description's texts are kept; where this is left open, its licence decides. */
  readonly texts?: boolean;
  /** Today, as UPSTREAM.json keeps it. */
  readonly day: string;
}

/** What `provider add` has done. */
export interface Added {
  readonly written: readonly string[];
  readonly requests: CuratedRequests;
  readonly total: number;
  readonly licence: string | undefined;
  /** Whether the description's texts were kept. */
  readonly texts: boolean;
  /** Paths of the description of which nothing is known: what they refer to cannot be read. */
  readonly missingPaths: readonly MissingPath[];
  /** The other errors of the description, none of which touches what is switched on. */
  readonly errorsElsewhere: readonly Diagnostic[];
  /** What of the description is read otherwise than it is written, because it can only mean that. */
  readonly mended?: readonly Diagnostic[];
  /** Tools that stay switched off because of a reference that cannot be followed. */
  readonly unfollowed: readonly SwitchedOff[];
  /** Tools that stay switched off because they have an error. */
  readonly failed: readonly SwitchedOff[];
  /** What stays switched off until a person says otherwise; absent where the curation was there already. */
  readonly heldBack?: readonly HeldBack[] | undefined;
  /** What another reader objects to in the description; absent where it accepts it. */
  readonly objection: string | undefined;
  /** Whether its references multiply or lead too deep, or its lists are long, so that no other reader was asked. */
  readonly isVast?: boolean;
  /** Optional headers and cookies that no tool takes, such as `header X-Dry-Run`. */
  readonly leftOut?: readonly string[];
  /** What there is to know of the usual credential; absent where the curation was there already. */
  readonly credentialNote?: string | undefined;
  /** A call to try it with; absent where each changes something or asks for much. */
  readonly firstCall?: FirstCall | undefined;
  /** Whether curation.yaml was there already. */
  readonly extended: boolean;
  /** What is wrong with the provider as it stands now. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A path whose operations are not among those that were counted, and why. */
export interface MissingPath {
  readonly path: string;
  readonly diagnostic: Diagnostic;
}

/** Nothing was written, and why. */
export interface NotAdded {
  readonly diagnostics: readonly Diagnostic[];
  readonly problem?: string;
}

export type AddResult = Added | NotAdded;

/**
 * Scaffold a provider out of a description, or bring an existing one up to its curation: the
 * curation is never overwritten.
 */
export async function addProvider(options: AddOptions): Promise<AddResult> {
  const { base, description, root } = options;
  const opened = await openDescription(description, base, root);
  try {
    const { file, root: folder, origin } = opened;
    const read = await readApi({ file, root: folder, base, address: origin, repairs: true });
    const { document, isVast = false, isAccepted = false } = read;
    const isFetched = origin !== undefined;
    const told = new Map(read.diagnostics.map((each) => [each, withRoot(each, isFetched)]));
    const diagnostics = [...told.values()];
    const losses = (read.losses ?? []).map(({ pointer, diagnostic }) => ({
      pointer,
      diagnostic: told.get(diagnostic) ?? diagnostic,
    }));
    return document
      ? await addDocument(options, opened, { document, diagnostics, losses, isVast, isAccepted })
      : { diagnostics };
  } finally {
    opened.close();
  }
}

/** A description in several files is read once somebody says which folder holds them all. */
function withRoot(diagnostic: Diagnostic, isFetched: boolean): Diagnostic {
  if (isFetched && diagnostic.code.startsWith('SPEC') && /\$ref/.test(diagnostic.message)) {
    const help =
      'only the one file at the address is fetched: fetch all of its files into a folder, then give the file with --openapi and the folder with --root';
    return { ...diagnostic, help: diagnostic.help ?? help };
  }
  if (
    diagnostic.code === 'SPEC006' &&
    / leads to a file that is missing$/.test(diagnostic.message)
  ) {
    const help = `it is looked for from ${diagnostic.file} on: put it there, with --root DIR where it stands above that folder`;
    return { ...diagnostic, help: diagnostic.help ?? help };
  }
  if (diagnostic.code !== 'SPEC007' || diagnostic.help !== undefined) return diagnostic;
  return { ...diagnostic, help: 'give --root DIR, the folder that holds all of its files' };
}

async function addDocument(
  options: AddOptions,
  opened: DescriptionSource,
  read: {
    readonly document: ApiDocument;
    readonly diagnostics: readonly Diagnostic[];
    readonly losses: readonly Loss[];
    readonly isVast: boolean;
    readonly isAccepted: boolean;
  },
): Promise<AddResult> {
  const { id, base, day } = options;
  const { document } = read;
  const licence = options.licence ?? descriptionLicence(document);
  const { diagnostics: found, losses } = read;
  const texts = options.texts ?? keepsTexts(document, licence);
  const source = {
    id,
    document,
    origin: opened.origin,
    isBehindLogin: opened.isBehindLogin,
    licence,
    texts,
    diagnostics: found,
    losses,
  };
  const planned = await planWhereItAnswers(source, base);
  if (!('requests' in planned)) return planned;
  const { requests } = planned;
  const total = apiOperations(document).all.length;
  if (requests.operations.length === 0) {
    const missing = read.diagnostics.flatMap(asMissingPath).length;
    const paths = read.diagnostics.find(({ pointer }) => pointer === '/paths/$ref');
    const problem = refusalText(document, total, { refused: planned.refused, missing, paths });
    // That there are none says nothing that is true where they stand in a file.
    const told = read.diagnostics.filter(({ code }) => paths === undefined || code !== 'SPEC005');
    return { diagnostics: told, problem };
  }
  const description = draftDescription(document, requests, texts);
  const extended = planned.files.length === 0;
  const lost = extended ? await lostOperations(base, id, description) : [];
  if (lost.length > 0) {
    const problem = `${lost.length} of the ${requests.operations.length} operations in curation.yaml are not in this description: give the one that has them, or take them out of curation.yaml first`;
    return { diagnostics: lost, problem };
  }
  const upstream = upstreamText({
    source: opened.upstream,
    version: String(document.root.info['version'] ?? ''),
    bytes: opened.bytes,
    licence,
    day,
    total,
    kept: requests.operations.length,
  });
  const written = writeProvider(base, id, [
    ...planned.files,
    description,
    { name: 'UPSTREAM.json', text: upstream, keep: false },
  ]);
  // Fixtures hold the arguments that the tools take, so the tools are there first.
  const tools = planned.tools ?? (await planProviderFolder(base, id)).model?.tools ?? [];
  const fixtures = draftFixtures(document, requests, tools);
  written.push(...writeProvider(base, id, fixtures));
  const { diagnostics } = await planProviderFolder(base, id);
  const errors = read.diagnostics.filter(({ severity }) => severity === 'error');
  const missingPaths = errors.flatMap(asMissingPath);
  const told = [...missingPaths, ...planned.unfollowed].map(({ diagnostic }) => diagnostic);
  return {
    written,
    requests,
    total,
    licence,
    texts,
    missingPaths,
    errorsElsewhere: errors.filter((error) => !told.includes(error)),
    mended: read.diagnostics.filter(isMended),
    unfollowed: planned.unfollowed,
    failed: planned.failed,
    objection:
      read.isVast || read.isAccepted ? undefined : await secondOpinion(opened.file, opened.root),
    isVast: read.isVast,
    leftOut: leftOut(document, requests.operations),
    credentialNote: planned.note,
    heldBack: planned.heldBack,
    firstCall: firstCall(requests, fixtures),
    extended,
    diagnostics,
  };
}

/** Warnings of texts, structure and closed objects tell what was made of them; the draft holds that. */
function isMended({ code, severity }: Diagnostic): boolean {
  return severity === 'warning' && ['SPEC002', 'SPEC005', 'SPEC027'].includes(code);
}

function asMissingPath(diagnostic: Diagnostic): MissingPath[] {
  const [, step, ...rest] = parsePointer(diagnostic.pointer);
  const isPath = /^\/paths\/[^/]+\/\$ref$/.test(diagnostic.pointer);
  return isPath && rest.length === 1 ? [{ path: String(step), diagnostic }] : [];
}

/** The requests of a new curation go where the host of a description without servers answers them. */
async function planWhereItAnswers(source: DraftSource, base: string): Promise<Planned> {
  const planned = await planRequests(source, base);
  const isNamed = (source.document.root.servers ?? []).length > 0;
  if (source.origin === undefined || isNamed || !('plainReads' in planned)) return planned;
  const text = String(source.document.root.info['description'] ?? '');
  const below = await servedBelow(source.origin, planned.plainReads ?? [], text);
  return below === undefined ? planned : await planRequests({ ...source, below }, base);
}

/** What a curation asks for, or why there is none. */
type Planned =
  | {
      readonly requests: CuratedRequests;
      readonly files: readonly ProviderFile[];
      /** Absent where the curation was there already. */
      readonly tools?: readonly ToolModel[];
      readonly refused: readonly Diagnostic[];
      readonly unfollowed: readonly SwitchedOff[];
      readonly failed: readonly SwitchedOff[];
      readonly note?: string | undefined;
      readonly heldBack?: readonly HeldBack[];
      /** Paths of operations that only read and take nothing, switched on or not. */
      readonly plainReads?: readonly string[];
    }
  | { readonly diagnostics: readonly Diagnostic[] };

function plainReads(document: ApiDocument, natures: readonly OperationNature[]): readonly string[] {
  const plain = natures.filter(({ operation, reads }) => {
    const isFixed = operation.method === 'GET' && !operation.path.includes('{');
    return reads && isFixed && !parametersOf(document, operation).some(({ required }) => required);
  });
  return plain.map(({ operation }) => operation.path);
}

/** What the curation asks for: the one that is there, or a new one. */
async function planRequests(source: DraftSource, base: string): Promise<Planned> {
  const path = join(base, 'specs/providers', source.id, 'curation.yaml');
  if (existsSync(path)) {
    const { content, diagnostics } = readChecked<Curation>(path, base, 'provider-curation');
    return content
      ? { requests: content, files: [], refused: [], unfollowed: [], failed: [] }
      : { diagnostics };
  }
  const survey = surveyOperations(source);
  const drafter = curationDrafter(source, survey);
  const whole = drafter(new Set(survey.names));
  const { usable, tools, refused, unfollowed, failed } = await tryOut(source, survey, whole);
  const draft = drafter(usable, failed);
  return {
    requests: requestsOf(draft),
    files: [{ name: 'curation.yaml', text: curationText(draft), keep: true }],
    tools,
    refused,
    unfollowed,
    failed,
    note: draft.auth.note,
    heldBack: heldTogether(survey),
    plainReads: plainReads(source.document, survey.natures),
  };
}
