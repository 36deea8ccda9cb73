import { existsSync, readFileSync, statSync } from 'node:fs';
import { isObject } from '#contract/json';
import { repeatedMember } from '#contract/text/repeated-member';
import { parseCanonical, parseVerifierKeys } from '../../audit/verify/verify.ts';
import { isProof, verifyPath, verifyProof } from '../../audit/verify/verify-files.ts';
import { StartError } from '../../process/start-error.ts';
import { exitCode, UsageError } from '../command.ts';
import { counted } from '../counted.ts';
import { type LogOfPayments, readPayments, returnedBySelf } from './returned-money.ts';

/** The largest file that is read: a receipt has a few thousand bytes. */
const mostBytes = 10_000_000;

/** What a receipt says, and the member of the entry that has to say the same. */
const same: readonly (readonly [receipt: string, entry: string])[] = [
  ...(['rail', 'network', 'asset', 'amount', 'charged', 'payer', 'transaction'] as const).map(
    (name) => [name, name] as const,
  ),
  ['id', 'claim_id'],
  ['operation', 'resource'],
];

const proven: ReadonlySet<string> = new Set(['proof', ...same.map(([name]) => name)]);

type Receipt = Readonly<Record<string, unknown>>;

/**
 * Verify receipts of payments with nothing but what they hold and a key of the log: that the log has
 * signed that the entry is in it, and that the entry says what the receipt says. Reads what the tool
 * payments_receipts has answered, or one receipt of it.
 *
 * @param vkey a verifier key of the log; without it, that of the receipt itself, which proves less
 * @param log the database or an exported bundle of the log, which knows what became of the money since
 */
export function verifyReceipts(
  path: string | undefined,
  vkey: string | undefined,
  log?: string,
): number {
  if (path === undefined) {
    throw new UsageError(
      'audit verify-receipt takes a file, and perhaps a key of the log and the log',
    );
  }
  const receipts = receiptsIn(path);
  if (vkey !== undefined) requireKeys(vkey);
  const payments = vkey === undefined || log === undefined ? undefined : paymentsIn(log, vkey);
  let wrong = 0;
  let gone = 0;
  for (const receipt of receipts) {
    const faults = [...faultsOf(receipt, vkey), ...missing(receipt, payments)];
    if (faults.length > 0) wrong += 1;
    const since = payments?.since(receipt['id']) ?? returnedBySelf(receipt['state']);
    const { operation, amount, asset, network, payer } = receipt;
    print(
      `receipt     ${shown(receipt['id'])}: ${shown(amount)} smallest units of ${shown(asset)} on ${shown(network)} from ${shown(payer)} for ${shown(operation)}`,
    );
    for (const fault of faults) print(`issue       ${fault}`);
    if (since !== undefined && since !== 'here') {
      gone += 1;
      print(`returned    ${since.said}`);
    }
    // That money has arrived does not say that it is here still.
    for (const [name, value] of Object.entries(receipt)) {
      if (!proven.has(name)) print(`not proven  ${name}: ${JSON.stringify(value)}`);
    }
  }
  if (vkey === undefined) {
    print('key         that of the receipt: compare it with what the server shows at /audit/vkey');
  }
  const verified = `verified    that the money of ${counted(receipts.length, 'receipt')} has arrived`;
  print(wrong === 0 ? verified : 'NOT verified');
  if (wrong > 0) return exitCode.failure;
  if (gone > 0)
    print(`but         that of ${counted(gone, 'receipt')} is, or will be, here no more`);
  return gone > 0 ? exitCode.returned : exitCode.success;
}

/**
 * @throws UsageError where there is no such log
 * @throws StartError where it is not what the key has signed
 */
function paymentsIn(log: string, vkey: string): LogOfPayments {
  if (!existsSync(log)) throw new UsageError(`there is no ${log}`);
  if (isProof(log)) throw new UsageError(`${log} is a proof of one entry, and no log`);
  const payments = readPayments();
  const { ok, issues } = verifyPath(log, vkey, [], payments.hear);
  if (ok) return payments;
  const [{ seq, reason, detail } = { seq: 0, reason: 'unreadable' }] = issues;
  const what = detail === undefined ? reason : `${reason} (${detail})`;
  throw new StartError(`the log is not verified: at ${seq}: ${what}`);
}

/** A log that ends before a payment cannot say what became of it. */
function missing({ id }: Receipt, payments: LogOfPayments | undefined): readonly string[] {
  return payments === undefined || payments.holds(id)
    ? []
    : ['the log does not hold its entry: it is an older copy, or another log'];
}

function faultsOf(receipt: Receipt, vkey: string | undefined): readonly string[] {
  const { proof } = receipt;
  if (!isObject(proof)) return ['it holds no proof: the money had not arrived'];
  const { entry, inclusion, vkey: own } = proof;
  const key = vkey ?? own;
  if (typeof entry !== 'string' || typeof inclusion !== 'string' || typeof key !== 'string') {
    return ['its proof lacks the entry, the inclusion or the key'];
  }
  if (!isKey(key)) return ['its key is no verifier key'];
  const { ok, issues } = verifyProof(inclusion, key, entry);
  if (!ok) return issues.map(({ reason, detail }) => `${reason}${detail ? ` (${detail})` : ''}`);
  const said = parseCanonical(entry) ?? {};
  const origin = proof['log'] === said['log'] ? [] : ['its log is not the one of the entry'];
  const isOther = !linesOf(own).some((each) => linesOf(key).includes(each));
  const other = isOther ? ['its vkey is not the key that it was verified with'] : [];
  return [...origin, ...other, ...differences(receipt, said)];
}

function linesOf(keys: unknown): readonly string[] {
  return typeof keys === 'string' ? keys.split(/\s+/).filter(Boolean) : [];
}

/** The entry is in the log; it has to be the one of this payment. */
function differences(receipt: Receipt, entry: Receipt): readonly string[] {
  const { action, outcome, payload } = entry;
  if (action !== 'PAYMENT_SETTLED' || outcome !== 'ok' || !isObject(payload)) {
    return ['the entry is in the log, and does not say that a payment has arrived'];
  }
  return same
    .filter(([name, other]) => receipt[name] !== payload[other])
    .map(([name, other]) => `its ${name} is not what the entry says: ${shown(payload[other])}`);
}

function receiptsIn(path: string): readonly Receipt[] {
  const expected = 'what payments_receipts answers, as JSON, or one receipt of it';
  if (statSync(path).size > mostBytes) throw new UsageError(`${path} is too large for ${expected}`);
  let text: string;
  let value: unknown;
  try {
    text = readFileSync(path, 'utf8');
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not ${expected}`);
  }
  const name = repeatedMember(text);
  if (name !== undefined) {
    const twice = escaped(JSON.stringify(name.slice(0, 80)));
    throw new UsageError(`${path} must have each member once, but ${twice} comes twice`);
  }
  const found = receiptsOf(value);
  if (found.length === 0) throw new UsageError(`${path} holds no receipt: it must be ${expected}`);
  return found;
}

/** As the tool, a client of MCP, or somebody who has cut one out may have written it. */
function receiptsOf(value: unknown): readonly Receipt[] {
  if (!isObject(value)) return [];
  const { structuredContent, receipts, result } = value;
  if (isObject(result)) return receiptsOf(result);
  if (isObject(structuredContent)) return receiptsOf(structuredContent);
  if (Array.isArray(receipts)) return receipts.filter(isObject);
  return 'id' in value && 'amount' in value ? [value] : [];
}

function requireKeys(vkey: string): void {
  try {
    parseVerifierKeys(vkey);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isKey(vkey: string): boolean {
  try {
    return parseVerifierKeys(vkey).length > 0;
  } catch {
    return false;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

/** Whoever wrote the receipt has one line for each thing in it, and no say in how a terminal shows it. */
function print(line: string): void {
  process.stdout.write(`${escaped(line)}\n`);
}

function escaped(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character.split('').map(codeOf).join(''),
  );
}

function codeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
