import { ToolError } from '../errors.ts';

/** What an error is about, beside it: it must not come into a log with it. */
const refused = new WeakMap<ToolError, unknown>();

const mostNamed = 3;

/** An error about one value of the arguments, for those who do not know their names. */
export function refusedValue(value: unknown, message: string): ToolError {
  const error = new ToolError('invalid_arguments', message);
  refused.set(error, value);
  return error;
}

/** The same error with the places at which the arguments of a tool hold that value. */
export function withPlaces(error: unknown, tool: string, args: object): unknown {
  if (!(error instanceof ToolError) || !refused.has(error)) return error;
  const places = placesOf(refused.get(error), args).slice(0, mostNamed).join(', ');
  if (places === '') return error;
  const message = `Invalid arguments for ${tool}:\n- ${places}: ${error.message}`;
  return new ToolError(error.code, message, error.detail);
}

/** `filter.ids[1]`, as people write it. */
function placesOf(wanted: unknown, args: object): readonly string[] {
  const found: string[] = [];
  const queue: { readonly place: string; readonly value: unknown }[] = [{ place: '', value: args }];
  for (const { place, value } of queue) {
    if (place !== '' && isSame(value, wanted)) found.push(place);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      const step = Array.isArray(value)
        ? `[${name}]`
        : `${place === '' ? '' : '.'}${name.slice(0, 80)}`;
      queue.push({ place: place + step, value: member });
    }
  }
  return found;
}

function isSame(value: unknown, wanted: unknown): boolean {
  if (typeof value === 'object' || typeof wanted === 'object') return value === wanted;
  return String(value) === String(wanted);
}
