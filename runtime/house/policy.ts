import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { ConfigError } from '#contract/config/config';
import type { Price } from '#contract/operation';
import { planPrice, type RawPrice } from '#contract/payment/price';
import type { RawSpending } from '#contract/payment/spending';
import { decodedSteps } from '#contract/schema/pointer-steps';

/** What the operator sets: prices by target, `free` where there is to be none; and rules. */
export interface Policy {
  readonly prices: Readonly<Record<string, Price | 'free'>>;
  readonly spending: RawSpending;
}

/** What its JSON Schema accepts (specs/schemas/policy.schema.json). */
interface PolicyFile extends RawSpending {
  readonly prices?: Readonly<Record<string, RawPrice | 'free'>>;
}

export const policyVariable = 'SERVICE_POLICY_FILE';
const expected = 'a YAML file with prices, budgets, plans';

/**
 * Read what the operator sets differently from the specs; nothing where there is no file.
 *
 * @throws ConfigError with all that is wrong with it
 */
export async function readPolicy(path: string | undefined): Promise<Policy> {
  if (path === undefined) return { prices: {}, spending: {} };
  const { prices = {}, ...spending } = await checked(path);
  const planned = Object.entries(prices).map(([target, price]) => [
    target,
    price === 'free' ? price : planPrice(price),
  ]);
  return { prices: Object.fromEntries(planned), spending };
}

/** What it takes to read one is loaded where there is one. */
async function checked(path: string): Promise<PolicyFile> {
  const [{ parse }, { Ajv2020 }, { policySchema }] = await Promise.all([
    import('yaml'),
    import('ajv/dist/2020.js'),
    import('../../generated/policy-schema.ts'),
  ]);
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    throw wrong(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  const accepts = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
  }).compile<PolicyFile>(policySchema);
  if (accepts(value)) return value;
  throw new ConfigError(
    (accepts.errors ?? []).filter(isTelling).map((error) => ({
      variable: policyVariable,
      expected: `${placeOf(error)} ${error.message ?? 'to be right'}`,
      received: JSON.stringify(error.data)?.slice(0, 80) ?? 'nothing',
    })),
  );
}

/** That a price is not free either is no news. */
function isTelling({ keyword }: ErrorObject): boolean {
  return keyword !== 'oneOf' && keyword !== 'const';
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const extra = params['additionalProperty'];
  const place = decodedSteps(instancePath).join(': ') || 'the file';
  return extra === undefined ? place : `${place} (${String(extra)})`;
}

function wrong(received: string): ConfigError {
  return new ConfigError([{ variable: policyVariable, expected, received }]);
}
