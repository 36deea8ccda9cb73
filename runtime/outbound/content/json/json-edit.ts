import { isObject, type JsonPath } from '#contract/json';

/** Copy `value` with what stands at `path` changed; where nothing stands, nothing changes. */
export function updateAt(
  value: unknown,
  path: JsonPath,
  change: (found: unknown) => unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    if (step === '*') return value.map((member) => updateAt(member, rest, change));
    const index = typeof step === 'number' && step < 0 ? value.length + step : step;
    if (typeof index !== 'number' || !(index in value)) return value;
    return value.with(index, updateAt(value[index], rest, change));
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: updateAt(value[step], rest, change) };
}
