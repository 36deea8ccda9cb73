import { isObject } from '#contract/json';
import type { TelemetryKind } from '#contract/telemetry/kind';
import { otherForms, placeholdersIn, valueForms } from '#contract/telemetry/placeholders';
import { escapeStep } from '../../read/text/json-pointer.ts';

/** What a request can be given, besides what a filter or a list of tags brings along. */
const values = [
  ...['query', 'selector', 'start', 'end', 'limit', 'spans', 'nodes', 'step', 'timeout', 'range'],
  ...['direction', 'order', 'sort', 'traceId', 'profileType', 'labelSelector'],
];
/** What the address of an exporter is made from. */
const addresses = ['endpoint', 'otlp'];
const forms: readonly string[] = [...valueForms, ...otherForms];
/** What a clause of a filter can be given. */
const clauseValues = ['value', 'key'];

/** A text with a placeholder that nothing fills in, or in a form that there is not. */
export interface UnknownPlaceholder {
  readonly pointer: string;
  readonly name: string;
  /** Present where the form is what is wrong. */
  readonly form?: string;
  readonly known: readonly string[];
}

/** Find placeholders in the queries of a kind that nothing fills in. */
export function unknownPlaceholders({ query, ingest }: TelemetryKind): UnknownPlaceholder[] {
  const given = Object.entries(ingest).flatMap(([signal, { url }]) =>
    inTexts(url, `/ingest/${signal}/url`, addresses),
  );
  const asked = Object.entries(query).flatMap(
    ([signal, { filter, tags, search, byId, cost, probe, fields }]) => {
      const at = `/query/${signal}`;
      const brought = [
        ...Object.keys(filter?.parts ?? {}),
        ...Object.values(filter?.clauses ?? {}).flatMap(({ parameters = {} }) =>
          Object.keys(parameters).map((name) => name.split('.', 1)[0] ?? name),
        ),
        ...Object.values(tags?.named ?? {}),
        ...(tags ? [tags.others] : []),
      ];
      const parts = Object.keys(filter?.parts ?? {});
      return [
        ...inTexts(search, `${at}/search`, [...values, ...brought]),
        ...inTexts(byId, `${at}/byId`, [...values, ...brought]),
        ...inTexts(cost, `${at}/cost`, values),
        ...inTexts(probe, `${at}/probe`, values),
        ...inTexts(fields, `${at}/fields`, [...values, 'field', 'service']),
        ...inTexts(filter?.query, `${at}/filter/query`, parts),
        ...inTexts(filter?.clauses, `${at}/filter/clauses`, clauseValues),
      ];
    },
  );
  return [...given, ...asked];
}

function inTexts(value: unknown, pointer: string, known: readonly string[]): UnknownPlaceholder[] {
  if (typeof value === 'string') {
    return placeholdersIn(value).flatMap(({ name, form }) => {
      if (!known.includes(name)) return [{ pointer, name, known }];
      return form === undefined || forms.includes(form)
        ? []
        : [{ pointer, name, form, known: forms }];
    });
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => inTexts(item, `${pointer}/${index}`, known));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    inTexts(member, `${pointer}/${escapeStep(key)}`, known),
  );
}
