/** What tells of a failure, unless it says nothing. */
const failureNames =
  /^(?:errors?|error_?\w+|warnings?|failures?|failed|fault|exceptions?|(?:is_?)?(?:partial|incomplete|timed_?out|degraded)(?:_?\w+)?)$/i;
const successNames = /^(?:ok|success|succeeded)$/i;
const stateNames = /^(?:status|state|result_?code)$/i;
const fineStates = /^(?:ok|success(?:ful(?:ly)?)?|succeeded|complete[d]?|done|0+|2\d\d)$/i;

/** Whether a member of an answer tells of a failure: `error: "denied"`, `ok: false`, `status: "failed"`. */
export function tellsFailure(name: string, value: unknown): boolean {
  if (successNames.test(name)) return value === false || value === 'false';
  if (stateNames.test(name)) return isText(value) && !fineStates.test(String(value));
  return failureNames.test(name) && saysSomething(value);
}

/** Whether a member may say why a list is empty: `code: 1001, message: "denied"`, but not `code: 0`. */
export function tellsWhy(name: string, value: unknown): boolean {
  return whyNames.test(name) && isText(value) && value !== '' && !fineStates.test(String(value));
}

const whyNames = /^(?:(?:err|error|ret|return|response)?_?code|errno|message|msg|reason)$/i;

/** Whether a member says anything: null, false, 0 and what is empty stand in many answers for nothing. */
export function saysSomething(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== null && value !== '' && value !== false && value !== 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
