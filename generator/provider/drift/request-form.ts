import type {
  BodyPlan,
  Field,
  Helper,
  RequestPlan,
  Value,
} from '../../model/shape/request-plan.ts';

/** Helpers that write one value as its text: they follow from its type, not from its place. */
const plain: ReadonlySet<Helper> = new Set([
  'cursorNumber',
  'dateTime',
  'digits',
  'digitsText',
  'offset',
  'pageNumber',
]);

const usualTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  graphql: 'application/json',
} as const;

/** What is other on the wire for the same arguments: the server, the body's media type, the places. */
export function requestChanges(was: RequestPlan, now: RequestPlan): string[] {
  const facts: [name: string, before: string | undefined, after: string | undefined][] = [
    ['server', was.server ?? 'the first', now.server ?? 'the first'],
  ];
  // A body that comes or goes does so with its members, of which the arguments tell.
  if (was.body && now.body) facts.push(['body', mediaType(was.body), mediaType(now.body)]);
  const after = placesOf(now);
  for (const [name, before] of placesOf(was)) facts.push([name, before, after.get(name) ?? before]);
  return facts
    .filter(([, before, later]) => before !== later)
    .map(([name, before, later]) => `${name} is sent as ${later}, not ${before}`)
    .map((text) => text.replace(/^server is sent as/, 'server is'));
}

/** Parameters of a media type, such as its charset, change nothing that is sent here. */
function mediaType(body: BodyPlan): string {
  const own = 'contentType' in body ? body.contentType : undefined;
  const usual = body.kind === 'raw' ? '' : usualTypes[body.kind];
  const [type = ''] = (own ?? usual).split(';', 1);
  return type.trim().toLowerCase();
}

/** Where each argument travels and how it is written there, in words. */
function placesOf({ path, query, headers, body }: RequestPlan): Map<string, string> {
  const places = new Map<string, string>();
  const visit = (value: Value, place: string): void => {
    switch (value.kind) {
      case 'argument': {
        const known = places.get(value.name);
        places.set(value.name, known === undefined ? place : `${known} and ${place}`);
        return;
      }
      case 'call': {
        const { helper, before = [], after = [] } = value;
        const constants = [...before, ...after].map((constant) => JSON.stringify(constant));
        const written = `${place} by ${helper}(${constants.join(', ')})`;
        visit(value.value, plain.has(helper) ? place : written);
        return;
      }
      case 'object':
        visitAll(value.fields, (name) => `${place}/${name}`, place);
        return;
      case 'constant':
    }
  };
  const visitAll = (
    fields: readonly Field[],
    placeOf: (name: string) => string,
    whole: string,
  ): void => {
    for (const field of fields) {
      if ('spread' in field) visit(field.spread, whole);
      else visit(field.value, placeOf(field.name));
    }
  };
  for (const part of path) if ('value' in part) visit(part.value, 'path');
  visitAll(query, (name) => `query ${name}`, 'query');
  // Their names have no case (RFC 9110 section 5.1).
  visitAll(headers, (name) => `header ${name.toLowerCase()}`, 'headers');
  if (body?.kind === 'graphql') visit(body.variables, 'variables');
  else if (body) visit(body.value, 'body');
  return places;
}
