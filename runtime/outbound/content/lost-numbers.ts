/** So many are counted; whoever reads that there are more has to look elsewhere anyway. */
const mostCounted = 1000;

/** More digits than any double keeps (IEEE 754: 17), or an exponent that may lead beyond all of them. */
const suspect = /(?:^|[:[,\s])-?(?:0\.\d{18}|[1-9][\d.]{18}|\d[\d.]*[eE]\+?\d{3})/;
const numbers = /-?\d[\d.eE+-]*/g;
const significant = 17;

/**
 * What reading a JSON text loses of its numbers, in words: those beyond the range of doubles, which are
 * null in the result, and fractions of more digits than they keep. Whole numbers keep theirs (exact-json.ts).
 */
export function lostNumbers(text: string): string | undefined {
  if (!suspect.test(text)) return undefined;
  let beyond = 0;
  let rounded = 0;
  for (const source of numbersIn(text)) {
    if (!Number.isFinite(Number(source))) beyond += 1;
    else if (isRounded(source)) rounded += 1;
    if (beyond + rounded >= mostCounted) break;
  }
  const told = [
    beyond > 0 ? `${counted(beyond)} too large to be read and null here` : '',
    rounded > 0 ? `${counted(rounded)} rounded to ${significant} digits` : '',
  ];
  return told.filter(Boolean).join(', ') || undefined;
}

function counted(count: number): string {
  const many = count >= mostCounted ? `${mostCounted} or more` : count;
  return count === 1 ? '1 number of the answer was' : `${many} numbers of the answer were`;
}

function isRounded(source: string): boolean {
  if (source.length <= significant + 1) return false;
  const [mantissa = ''] = source.split(/[eE]/);
  // A whole number comes with all of its digits.
  if (mantissa === source && !source.includes('.')) return false;
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length > significant;
}

/** The numbers of a JSON text, none of those that stand in its strings. */
function* numbersIn(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    // Between two strings there is seldom more than a few characters.
    if (end - at > significant || /\d/.test(text.slice(at, end))) {
      for (const [source] of text.slice(at, end).matchAll(numbers)) yield source;
    }
    at = quote === -1 ? end : endOfString(text, quote);
  }
}

function endOfString(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}
