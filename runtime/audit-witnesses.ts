import { ConfigError } from '#contract/config';
import { parseSwitch } from '#contract/switch';
import type { Config } from '../generated/config.ts';
import type { Anchor } from './audit/anchor.ts';
import { createWitnessAnchor } from './audit/index.ts';
import { parseTypedKey } from './audit/verify.ts';

const expected =
  'the verifier key of a witness and its address, separated by a space: w.example.com/witness+01234567+BA... https://w.example.com';

/**
 * The witnesses that cosign the checkpoints of this server's log.
 *
 * @throws ConfigError
 */
export function createWitnessAnchors({ auditWitness }: Config): readonly Anchor[] {
  return auditWitness.map((text) => {
    const [vkey = '', address = '', ...rest] = text.split(/\s+/);
    const parsed = parseSwitch({ type: 'url', env: '' }, address);
    if (rest.length > 0 || !isKey(vkey, 4) || !('value' in parsed)) throw refused(text);
    return createWitnessAnchor({ vkey, url: String(parsed.value) });
  });

  function refused(text: string): ConfigError {
    const received = JSON.stringify(text.slice(0, 200));
    return new ConfigError([{ variable: 'SERVICE_AUDIT_WITNESS', expected, received }]);
  }
}

/**
 * The verifier keys of the logs that this server cosigns.
 *
 * @throws ConfigError
 */
export function watchedLogs({ auditWitnessLogs }: Config): readonly string[] {
  const wrong = auditWitnessLogs.find((vkey) => !isKey(vkey, 1));
  if (wrong === undefined) return auditWitnessLogs;
  const received = JSON.stringify(wrong.slice(0, 200));
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
