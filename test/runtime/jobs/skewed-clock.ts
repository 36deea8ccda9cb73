/** Loaded before a program: its wall clock is wrong by `CLOCK_SKEW_MS`. */
const skewMs = Number(process.env['CLOCK_SKEW_MS']);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, words) =>
    Reflect.construct(target, words.length > 0 ? words : [target.now() + skewMs]),
  get: (target, name) =>
    name === 'now' ? () => target.now() + skewMs : Reflect.get(target, name, target),
});
