/** Digits behind the point that prices and budgets have at most (specs/schemas/operation.schema.json). */
const digits = 18;

/** A decimal number that is not negative, as a whole number of its smallest part: sums of them are exact. */
export function exact(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(digits, '0')}`);
}

/** The opposite, without zeros at its end. */
export function decimalOf(value: bigint): string {
  const text = value.toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${text.slice(0, -digits)}${fraction && `.${fraction}`}`;
}
