import { isObject } from '#contract/json';

type Members = Readonly<Record<string, unknown>>;

/** So many problems are told: an agent mends one after the other. */
const mostProblems = 10;
/** Failures stand no deeper within what an answer wraps around them. */
const deepest = 4;

/** Where objects that fail say what is wrong, the best first; all names as `plain` writes them. */
const words = [
  ...['defaultmessage', 'msg', 'message', 'errormessage', 'errordescription', 'faultstring'],
  ...['detail', 'description', 'reason', 'error', 'title', 'code'],
];
/** Where an answer as a whole does. */
const summaries = [
  ...['message', 'errormessage', 'errordescription', 'faultstring', 'msg', 'error', 'detail'],
  ...['description', 'reason', 'title'],
];
/** Which value is meant; of an answer as a whole, `path` is its address and `name` its kind. */
const surePlaces = [
  ...['field', 'fieldname', 'pointer', 'param', 'parameter', 'parametername', 'argument'],
  ...['propertypath', 'property', 'propertyname', 'target'],
];
const places = [
  ...surePlaces,
  'loc',
  'path',
  'instancepath',
  'location',
  'attribute',
  'name',
  'key',
];
/** Members that hold problems: a list of them, or what is wrong by the names of fields. */
const holders = new Set([
  ...[
    'errors',
    'error',
    'details',
    'detail',
    'issues',
    'violations',
    'fieldviolations',
    'problems',
  ],
  ...[
    'fielderrors',
    'formerrors',
    'globalerrors',
    'nonfielderrors',
    'validationerrors',
    'suberrors',
  ],
  ...['invalidparams', 'invalidparameters', 'modelstate', 'fault', 'message', 'messages'],
]);
/** Of these, those that may as well hold something else, such as a code. */
const vague = new Set(['error', 'details', 'detail', 'fault', 'message', 'messages']);
/** What frameworks put in front of the name of an argument. */
const wrappers = new Set([
  ...['body', 'query', 'querystring', 'path', 'header', 'headers', 'params', 'data', 'attributes'],
  ...['input', 'request', 'payload', ''],
]);

/**
 * What a failed answer says is wrong, and where, under the names of a tool's arguments where they are
 * the same: as Spring, ASP.NET, Google, Laravel, FastAPI, Zod, JSON:API and problem details (RFC 9457)
 * list it. Not yet scrubbed.
 */
export function failureWords(
  value: unknown,
  {
    summary: told,
    names,
  }: { readonly summary: string | undefined; readonly names: readonly string[] },
): string | undefined {
  const root = unwrapped(value);
  const problems = [...new Set(problemsOf(root, names))].slice(0, mostProblems);
  const summary = told ?? summaryOf(root);
  if (summary === undefined || problems.some((problem) => problem.includes(summary)))
    return problems.length === 0 ? undefined : problems.join('; ');
  const others = problems.filter((problem) => !summary.includes(problem));
  if (others.length === 0) return summary;
  return `${summary.replace(/[\s.:]+$/, '')}: ${others.join('; ')}`;
}

/** The error within what XML, or an envelope, wraps around it. */
function unwrapped(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth === deepest) return value;
  const members = Object.entries(value).filter(([name]) => !/^(?:@|xmlns|_text$|\?)/.test(name));
  const [only] = members;
  if (members.length !== 1 || !only || !isObject(only[1])) return value;
  const name = plain(only[0]);
  // By the names of fields, of which one may be called as a summary is: a field is no envelope.
  const isOfFields =
    holders.has(name) && !vague.has(name) && !isObject(memberOf(only[1], ['error']));
  return isOfFields ? value : unwrapped(only[1], depth + 1);
}

function summaryOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  const inner = ['error', 'fault'].map((name) => memberOf(value, [name])).find(isObject);
  const own = textOf(value, summaries.slice(0, 1));
  return own ?? (inner && summaryOf(inner)) ?? textOf(value, summaries);
}

function problemsOf(value: unknown, names: readonly string[], depth = 0): string[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) {
    // Where objects are listed, a text among them is none of theirs.
    const objects = value.filter(isObject);
    return objects.length === 0
      ? value.flatMap(textsOf)
      : objects.flatMap((item) => listed(item, names, depth));
  }
  if (!isObject(value)) return [];
  const place = placeOf(value, surePlaces, names);
  const what = textOf(value, words);
  const own = place !== undefined && what !== undefined ? [`${place}: ${what}`] : [];
  const held = Object.entries(value).flatMap(([name, member]) =>
    holders.has(plain(name)) || isPlaced(member) ? heldIn(plain(name), member, names, depth) : [],
  );
  const all = [...own, ...held];
  // Django names its fields at once.
  return all.length > 0 || depth > 0 ? all : fieldsIn(value, names, true);
}

/** Whether it is a list of what FastAPI finds wrong, which others put under a name of theirs. */
function isPlaced(member: unknown): boolean {
  return (
    Array.isArray(member) &&
    member.length > 0 &&
    member.every(
      (item) => isObject(item) && Array.isArray(item['loc']) && typeof item['msg'] === 'string',
    )
  );
}

function heldIn(
  holder: string,
  member: unknown,
  names: readonly string[],
  depth: number,
): string[] {
  if (!isObject(member)) return Array.isArray(member) ? problemsOf(member, names, depth + 1) : [];
  const inner = problemsOf(member, names, depth + 1);
  return inner.length > 0 ? inner : fieldsIn(member, names, vague.has(holder));
}

/** One of a list, which says what is wrong, and where, or has a list itself. */
function listed(item: Members, names: readonly string[], depth: number): string[] {
  const inner = Object.entries(item).flatMap(([name, member]) =>
    holders.has(plain(name)) ? heldIn(plain(name), member, names, depth + 1) : [],
  );
  const what = textOf(item, words);
  if (what === undefined) return inner;
  const place = placeOf(item, places, names);
  return [place === undefined ? what : `${place}: ${what}`, ...inner];
}

/** What is wrong by the names of fields; `strictly` where anything else may stand among them. */
function fieldsIn(fields: Members, names: readonly string[], strictly: boolean): string[] {
  const told = Object.entries(fields).map(([name, said]) => {
    const items = strictly && !Array.isArray(said) ? [] : [said].flat();
    const texts = items.flatMap((item) =>
      isObject(item) && !strictly ? textIn(item) : textsOf(item),
    );
    return texts.length === 0 ? '' : `${argumentOf(name, names)}: ${texts.join(', ')}`;
  });
  if (strictly && told.includes('')) return [];
  return told.filter((text) => text !== '');
}

function textIn(item: Members): string[] {
  const listed = memberOf(item, ['errors', 'messages']);
  return Array.isArray(listed) ? listed.flatMap(textsOf) : textsOf(textOf(item, words));
}

function textsOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}

function placeOf(item: Members, among: readonly string[], names: readonly string[]) {
  const source = memberOf(item, ['source']);
  const found = memberOf(item, among) ?? (isObject(source) ? firstText(source) : undefined);
  const steps = Array.isArray(found) ? found.map(String) : found;
  if (typeof steps !== 'string' && !Array.isArray(steps)) return undefined;
  return steps.length === 0 ? undefined : argumentOf(steps, names);
}

/** JSON:API points into the document, at a parameter or at a header. */
function firstText(source: Members): string | undefined {
  return Object.values(source).find((value) => typeof value === 'string');
}

/** The name of an argument, where a place is one or stands in one; else as the vendor writes it. */
function argumentOf(place: string | readonly string[], names: readonly string[]): string {
  const written = typeof place === 'string' ? place : place.join('.');
  const steps = typeof place === 'string' ? place.split(/[./[\]#$]+/) : place;
  for (const [index, step] of steps.entries()) {
    const name = names.find((each) => plain(each) === plain(step));
    if (name !== undefined) return [name, ...steps.slice(index + 1)].filter(Boolean).join('.');
    if (!wrappers.has(plain(step))) break;
  }
  // What stands in brackets or behind a dot at the vendor is one name here: `filter[colour]`.
  return names.find((each) => unmarked(each) === unmarked(written)) ?? written;
}

function unmarked(name: string): string {
  return plain(name).replace(/[.[\]$]/g, '');
}

/** The first text of these names. */
function textOf(members: Members, among: readonly string[]): string | undefined {
  const found = memberOf(members, among, (value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : undefined;
}

function memberOf(
  members: Members,
  among: readonly string[],
  isWanted: (value: unknown) => boolean = (value) => value !== undefined && value !== null,
): unknown {
  const entries = Object.entries(members).filter(([, value]) => isWanted(value));
  const byName = new Map(entries.map(([name, value]) => [plain(name), value]));
  return byName.get(among.find((name) => byName.has(name)) ?? '');
}

/** `soap:Fault`, `error_description` and `errorDescription` as one writes them without marks. */
function plain(name: string): string {
  return name.replace(/^.*:/, '').replace(/[_-]/g, '').toLowerCase();
}
