/**
 * Whether a number is a whole multiple of `factor`, both as JSON writes them (JSON Schema 2020-12
 * Validation, section 6.2.1): 19.99 is one of 0.01, whatever binary fractions make of the quotient.
 */
export function isMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const [first, second] = [decimalOf(value), decimalOf(factor)];
  if (first === undefined || second === undefined || second.digits === 0n) return false;
  const exponent = Math.min(first.exponent, second.exponent);
  return scaled(first, exponent) % scaled(second, exponent) === 0n;
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal | undefined {
  const [, whole = '', fraction = '', power = '0'] = written.exec(String(value)) ?? [];
  if (whole === '') return undefined;
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** A finite number as text (ECMA-262, Number::toString). */
const written = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
