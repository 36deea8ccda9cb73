import { existsSync, readFileSync } from 'node:fs';
import type { AuditVerification } from '#contract/house/audit';
import { askAnchors, notesOf } from '../../audit/anchors/outside.ts';
import {
  parseCheckpoint,
  parseVerifierKeys,
  type Verification,
} from '../../audit/verify/verify.ts';
import { isProof, verifyPath } from '../../audit/verify/verify-files.ts';
import type { Service } from '../../main.ts';
import { exitCode, UsageError } from '../command.ts';
import { openAuditFiles } from './audit-files.ts';

/**
 * Verify the log of this server, with the checkpoints that its anchors keep. An anchor that cannot
 * be asked may be the one that knows better: without its answer the log is not verified.
 */
export async function verifyOwn(service: Service): Promise<number> {
  const { identity, verify, close } = await openAuditFiles(service);
  const answers = await askAnchors(service.engines.audit.options.anchors, identity.origin);
  const outside = notesOf(answers).map(({ note }) => note);
  const silent = answers.filter(({ failure }) => failure !== undefined);
  for (const { target, failure } of silent)
    print(`elsewhere   no answer from ${target}: ${failure?.message}`);
  const found = await verify(outside).finally(close);
  return report({ ...found, ok: found.ok && silent.length === 0 }, outside.length);
}

/** Verify a log, an exported bundle or a .tlog-proof with nothing but a verifier key of it. */
export function verifyForeign(
  path: string,
  vkey: string | undefined,
  files: readonly string[],
): number {
  if (vkey === undefined) {
    throw new UsageError(
      'audit verify PATH needs a verifier key of the log, as "audit vkey" prints it',
    );
  }
  for (const file of [path, ...files]) {
    if (!existsSync(file)) throw new UsageError(`there is no ${file}`);
  }
  try {
    parseVerifierKeys(vkey);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  if (!isProof(path)) return report(verifyPath(path, vkey, texts), texts.length);
  if (texts.length > 1) throw new UsageError('a proof is of one entry: give one file at most');
  return report(verifyPath(path, vkey, texts), 0);
}

function report(found: AuditVerification & Pick<Verification, 'proven'>, outside: number): number {
  const { ok, records, head_hash, checkpoint, issues } = found;
  const signed = parseCheckpoint(checkpoint ?? '');
  if (signed) print(`checkpoint  ${signed.size} entries, signed for ${signed.origin}`);
  print(
    `entries     ${records} checked${head_hash === '' ? '' : `, the last one is ${head_hash}`}`,
  );
  const { proven } = found;
  if (proven) print(`proven      entry ${proven.index} with the leaf hash ${proven.leaf}`);
  const comparison =
    outside > 0
      ? `compared with ${outside === 1 ? '1 checkpoint' : `${outside} checkpoints`}`
      : 'compared with nothing: an older copy of the log would look the same';
  // A proof is of one entry: it says nothing of the others.
  if (!proven) print(`elsewhere   ${comparison}`);
  for (const { seq, reason, detail } of issues) {
    print(`issue       at ${seq}: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
  }
  print(ok ? 'verified' : 'NOT verified');
  return ok ? exitCode.success : exitCode.failure;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
