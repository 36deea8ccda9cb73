import { resolve } from 'node:path';
import { diagnose } from '../diagnostics/diagnose.ts';
import { sortDiagnostics } from '../diagnostics/format-diagnostics.ts';
import { checkMeaning } from './check/check-meaning.ts';
import { checkShape } from './check/check-shape.ts';
import { leaveOutLong } from './check/long-addresses.ts';
import type { ApiDocument, OpenApi, ReadResult } from './document/api-document.ts';
import { loadGrammar, recognise, type Version } from './document/document-version.ts';
import type { Node } from './document/walk.ts';
import { lose, report, takeOut, type WorkingDocument } from './document/working-document.ts';
import { isVastWrittenOut } from './document/written-out.ts';
import { Bundler } from './references/bundle.ts';
import { plainReferences } from './references/dynamic-references.ts';
import { checkLocalReferences, dropDangling } from './references/local-references.ts';
import { includeSections } from './references/section-references.ts';
import { repairClosed } from './repair/closed/repair-closed.ts';
import { repairClosedParts } from './repair/closed/repair-closed-parts.ts';
import { repairDocument } from './repair/repair-document.ts';
import { parsePointer } from './text/json-pointer.ts';
import { Origins } from './text/origins.ts';
import { type ParsedFile, printedPath } from './text/parsed-file.ts';
import { openSpecFiles } from './text/spec-files.ts';
import { upgrade } from './upgrade/upgrade.ts';

export interface ReadOptions {
  readonly file: string;
  /** Nothing outside of this folder is read. */
  readonly root: string;
  /** An OpenAPI Overlay to apply. */
  readonly overlay?: string;
  /** The folder that reported paths are relative to. */
  readonly base: string;
  /** What reports call the file in the place of its path: where it was fetched. */
  readonly address?: string | undefined;
  /** Whether what a vendor wrote wrong is read as it is meant, where that is clear. */
  readonly repairs?: boolean;
}

/**
 * Read an API description of any supported version into one document of the internal shape, and
 * report everything that is wrong with it.
 */
export async function readApi(options: ReadOptions): Promise<ReadResult> {
  const file = resolve(options.file);
  const files = openSpecFiles(options.root, options.base, options.address);
  const entry = files.open(file);
  if (entry === undefined)
    return { diagnostics: [unreadable(file, options.base, files.isInside(file))] };
  if (entry.value === undefined) return { diagnostics: files.diagnostics() };
  const recognised = recognise(entry.value);
  if (!('root' in recognised)) {
    const { key, message, help } = recognised;
    const pointer = key === undefined ? '' : `/${key}`;
    const problem = diagnose('SPEC004', { ...entry.locate(pointer), pointer }, message, { help });
    return { diagnostics: [...files.diagnostics(), problem] };
  }
  const { root, version, doubt } = recognised;
  // Before anything is changed.
  const isAccepted = options.repairs === true && (await isAcceptedByOthers(entry, root));
  const document: WorkingDocument = {
    root,
    entry,
    files,
    origins: new Origins(root, entry),
    grammar: await loadGrammar(version),
    diagnostics: [],
    losses: [],
    damaged: new WeakSet(),
  };
  if (doubt) {
    const { key, message, help } = doubt;
    report(document, 'SPEC004', [key], message, { severity: 'warning', help });
    root[key] = key === 'swagger' ? version : `${version}.0`;
  }
  leaveOutLong(document);
  if (options.repairs === true) includeSections(document);
  const repair = options.repairs === true ? repairDocument(document, version) : undefined;
  plainReferences(document);
  const bundler = new Bundler(document, repair?.object);
  if (options.overlay !== undefined) {
    bundler.run(false);
    await overlayWith(document, resolve(options.overlay), options.base);
  }
  const bundled = bundler.run(true);
  if (bundler.hasForeign) {
    leaveOutLong(document);
    repair?.paths();
  }
  const references = checkLocalReferences(document, bundled);
  const isVast = options.repairs === true && isVastWrittenOut(root);
  applyGrammar(document);
  if (options.repairs === true) {
    repairClosed(document);
    repairClosedParts(document);
  }
  await upgrade(document, version, references);
  await checkMeaning(document, version);
  return {
    document: apiDocument(
      document,
      version,
      options.address ?? printedPath(entry.path, options.base),
    ),
    losses: document.losses,
    isVast,
    isAccepted,
    diagnostics: sortDiagnostics([...files.diagnostics(), ...document.diagnostics]),
  };
}

async function isAcceptedByOthers({ isPlain }: ParsedFile, root: Node): Promise<boolean> {
  if (isPlain !== true) return false;
  const { isAcceptedAsWritten } = await import('./official/accepted-as-written.ts');
  return isAcceptedAsWritten(root);
}

/** Overlays are written against the vendor's own text, so they come before any rewriting. */
async function overlayWith(document: WorkingDocument, path: string, base: string): Promise<void> {
  const overlay = document.files.open(path);
  if (overlay === undefined) {
    document.diagnostics.push(unreadable(path, base, document.files.isInside(path)));
    return;
  }
  const { applyOverlay } = await import('./overlay/overlay.ts');
  applyOverlay(document, overlay);
}

function unreadable(file: string, base: string, inside: boolean) {
  const at = { file: printedPath(file, base), line: 1, column: 1, pointer: '' };
  const reason = inside ? 'it does not exist' : 'it lies outside of the spec root';
  return diagnose('SPEC001', at, `cannot read the file: ${reason}`);
}

/** Report what the version forbids and take out what would mislead the steps that follow. */
function applyGrammar(document: WorkingDocument): void {
  const problems = checkShape(document.grammar, document.root);
  for (const { path, message, severity, help, useless } of problems) {
    const diagnostic = report(document, 'SPEC005', path, message, { severity, help });
    if (useless) lose(document, path, diagnostic);
  }
  const useless = problems.filter((problem) => problem.useless);
  if (useless.length === 0) return;
  takeOut(
    document,
    useless.map(({ path }) => path),
  );
  dropDangling(document);
}

function apiDocument(
  { root, origins }: WorkingDocument,
  version: Version,
  file: string,
): ApiDocument {
  root['info'] ??= {};
  return {
    root: root as OpenApi,
    version,
    file,
    locate(pointer) {
      const { file: place, pointer: inner } = origins.at(parsePointer(pointer));
      return place.locate(inner);
    },
  };
}
