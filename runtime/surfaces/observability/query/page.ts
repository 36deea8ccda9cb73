import type { Profile, Series, Span } from './answers/rows.ts';
import type { ProviderAnswer } from './ask-provider.ts';
import { fingerprintOf } from './merge/fingerprint.ts';
import { fingerprint, type MergedRow, mergeLogs } from './merge/merge-logs.ts';
import { mergeProfiles } from './merge/merge-profiles.ts';
import { mergeSeries } from './merge/merge-series.ts';
import { type MergedTrace, mergeTraces, summarize, uniteSpans } from './merge/merge-traces.ts';
import { limits } from './numbers.ts';
import type { ReadQuery } from './read-input.ts';
import type { Position } from './write/cursor.ts';

/** What several providers gave, merged. `endAt` says where a page of so many rows ends. */
export type Page = (
  | { readonly holds: 'logs'; readonly rows: readonly MergedRow[] }
  | { readonly holds: 'series'; readonly rows: readonly Series[] }
  | { readonly holds: 'traces'; readonly rows: readonly MergedTrace[] }
  | { readonly holds: 'spans'; readonly rows: readonly Span[] }
  | { readonly holds: 'profile'; readonly rows: readonly Profile[] }
) & {
  /** Rows that were left out because another provider has them too. */
  readonly dropped: number;
  /** Whether something follows the last row. */
  readonly hasMore: boolean;
  /** Where a page ends that has the first `count` rows; absent where pages cannot go on. */
  readonly endAt?: (count: number) => End | undefined;
  /** A back end gave as much as it was asked for, but nothing of the time that it was asked for. */
  readonly isStuck?: boolean;
};

/** Where a page ends. */
export interface End extends Position {
  /** More lies at its very time than can be told apart: what is left of it is passed by. */
  readonly passes?: bigint;
}

/** Merge what came into one page. */
export function mergePage(query: ReadQuery, answers: readonly ProviderAnswer[]): Page {
  const contents = answers.flatMap(({ provider, read, isCut, strays }) =>
    read === undefined ? [] : [{ providerId: provider.id, content: read.content, isCut, strays }],
  );
  const holds = new Set(contents.map(({ content }) => content.holds));
  if (holds.has('series')) return seriesPage(query, contents);
  if (holds.has('profile')) return profilePage(contents);
  if (query.question.traceId !== undefined) return spanPage(query, contents);
  if (query.question.signal === 'trace') return tracePage(query, contents);
  return logPage(query, contents);
}

interface Source {
  readonly providerId: string;
  readonly content: NonNullable<ProviderAnswer['read']>['content'];
  readonly isCut: boolean;
  readonly strays: number;
}

function logPage({ question, pageRows, position }: ReadQuery, sources: readonly Source[]): Page {
  const { direction } = question;
  const given = position?.given ?? [];
  const merged = mergeLogs(
    sources.map(({ providerId, content, isCut }) => ({
      ...{ providerId, isCut },
      rows: content.holds === 'logs' ? content.rows : [],
    })),
    { direction, limit: pageRows, dedup: true, skip: given },
  );
  const { rows } = merged;
  const isStuck = merged.hasMore && leadsNowhere(rows, sources);
  const hasMore = merged.hasMore && !isStuck;
  return {
    ...{ holds: 'logs', rows, dropped: merged.dropped, hasMore, isStuck },
    endAt(count) {
      const last = rows[count - 1]?.row.timestamp;
      // Nothing new at the last time: whatever else lies there is passed by.
      if (last === undefined) return passedBy(position?.time, direction);
      const same = rows.slice(0, count).filter(({ row }) => row.timestamp === last);
      const before = position?.time === last ? given : [];
      const all = [...before, ...same.map(({ row }) => fingerprint(row))];
      if (all.length > limits.skipped) return passedBy(last, direction);
      return { time: last, given: all };
    },
  };
}

function passedBy(time: bigint | undefined, direction: string): End | undefined {
  if (time === undefined) return undefined;
  return { time: time + (direction === 'forward' ? 1n : -1n), given: [], passes: time };
}

/** A back end that gives nothing but rows of another time gives them for each further page too. */
function leadsNowhere(rows: readonly unknown[], sources: readonly Source[]): boolean {
  return rows.length === 0 && sources.some(({ strays }) => strays > 0);
}

function seriesPage({ onlyFirst, position }: ReadQuery, sources: readonly Source[]): Page {
  const { series, dropped } = mergeSeries(
    sources.map(({ providerId, content }) => ({
      providerId,
      series: content.holds === 'series' ? content.series : [],
    })),
    onlyFirst,
  );
  const offset = position?.offset ?? 0;
  const rows = series.slice(offset, offset + limits.series);
  return {
    ...{ holds: 'series', rows, dropped },
    hasMore: offset + rows.length < series.length,
    endAt: (count) => ({ given: [], offset: offset + count }),
  };
}

function tracePage({ pageRows, position, question }: ReadQuery, sources: readonly Source[]): Page {
  const merged = mergeTraces(
    sources.map(({ providerId, content }) => {
      if (content.holds === 'traces') return { providerId, traces: content.traces };
      return { providerId, traces: content.holds === 'spans' ? summarize(content.spans) : [] };
    }),
  );
  const { given = [], near = [] } = position ?? {};
  const known = new Set([...given, ...near]);
  const fresh = merged.traces.filter(({ traceId }) => !known.has(fingerprintOf(traceId)));
  const rows = fresh.slice(0, pageRows);
  const isCut = sources.some((source) => source.isCut);
  const isStuck = isCut && leadsNowhere(rows, sources);
  return {
    ...{ holds: 'traces', rows, dropped: merged.dropped, isStuck },
    hasMore: !isStuck && (fresh.length > rows.length || isCut),
    endAt(count) {
      const last = rows[count - 1]?.start;
      if (last === undefined) return passedBy(position?.time, question.direction);
      const shown = rows.slice(0, count);
      const namesOf = (list: readonly MergedTrace[]) =>
        list.map(({ traceId }) => fingerprintOf(traceId));
      const same = [
        ...(position?.time === last ? given : []),
        ...namesOf(shown.filter(({ start }) => start === last)),
      ];
      if (same.length > limits.skippedTraces) return passedBy(last, question.direction);
      const isClose = (time: bigint) => time - last < secondNs && last - time < secondNs;
      const isFormerClose = position?.time !== undefined && isClose(position.time);
      const others = shown.filter(({ start }) => start !== last);
      const all = [...near, ...(position?.time === last ? [] : given), ...namesOf(others)];
      const close = isFormerClose
        ? all.length
        : others.filter(({ start }) => isClose(start)).length;
      const most = Math.min(Math.max(close, limits.nearTraces), limits.closeTraces);
      return { time: last, given: same, near: all.slice(-most) };
    },
  };
}

/** Some back ends are asked for whole seconds. */
const secondNs = 1_000_000_000n;

function spanPage({ mostSpans = limits.spans }: ReadQuery, sources: readonly Source[]): Page {
  const lists = sources.map(({ content }) => (content.holds === 'spans' ? content.spans : []));
  const { spans, dropped } = uniteSpans(lists);
  const rows = spans.slice(0, mostSpans);
  return { holds: 'spans', rows, dropped, hasMore: rows.length < spans.length };
}

function profilePage(sources: readonly Source[]): Page {
  const profiles = sources.flatMap(({ content }) =>
    content.holds === 'profile' ? [content.profile] : [],
  );
  const rows = profiles.length === 0 ? [] : [mergeProfiles(profiles)];
  return { holds: 'profile', rows, dropped: 0, hasMore: false };
}
