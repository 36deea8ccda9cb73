import { resolve, sep } from 'node:path';
import { ServiceError } from '#contract/errors';
import type { Log } from '#contract/house/log';
import type { ObservabilityEvents } from '../../../../generated/surfaces/observability/events.ts';
import type {
  AppliedCollector,
  CollectorPreview,
} from '../../../../generated/surfaces/observability/types.ts';
import { applyFile } from '../collector-apply/apply-file.ts';
import { differenceOf, type FileDifference } from '../collector-apply/difference.ts';
import { readIfThere } from '../collector-apply/file-on-disk.ts';
import type { Reloader } from '../collector-apply/reload.ts';
import { checkCredentials } from '../collector-check/credentials.ts';
import { validateFile } from '../collector-check/ladder.ts';
import type { LeaveOut } from '../collector-check/leave-out.ts';
import type { GeneratedFile } from '../collector-file/file.ts';
import { generateFile } from '../collector-file/generate.ts';
import { findingsOf } from '../collector-file/left-out.ts';
import { validationFailed } from '../errors.ts';
import { loadKinds } from '../registry/kinds.ts';
import type { Change, Registry } from '../registry/registry.ts';
import type { CollectorOptions } from './collector-options.ts';

export interface CollectorParts {
  readonly registry: Pick<Registry, 'snapshot'>;
  readonly events: ObservabilityEvents;
  readonly leaveOut: LeaveOut;
  readonly reloader: Reloader;
  readonly options: CollectorOptions;
  readonly binary: string | undefined;
  readonly outputPath: string | undefined;
  readonly log: Log;
  readonly now: () => number;
}

/** What somebody wants of an application. */
export interface ApplyWish {
  readonly outputPath?: string | undefined;
  readonly allowRemoval?: boolean | undefined;
}

/** The configuration of the collector: shown, or written and loaded. */
export interface CollectorDesk {
  /** Nothing is written. @throws ServiceError `validation_failed` */
  preview(tenant: string): Promise<CollectorPreview>;
  /** @throws ServiceError `validation_failed`, `reload_failed` */
  apply(tenant: string, wish: ApplyWish, change: Change): Promise<AppliedCollector>;
}

/** How long an application may take, from the first byte to the collector's answer. */
const applyMs = 30_000;

export function createCollectorDesk(parts: CollectorParts): CollectorDesk {
  const { registry, events, options, reloader, now } = parts;
  // Two that write at the same time would take back each other's file.
  let turn: Promise<unknown> = Promise.resolve();

  async function generate(tenant: string): Promise<GeneratedFile> {
    const snapshot = await registry.snapshot(tenant);
    const kinds = await loadKinds(snapshot.providers.map(({ kind }) => kind));
    const looks = await Promise.all(
      snapshot.providers.map((entry) => parts.leaveOut(entry, kinds.get(entry.kind))),
    );
    const leftOut = looks.filter((each) => each !== undefined);
    const generated = generateFile(snapshot, kinds, options, leftOut);
    const { warnings } = await checkCredentials(generated.providers, options.secretsDir);
    return { ...generated, warnings: [...generated.warnings, ...warnings] };
  }

  async function apply(tenant: string, wish: ApplyWish, change: Change): Promise<AppliedCollector> {
    const outputPath = pathFor(parts.outputPath, wish.outputPath);
    const generated = await generate(tenant);
    const former = await readIfThere(outputPath);
    const answer = {
      generated: shown(generated),
      ...{ outputPath, sha256: generated.sha256, warnings: generated.warnings },
    };
    if (former === generated.text) {
      const reload = { mode: 'none', status: 'unchanged' } as const;
      // Where nobody tells the collector, it is not known to have loaded what it was not told of.
      const state = reloader.mode === 'none' ? 'written' : 'active';
      return { ...answer, changed: false, state, reload };
    }
    const { validator, diff } = await check(generated, former, wish, change);
    const wanted = { generated, outputPath, former, validator };
    const signal = AbortSignal.timeout(applyMs);
    const { verifiedAt, ...reload } = await applyFile(parts, wanted, change, signal);
    const at = verifiedAt === undefined ? {} : { verifiedAt: new Date(verifiedAt).toISOString() };
    const state = reload.status === 'not_configured' ? 'written' : 'active';
    return { ...answer, changed: true, state, validator, diff, reload: { ...reload, ...at } };
  }

  /** Nothing is written before all of this holds. */
  async function check(
    generated: GeneratedFile,
    former: string | undefined,
    { allowRemoval }: ApplyWish,
    change: Change,
  ): Promise<{ readonly validator: string; readonly diff: FileDifference }> {
    try {
      const validator = await validateFile(generated, parts);
      const diff = differenceOf(former, generated);
      if (diff.removedSignals.length > 0 && !allowRemoval) {
        const reason = `${diff.removedSignals.join(' and ')} would not be taken any more: say allowRemoval where that is meant`;
        throw validationFailed([
          { field: 'allowRemoval', reason },
          ...findingsOf(generated.leftOut),
        ]);
      }
      return { validator, diff };
    } catch (error) {
      if (error instanceof ServiceError) await noteRejection(generated, change, error);
      throw error;
    }
  }

  async function noteRejection(
    { sha256 }: GeneratedFile,
    { author, callId: correlation_id, traceId }: Change,
    { message, detail }: ServiceError,
  ): Promise<void> {
    const validator = detail['validator'];
    await events.observabilityCollectorConfigRejected({
      ...{ ...author, subject: 'collector', correlation_id, outcome: 'failed' },
      payload: {
        sha256,
        validator: typeof validator === 'string' ? validator : 'structure',
        reason: message.slice(0, 1000),
        ...(traceId !== undefined && { trace_id: traceId }),
      },
    });
  }

  return {
    async preview(tenant) {
      const generated = await generate(tenant);
      const validator = await validateFile(generated, parts);
      const former =
        parts.outputPath === undefined ? undefined : await readIfThere(parts.outputPath);
      return {
        generated: shown(generated),
        ...{ sha256: generated.sha256, changed: former !== generated.text, validator },
        diff: differenceOf(former, generated),
        warnings: generated.warnings,
        reloadMode: reloader.mode,
        generatedAt: new Date(now()).toISOString(),
      };
    },
    apply(tenant, wish, change) {
      const mine = turn.then(() => apply(tenant, wish, change));
      turn = mine.catch(() => {});
      return mine;
    },
  };
}

function shown({ text, exporterRefs, providerIds, leftOut }: GeneratedFile) {
  return { text, exporterRefs, providerIds, leftOut };
}

/**
 * The file that is written: the operator's, or another one in the same folder.
 *
 * @throws ServiceError `validation_failed`
 */
function pathFor(configured: string | undefined, wished: string | undefined): string {
  if (configured === undefined) {
    const reason = 'SERVICE_OBSERVABILITY_COLLECTOR_OUTPUT_PATH names no file to write';
    throw validationFailed([{ field: 'outputPath', reason }]);
  }
  const own = resolve(configured);
  if (wished === undefined) return own;
  const folder = own.slice(0, own.lastIndexOf(sep) + 1);
  const path = resolve(folder, wished);
  const name = path.slice(folder.length);
  if (path.startsWith(folder) && /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.ya?ml$/.test(name))
    return path;
  const reason = `must be the name of a YAML file in the folder of ${own}`;
  throw validationFailed([{ field: 'outputPath', reason }]);
}
