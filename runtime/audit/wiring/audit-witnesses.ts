import { join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError } from '#contract/config/config';
import { configuredKey } from '#contract/config/secret-key';
import { parseSwitch } from '#contract/config/switch';
import type { Store } from '#contract/house/store';
import type { Witness } from '#contract/house/witness';
import type { Config } from '../../../generated/config.ts';
import type { Tables } from '../../../generated/tables.ts';
import { makeDataFolder } from '../../process/folders.ts';
import type { Anchor } from '../anchors/anchor.ts';
import { createWitnessAnchor } from '../anchors/witness-anchor.ts';
import { Cosigner } from '../keys/cosignature.ts';
import { readOrCreateSeed } from '../keys/key-files.ts';
import { parseTypedKey } from '../verify/verify.ts';
import { createWitness } from '../witness/witness.ts';
import { auditSettings } from './audit-access.ts';

const expected =
  'the verifier key of a witness and its address, separated by a space: w.example.com/witness+01234567+BA... https://w.example.com';

/**
 * The witnesses that cosign the checkpoints of this server's log.
 *
 * @throws ConfigError
 */
export function createWitnessAnchors({ surfaces: { audit } }: Config): readonly Anchor[] {
  return audit.witness.map((text) => {
    const [vkey = '', address = '', ...rest] = text.split(/\s+/);
    const parsed = parseSwitch({ type: 'url', env: '' }, address);
    if (rest.length > 0 || !isKey(vkey, 4) || !('value' in parsed)) throw refused(text);
    return createWitnessAnchor({ vkey, url: String(parsed.value) });
  });

  function refused(text: string): ConfigError {
    // What stands before an @ is perhaps a password, which is not repeated.
    const received = text.includes('@') ? 'an address with a user name' : quoted(text);
    return new ConfigError([{ variable: 'SERVICE_AUDIT_WITNESS', expected, received }]);
  }
}

/**
 * The witness for the logs of other servers; none where none is named.
 */
export function createLogWitness(
  config: Config,
  store: Store<Tables>,
  log: Logger,
): Witness | undefined {
  const { witnessLogs: logs } = config.surfaces.audit;
  if (logs.length === 0) return undefined;
  return createWitness({
    store,
    logs,
    cosigner: () => openCosigner(config),
    report: (message, evidence) => log.warn(evidence, message),
  });
}

const keyVariable = 'SERVICE_AUDIT_WITNESS_KEY';

/**
 * Refuse what is no key of a log, at the start and not when its checkpoint comes.
 *
 * @throws ConfigError
 */
export function requireLogKeys({ surfaces: { audit } }: Config): void {
  refuseForeignKeys(audit.witnessLogs);
}

/**
 * Refuse a key of the witness that is none, or that servers of one database do not share.
 *
 * @throws ConfigError
 */
export function requireWitnessKey({ databaseUrl, surfaces: { audit } }: Config): void {
  configuredKey(keyVariable, audit.witnessKey);
  if (audit.witnessLogs.length === 0 || audit.witnessKey !== undefined) return;
  if (databaseUrl === undefined) return;
  const together = 'a value, because the servers that share the database are one witness';
  throw new ConfigError([{ variable: keyVariable, expected: together }]);
}

/**
 * Take the key of the witness from the configuration or its file, which is made where it lacks.
 *
 * @throws ConfigError
 * @throws StartError when the file holds no key
 */
export function openCosigner(config: Config): Cosigner {
  const { dataDir } = config;
  const { witnessKey } = config.surfaces.audit;
  // Named after the host of the log, beside it.
  const [host] = auditSettings(config).origin.split('/');
  const name = `${host}/witness`;
  const key = configuredKey(keyVariable, witnessKey);
  if (key !== undefined) return new Cosigner(name, key);
  makeDataFolder(dataDir);
  return new Cosigner(name, readOrCreateSeed(join(dataDir, 'witness.key'), true));
}

function refuseForeignKeys(logs: readonly string[]): void {
  const wrong = logs.find((vkey) => !isKey(vkey, 1));
  if (wrong === undefined) return;
  const received = quoted(wrong);
  const key = 'the verifier key of a log, as its server shows it at /audit/vkey';
  throw new ConfigError([{ variable: 'SERVICE_AUDIT_WITNESS_LOGS', expected: key, received }]);
}

function isKey(vkey: string, type: 1 | 4): boolean {
  try {
    parseTypedKey(vkey, type);
    return true;
  } catch {
    return false;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
