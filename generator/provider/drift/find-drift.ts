import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { readProviderFolder } from '../../kinds/provider-files/provider-folder.ts';
import { planProviderFolder } from '../../kinds/providers.ts';
import type { Curation } from '../../model/shape/curation.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { readApi } from '../../read/read-api.ts';
import { openDescription } from '../description-source.ts';
import { sliceDocument } from '../draft/slice-document.ts';
import { credentialTest } from '../guess/credential-names.ts';
import type { DriftChange } from './drift-change.ts';
import { LaterOperations } from './later-operations.ts';
import { providerChanges } from './provider-changes.ts';
import { toolChanges } from './tool-changes.ts';

/** How a provider stands to a later description. */
export interface DriftReport {
  readonly provider: string;
  /** What the description calls its version. */
  readonly version: string;
  /** Tools that were compared. */
  readonly compared: number;
  readonly changes: readonly DriftChange[];
  /** Why nothing could be compared; empty otherwise. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What `provider drift` is asked for. */
export interface DriftOptions {
  readonly id: string;
  /** The folder that holds `specs/`. */
  readonly base: string;
  /** File or http(s) address of the later description. */
  readonly description: string;
  /** The folder that its references may not leave. */
  readonly root?: string;
}

/**
 * Compare what a provider keeps of its description with a later version of it. Nothing is written.
 *
 * @throws FetchError when an address gives nothing
 */
export async function findDrift(options: DriftOptions): Promise<DriftReport> {
  const { id, base, description, root } = options;
  const opened = await openDescription(description, base, root);
  try {
    const { document, diagnostics } = await readApi({
      file: opened.file,
      root: opened.root,
      base,
      repairs: true,
    });
    const kept = await planProviderFolder(base, id);
    const nothing = { provider: id, version: '', compared: 0, changes: [] };
    if (!document) return { ...nothing, diagnostics };
    if (!kept.model) return { ...nothing, diagnostics: kept.diagnostics };
    return await compare(options, { document, origin: opened.origin }, kept.model);
  } finally {
    opened.close();
  }
}

async function compare(
  { id, base }: DriftOptions,
  { document, origin }: { readonly document: ApiDocument; readonly origin: string | undefined },
  { tools }: ProviderModel,
): Promise<DriftReport> {
  const text = readFileSync(join(base, 'specs/providers', id, 'curation.yaml'), 'utf8');
  const curation: Curation = parse(text);
  const later = new LaterOperations(document);
  const moved = curation.operations.flatMap((operation) => later.moved(operation, tools) ?? []);
  const operations = curation.operations.map(
    (operation) => moved.find(({ was }) => was === operation)?.now ?? operation,
  );
  const everywhere = providerChanges(curation, {
    ...{ document, origin },
    operations: later.kept(operations),
  });
  const after = await planLater({ id, base }, document, { ...curation, operations });
  const names = new Set(after.tools.map(({ definition }) => definition.name));
  const removed = tools.filter(({ definition }) => !names.has(definition.name));
  const kept = (await readProviderFolder(`specs/providers/${id}`, base)).sources?.document;
  const changes: DriftChange[] = [
    ...removed.map(({ definition: { name } }) => ({
      ...({ kind: 'removed', tool: name, breaks: true } as const),
      details: reasonsOf(name, curation, after.diagnostics),
    })),
    ...moved.map(({ was, text: detail }) => ({
      ...({ kind: 'renamed', tool: was.name, breaks: true } as const),
      details: [detail],
    })),
    ...toolChanges(tools, after.tools, everywhere),
    ...later.deprecated(operations, after.tools, kept).map((tool) => ({
      ...({ kind: 'deprecated', tool, breaks: false } as const),
      details: ['the description calls the operation deprecated now'],
    })),
    ...later.unknown(text, operations).map((tool) => ({
      ...({ kind: 'added', tool, breaks: false } as const),
      details: [],
    })),
  ];
  const version = String(document.root.info['version'] ?? '');
  return { provider: id, version, compared: tools.length, changes, diagnostics: [] };
}

/** Plan the provider with the later description, in a folder of its own. */
async function planLater(
  { id, base }: Pick<DriftOptions, 'id' | 'base'>,
  document: ApiDocument,
  curation: Curation,
): Promise<Pick<ProviderModel, 'tools'> & { readonly diagnostics: readonly Diagnostic[] }> {
  const place = mkdtempSync(join(tmpdir(), 'drift-'));
  try {
    const folder = join(place, 'specs/providers', id);
    cpSync(join(base, 'specs/providers', id), folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      if (/^openapi\.(?:ya?ml|json)$/.test(name)) rmSync(join(folder, name));
    }
    const slice = sliceDocument(document, {
      operations: new LaterOperations(document).kept(curation.operations),
      texts: false,
      isCredential: credentialTest(curation.auth),
      exampleOf: () => undefined,
    });
    const written = { lineWidth: 0, aliasDuplicateObjects: false };
    writeFileSync(join(folder, 'openapi.yaml'), stringify(slice, written));
    writeFileSync(join(folder, 'curation.yaml'), stringify(curation, written));
    const { model, diagnostics } = await planProviderFolder(place, id);
    return { tools: model?.tools ?? [], diagnostics };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Why an operation gives no tool any more. */
function reasonsOf(
  tool: string,
  { operations }: Curation,
  diagnostics: readonly Diagnostic[],
): string[] {
  const at = `/operations/${operations.findIndex(({ name }) => name === tool)}/`;
  const own = diagnostics.filter(
    ({ severity, pointer }) => severity === 'error' && pointer.startsWith(at),
  );
  return own.map(({ message }) => message);
}
