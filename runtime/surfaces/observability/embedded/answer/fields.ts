import { type KeptLine, type KeptSpan, labelsOf } from '../keep/kept.ts';
import type { Asked } from './asked.ts';

/** Names of labels of lines (Loki, labels). */
export async function answerLabels(asked: Asked): Promise<object> {
  return listed(linesIn(asked).flatMap((line) => Object.keys(labelsOf(line))));
}

/** Values of one of them (Loki, label values). */
export async function answerLabelValues(asked: Asked, name: string): Promise<object> {
  return listed(linesIn(asked).map((line) => labelsOf(line)[decodeURIComponent(name)]));
}

/** Names of labels of series (Prometheus, labels). */
export async function answerSeriesLabels(asked: Asked): Promise<object> {
  return listed(labelsOfSeries(asked).flatMap((labels) => Object.keys(labels)));
}

/** Values of one of them (Prometheus, label values). */
export async function answerSeriesValues(asked: Asked, name: string): Promise<object> {
  const wanted = decodeURIComponent(name);
  return listed(
    labelsOfSeries(asked).map((labels) =>
      Object.hasOwn(labels, wanted) ? labels[wanted] : undefined,
    ),
  );
}

/** Names of attributes of spans (Tempo, search tags). */
export async function answerTags(asked: Asked): Promise<object> {
  const tags = unique(spansIn(asked).flatMap(({ attributes }) => Object.keys(attributes)));
  return { scopes: [{ name: 'span', tags }] };
}

/** Values of one of them, or of what each span has (Tempo, search tag values). */
export async function answerTagValues(asked: Asked, tag: string): Promise<object> {
  const name = decodeURIComponent(tag);
  const values = unique(spansIn(asked).map((span) => attributeOf(span, name)));
  return { tagValues: values.map((value) => ({ type: 'string', value })) };
}

function attributeOf({ name, service, attributes }: KeptSpan, tag: string): string | undefined {
  if (tag === 'name') return name;
  if (tag === 'resource.service.name') return service;
  const attribute = tag.replace(/^(?:span|resource)?\./, '');
  return Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
}

function linesIn({ keep, tenant, parameters }: Asked): readonly KeptLine[] {
  const [start, end] = [parameters.get('start') ?? 0, parameters.get('end') ?? 0].map(BigInt);
  return keep.lines(tenant).filter(({ time }) => time >= (start ?? 0n) && time < (end ?? 0n));
}

/** Times are whole seconds here, as Tempo has them. */
function spansIn({ keep, tenant, parameters }: Asked): readonly KeptSpan[] {
  const nsOf = (name: string) => BigInt(parameters.get(name) ?? 0) * 1_000_000_000n;
  const [from, to] = [nsOf('start'), nsOf('end')];
  return keep.spans(tenant).filter(({ start }) => start >= from && start < to);
}

function labelsOfSeries({ keep, isOwner }: Asked): readonly Readonly<Record<string, string>>[] {
  return isOwner ? keep.metrics.select([]).map(({ labels }) => labels) : [];
}

function listed(values: readonly (string | undefined)[]): object {
  return { status: 'success', data: unique(values) };
}

function unique(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}
