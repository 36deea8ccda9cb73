/** Most texts are plain, and this tells so at a fifth of the cost. */
const plain = /^[\t\n -~]*$/;
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}]/u;
const allHidden = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;
/** Colours of terminals (ECMA-48 section 8.3.117), whose first character is a control. */
const colours = /\p{Cc}\[[0-9;]{0,32}m/gu;

/** A line of a log is data: without characters that a reader does not see, or a terminal obeys. */
export function visibleText(text: string): string {
  if (plain.test(text) || !hidden.test(text)) return text;
  return text.replace(colours, '').replace(allHidden, '');
}

const levels: Readonly<Record<string, string>> = {
  trace: 'TRACE',
  debug: 'DEBUG',
  info: 'INFO',
  information: 'INFO',
  notice: 'INFO',
  warn: 'WARN',
  warning: 'WARN',
  error: 'ERROR',
  err: 'ERROR',
  fatal: 'FATAL',
  critical: 'FATAL',
  crit: 'FATAL',
  emergency: 'FATAL',
  emerg: 'FATAL',
  alert: 'FATAL',
  panic: 'FATAL',
};

/** All names of a level: back ends have several for what is one to whoever asks. */
export function namesOfLevel(level: string): readonly string[] {
  const known = level.toLowerCase();
  const own = Object.hasOwn(levels, known) ? levels[known] : undefined;
  if (own === undefined) return [known];
  return Object.keys(levels).filter((name) => levels[name] === own);
}

/** The level of a line by one name, whatever its back end calls it; `undefined` where it says none. */
export function severityOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '' || text === 'unknown') return undefined;
  return levels[text.toLowerCase()] ?? visibleText(text.slice(0, 32)).toUpperCase();
}
