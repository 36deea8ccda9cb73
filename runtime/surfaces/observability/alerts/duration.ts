const form =
  /^(?:(\d{1,4})y)?(?:(\d{1,6})w)?(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,8})m)?(?:(\d{1,9})s)?(?:(\d{1,12})ms)?$/;
const second = 1000;
const day = 86_400 * second;
const units = [365 * day, 7 * day, day, 3600 * second, 60 * second, second, 1];

/** Read a time such as 1h30m, as milliseconds (Prometheus, time durations); nothing where it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const found = form.exec(text);
  if (text === '' || found === null) return undefined;
  return units.reduce((sum, unit, index) => sum + unit * Number(found[index + 1] ?? 0), 0);
}
