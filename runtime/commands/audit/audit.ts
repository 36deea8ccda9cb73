import { existsSync, readdirSync } from 'node:fs';
import { ServiceError } from '#contract/errors';
import { exportLog, openSuccessorLog, rotateKeyFile } from '../../audit/index.ts';
import { parseCheckpoint } from '../../audit/verify/verify.ts';
import { openCosigner } from '../../audit/wiring/audit-witnesses.ts';
import { createService, type Service } from '../../main.ts';
import { StartError } from '../../process/start-error.ts';
import { type Command, exitCode, UsageError } from '../command.ts';
import { counted } from '../counted.ts';
import { openAuditFiles } from './audit-files.ts';
import { verifyForeign, verifyOwn } from './audit-verify.ts';
import { verifyReceipts } from './verify-receipt.ts';

/** Verify the audit log, or hand out what others need to verify it. */
export const audit: Command = async ([name, ...words]) => {
  if (name === 'verify') {
    const [path, vkey, ...checkpoints] = words;
    if (path !== undefined) return verifyForeign(path, vkey, checkpoints);
  }
  if (name === 'verify-receipt') {
    const [path, vkey, log, ...more] = words;
    if (more.length > 0)
      throw new UsageError('audit verify-receipt takes a file, a key of the log and the log');
    return verifyReceipts(path, vkey, log);
  }
  const run = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (run === undefined) {
    throw new UsageError(`audit takes one of ${Object.keys(actions).join(', ')}, verify-receipt`);
  }
  const service = await createService(process.env);
  try {
    return await run(service, words);
  } finally {
    await service.life.stop();
  }
};

type Action = (service: Service, words: readonly string[]) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  verify: verifyOwn,
  export: exportBundle,
  proof: printProof,
  checkpoint: wordless('checkpoint', printCheckpoint),
  succeed: openSuccessor,
  vkey: wordless('vkey', printKeys),
  rotate: wordless('rotate', rotateKey),
  'witness-vkey': wordless('witness-vkey', printWitnessKey),
};

function wordless(name: string, run: (service: Service) => Promise<number>): Action {
  return async (service, [word]) => {
    if (word === undefined) return run(service);
    throw new UsageError(
      `audit ${name} takes nothing more, found ${JSON.stringify(word.slice(0, 40))}`,
    );
  };
}

/** Print the key with which this server cosigns; it is made here, so that others can be told first. */
async function printWitnessKey({ config }: Service): Promise<number> {
  process.stdout.write(`${openCosigner(config).vkey}\n`);
  return exitCode.success;
}

type Files = Awaited<ReturnType<typeof openAuditFiles>>;

async function printFile(
  service: Service,
  textOf: (files: Files) => string | Promise<string>,
): Promise<number> {
  const files = await openAuditFiles(service);
  try {
    process.stdout.write(await textOf(files));
    return exitCode.success;
  } finally {
    await files.close();
  }
}

function printCheckpoint(service: Service): Promise<number> {
  return printFile(service, ({ checkpoint }) => checkpoint.note);
}

function printKeys(service: Service): Promise<number> {
  return printFile(service, ({ identity: { keys } }) =>
    keys.map(({ vkey }) => `${vkey}\n`).join(''),
  );
}

function printProof(service: Service, [seq, size, ...rest]: readonly string[]): Promise<number> {
  if (seq === undefined || rest.length > 0) {
    throw new UsageError(
      'audit proof takes the sequence number of an entry, and perhaps a tree size',
    );
  }
  const entry = wholeNumber(seq);
  const tree = size === undefined ? undefined : wholeNumber(size);
  return printFile(service, async ({ proof, checkpoint }) => {
    const text = await proof(entry, tree);
    if (text !== undefined) return text;
    const signed =
      tree === undefined
        ? `the newest checkpoint covers ${checkpoint.size} entries`
        : `there may be no checkpoint of size ${tree}`;
    throw new StartError(`there is no proof of entry ${entry}: ${signed}`);
  });
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`expected a whole number, found ${JSON.stringify(text.slice(0, 40))}`);
}

async function exportBundle(
  service: Service,
  [folder, ...rest]: readonly string[],
): Promise<number> {
  if (folder === undefined || rest.length > 0) {
    throw new UsageError('audit export takes the folder that the bundle is written to');
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(`${folder} is not empty: a bundle goes into a folder of its own`);
  }
  const { log, checkpoint, identity, close } = await openAuditFiles(service);
  try {
    await exportLog(log, folder);
  } finally {
    await close();
  }
  process.stdout.write(
    `${counted(checkpoint.size, 'entry', 'entries')} of ${identity.origin} in ${folder}\n`,
  );
  process.stdout.write(
    `to verify: agent-tool-server audit verify ${quoted(folder)} ${identity.vkey}\n`,
  );
  await noteExport(service, checkpoint.note);
  return exitCode.success;
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w./+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Only one process writes the log: while a server has it, an export cannot be written down. */
async function noteExport({ engines: { audit } }: Service, note: string): Promise<void> {
  const { size = 0, root } = parseCheckpoint(note) ?? {};
  try {
    await audit.open();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`the export is not noted in the log: ${error.message}\n`);
    return;
  }
  try {
    await audit.events.auditExported({
      actor: { type: 'user', id: 'local' },
      tenant: null,
      payload: { size, root: Buffer.from(root ?? '').toString('base64') },
    });
  } catch (error) {
    // As on media that take no writes.
    if (!(error instanceof ServiceError)) throw error;
    process.stderr.write(`the export is not noted in the log: ${error.message}\n`);
  }
}

/** Continue a log that was rolled back or damaged by a new one, which names the old head. */
async function openSuccessor(service: Service, words: readonly string[]): Promise<number> {
  const reason = words.join(' ');
  if (reason === '') throw new UsageError('audit succeed takes the reason, in words');
  const log = await openSuccessorLog(service.engines.audit.options, reason);
  process.stdout.write(`the log is continued as ${log.origin}; its verifier key is ${log.vkey}\n`);
  await log.close();
  return exitCode.success;
}

/** Make a new signing key; the old one stays beside it and goes on signing until it is deleted. */
async function rotateKey(service: Service): Promise<number> {
  const log = await rotateKeyFile(service.engines.audit.options);
  const [newest] = log.keys;
  const { state, reason } = log.status();
  await log.close();
  if (state !== 'open' || newest === undefined) {
    throw new StartError(`the key is not rotated yet, the next start does it: ${reason}`);
  }
  process.stdout.write(`from entry ${newest.since - 1} on ${log.origin} is signed by a new key:\n`);
  process.stdout.write(`  ${newest.vkey}\n`);
  process.stdout.write(
    `the old key signs as well until ${service.engines.audit.options.directory}/audit.previous.key is deleted\n`,
  );
  return exitCode.success;
}
