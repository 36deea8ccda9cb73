import { ServiceError } from '#contract/errors';
import type { JsonSchema } from '#contract/json';
import { propertyOf, typed } from '../route-schema.ts';

type Values = Readonly<Record<string, unknown>>;

const mostMembers = 1000;

/** Tokens in forms (RFC 6750 section 2.2) end up where no header does: they are not taken. */
const tokenMember = 'access_token';
const tokenInForm =
  'a token belongs in the header Authorization, not into a form as the member access_token';

/** How the members of a form become values. */
export interface FormReading {
  /** Schema of the form, of which the types of its members are taken. */
  readonly schema: JsonSchema;
  /** What is sent without a value counts as left out (RFC 6749 section 3.1 and 3.2). */
  readonly dropsEmpty: boolean;
}

/** Parse a body of application/x-www-form-urlencoded (WHATWG URL section 5.1). */
export function parseForm(text: string, reading: FormReading): Values {
  // Counted before any of them is made: a body has room for millions.
  let count = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count >= mostMembers) throw tooMany();
  }
  return formValues(new URLSearchParams(text), reading);
}

/**
 * Turn the members of a form into one object, in the types that its schema asks for.
 *
 * @throws ServiceError where a member comes twice that is no list, or there are far too many
 */
export function formValues(
  members: Iterable<readonly [name: string, value: string]>,
  { schema, dropsEmpty }: FormReading,
): Values {
  const all = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of members) {
    count += 1;
    if (count > mostMembers) throw tooMany();
    if (name === tokenMember) throw refused(tokenInForm);
    if (dropsEmpty && value === '') continue;
    const known = all.get(name);
    if (known) known.push(value);
    else all.set(name, [value]);
  }
  return Object.fromEntries(
    Array.from(all, ([name, values]) => {
      const member = propertyOf(schema, name);
      if (member['type'] === 'array') return [name, typed(values, member)];
      if (values.length === 1) return [name, typed(values[0], member)];
      const shown = JSON.stringify(name.slice(0, 80));
      throw refused(`${shown} must come once, but it came ${values.length} times`);
    }),
  );
}

function tooMany(): ServiceError {
  return refused(`a form has at most ${mostMembers} members`);
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_arguments', 400, message);
}
