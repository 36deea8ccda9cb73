import { busInvalid } from './faults.ts';

/** What a subject is made of. Whatever else a name holds is refused, never escaped. */
const token = /^[A-Za-z0-9_-]{1,64}$/;

/** Far below what NATS allows, and enough for every name that this server makes. */
const mostTokens = 16;

/** Whether a text can be one token of a subject. */
export function isToken(text: string): boolean {
  return token.test(text);
}

/**
 * Check a subject to publish to.
 *
 * @throws ServiceError `invalid_params`
 */
export function checkSubject(subject: string): string {
  const tokens = subject.split('.');
  if (tokens.length <= mostTokens && tokens.every(isToken)) return subject;
  throw busInvalid(
    'subject',
    `1 to ${mostTokens} tokens of letters, digits, "_" and "-" with dots between them`,
    subject,
  );
}

/**
 * Check a filter: a subject in which `*` stands for one token and a last `>` for one or more.
 *
 * @throws ServiceError `invalid_params`
 */
export function checkFilter(filter: string): string {
  const tokens = filter.split('.');
  const isFilter = tokens.every(
    (each, index) => isToken(each) || each === '*' || (each === '>' && index === tokens.length - 1),
  );
  if (isFilter && tokens.length <= mostTokens) return filter;
  throw busInvalid(
    'filter',
    'a subject in which "*" stands for one token, and ">" at its end for all that follow',
    filter,
  );
}

/** Whether a filter takes a subject. */
export function matches(filter: string, subject: string): boolean {
  const wanted = filter.split('.');
  const given = subject.split('.');
  for (const [index, each] of wanted.entries()) {
    if (each === '>') return given.length > index;
    if (index >= given.length || (each !== '*' && each !== given[index])) return false;
  }
  return wanted.length === given.length;
}

/** What all subjects of a filter begin with: everything before its first wildcard. */
export function literalPrefix(filter: string): string {
  const wild = filter.search(/[*>]/);
  return wild < 0 ? filter : filter.slice(0, wild);
}
