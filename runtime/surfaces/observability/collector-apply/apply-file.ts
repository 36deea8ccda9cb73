import { ServiceError } from '#contract/errors';
import type { Log } from '#contract/house/log';
import type {
  ObservabilityCollectorConfigAppliedPayload,
  ObservabilityEvents,
} from '../../../../generated/surfaces/observability/events.ts';
import type { GeneratedFile } from '../collector-file/file.ts';
import type { Change } from '../registry/registry.ts';
import { keepLastGood, restore, sha256Of, writeWhole } from './file-on-disk.ts';
import { ReloadError, type Reloaded, type Reloader, type ReloadMode } from './reload.ts';

export interface ApplyParts {
  readonly events: ObservabilityEvents;
  readonly log: Log;
  readonly reloader: Reloader;
}

/** A file that has been validated, and where it goes. */
export interface ToApply {
  readonly generated: GeneratedFile;
  readonly outputPath: string;
  /** What stands there now. */
  readonly former: string | undefined;
  readonly validator: string;
}

/**
 * Write a file, have the collector load it, and write that down. Whatever fails, the file that was
 * there before is there again, and the collector is told of it.
 *
 * @throws ServiceError `reload_failed`
 */
export async function applyFile(
  parts: ApplyParts,
  wanted: ToApply,
  change: Change,
  signal: AbortSignal,
): Promise<Reloaded> {
  const { generated, outputPath, former } = wanted;
  const { events, reloader } = parts;
  if (former !== undefined) await keepLastGood(outputPath);
  try {
    await writeWhole(outputPath, generated.text);
    const reloaded = await reloader.reload(signal);
    const payload = appliedPayload(wanted, reloader.mode, change);
    const { author, callId: correlation_id } = change;
    const subject = 'collector';
    await events.observabilityCollectorConfigApplied({
      ...author,
      subject,
      correlation_id,
      payload,
    });
    return reloaded;
  } catch (error) {
    await takeBack(parts, wanted, error);
    await noteFailure(parts, wanted, change, error);
    if (error instanceof ReloadError) {
      throw new ServiceError('reload_failed', 502, `${error.message}; ${whatIsThere(former)}`, {
        detail: { state: 'rolled_back' },
        cause: error,
      });
    }
    throw error;
  }
}

function whatIsThere(former: string | undefined): string {
  return former === undefined ? 'there is no file again' : 'the file of before is there again';
}

/** How long is looked at what becomes of the former file: that it is there is what counts. */
const toldMs = 600;

/** Not under the signal of the call: it is done also when the client has left. */
async function takeBack(
  { log, reloader }: ApplyParts,
  { outputPath, former }: ToApply,
  error: unknown,
): Promise<void> {
  await restore(outputPath, former);
  if (former === undefined) return;
  try {
    await reloader.reload(AbortSignal.timeout(5000), toldMs);
  } catch (err) {
    // It has ended, and whoever starts it anew has it read the former file.
    log.warn({ err, because: error }, 'the collector could not be told of its former file');
  }
}

async function noteFailure(
  { events, log, reloader }: ApplyParts,
  { generated, former }: ToApply,
  { author, callId, traceId }: Change,
  error: unknown,
): Promise<void> {
  const reason = error instanceof ReloadError ? error.message : 'it could not be written';
  const payload = {
    sha256: generated.sha256,
    ...(former !== undefined && { restored_sha256: sha256Of(former) }),
    reload_mode: reloader.mode,
    reason: reason.slice(0, 1000),
    ...(traceId !== undefined && { trace_id: traceId }),
  };
  const facts = { ...author, subject: 'collector', correlation_id: callId, payload };
  try {
    await events.observabilityCollectorReloadFailed({ ...facts, outcome: 'failed' });
  } catch (err) {
    log.error({ err }, 'that the collector did not reload could not be written down');
  }
}

function appliedPayload(
  { generated, outputPath, former, validator }: ToApply,
  reload_mode: ReloadMode,
  { traceId }: Change,
): ObservabilityCollectorConfigAppliedPayload {
  const { logs, metrics, traces, profiles } = generated.exporterRefs;
  return {
    output_path: outputPath,
    provider_ids: generated.providerIds,
    log_exporters: logs.length,
    metric_exporters: metrics.length,
    trace_exporters: traces.length,
    profile_exporters: profiles.length,
    sha256: generated.sha256,
    ...(former !== undefined && { previous_sha256: sha256Of(former) }),
    ...{ reload_mode, validator },
    ...(traceId !== undefined && { trace_id: traceId }),
  };
}
