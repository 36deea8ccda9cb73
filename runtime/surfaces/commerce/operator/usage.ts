import { ServiceError } from '#contract/errors';

/** What the operator typed is not understood, and what would be. */
export function usage(message: string): ServiceError {
  return new ServiceError('invalid_arguments', 400, message);
}

/**
 * The time between two that the operator writes, the second not included.
 *
 * @throws ServiceError 400 where nothing can lie between them
 */
export function periodOf({ from, to }: Readonly<Record<string, string | undefined>>) {
  const [fromMs, toMs] = [timeOf('from', from), timeOf('to', to)];
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    throw usage(`--from ${from} is not before --to ${to}`);
  }
  return { fromMs, toMs };
}

/** A day or a time as the operator writes it, in milliseconds; nothing where none is given. */
export function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    const received = JSON.stringify(text.slice(0, 40));
    throw usage(`--${name} is a day or a time in UTC such as 2026-11-23, not ${received}`);
  }
  return ms;
}
