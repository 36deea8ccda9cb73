import { fullFormats } from 'ajv-formats/dist/formats.js';

const wholeNumbers: Readonly<Record<string, readonly [number, number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
};

/** Texts longer than this are not matched against expressions that backtrack. */
const longest = 2_000;

/** Formats that descriptions use for more than the one notation that JSON Schema means. */
const loose = new Set(['duration', 'time', 'regex']);

/** Whether a number or text is what its format says; formats that nobody knows allow everything. */
export function hasFormat(format: string, value: string | number): boolean {
  if (typeof value === 'number') {
    const range = Object.hasOwn(wholeNumbers, format) ? wholeNumbers[format] : undefined;
    return range === undefined || (Number.isInteger(value) && within(value, range));
  }
  // The expression for addresses is slow, and most of them are plain.
  if (format === 'uri' && URL.canParse(value)) return true;
  if (value.length > longest || loose.has(format) || !Object.hasOwn(fullFormats, format))
    return true;
  const known = fullFormats[format as keyof typeof fullFormats];
  if (known instanceof RegExp) return known.test(value);
  if (typeof known === 'function') return known(value);
  if (typeof known !== 'object' || !('validate' in known)) return true;
  const { validate } = known;
  if (validate instanceof RegExp) return validate.test(value);
  return (
    typeof validate !== 'function' || known.type === 'number' || Boolean((validate as Test)(value))
  );
}

type Test = (text: string) => unknown;

function within(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most;
}
