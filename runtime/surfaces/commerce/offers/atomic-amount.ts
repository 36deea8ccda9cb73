/**
 * A decimal number in the smallest unit of something: `0.01` with 6 decimals is `10000`. Nothing
 * where it has more decimals than that.
 */
export function atomicAmount(amount: string, decimals: number): string | undefined {
  const [whole = '', fraction = ''] = amount.split('.');
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return undefined;
  return BigInt(`${whole}${significant.padEnd(decimals, '0')}`).toString();
}
