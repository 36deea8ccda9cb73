import { join } from 'node:path';
import { isObject } from '#contract/json';
import type { OwnSample } from '#contract/telemetry/own-telemetry';
import { limits } from '../numbers.ts';
import { type KeptLine, type KeptSpan, sizeOfLine, sizeOfSpan } from './kept.ts';
import { Ring } from './ring.ts';
import { inOrderOfWorth, SeriesKeep } from './series-keep.ts';
import { Spool } from './spool.ts';

export interface KeepParts {
  readonly folder: string;
  readonly hours: number;
  readonly tenants: readonly string[];
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** What came of one source. */
interface OfSource {
  readonly lines: Ring<KeptLine>;
  readonly spans: Ring<KeptSpan>;
}

type Source = KeptLine['source'];
type OfTenant = Readonly<Record<Source, OfSource>>;

/**
 * Telemetry of the last hours, in memory and in files from which it comes back after a restart. Each
 * tenant has its share of the room, and in it pages have theirs: what they send pushes out nothing that
 * the server has noted. Samples of metrics are of the server as a whole.
 */
export class Keep {
  readonly metrics: SeriesKeep;
  readonly #tenants: ReadonlyMap<string, OfTenant>;
  readonly #spool: Spool;
  readonly #spoolOfPages: Spool;
  readonly #parts: KeepParts;
  /** What was written of the metrics last: only what changes is written. */
  #written = new Map<string, { readonly place: number; value: number | undefined }>();

  constructor(parts: KeepParts) {
    const { folder, hours, tenants, now, onFailure } = parts;
    this.#parts = parts;
    const keepMs = hours * 3_600_000;
    this.metrics = new SeriesKeep(Math.ceil(keepMs / limits.scrapeMs) + 1);
    const ofSource = (percent: number): OfSource => {
      const share = (most: number) => Math.ceil((most * percent) / 100 / tenants.length);
      return {
        lines: new Ring(share(limits.lines), share(limits.lineCharacters), sizeOfLine),
        spans: new Ring(share(limits.spans), share(limits.spanCharacters), sizeOfSpan),
      };
    };
    const { browserShare } = limits;
    const ownShare = 100 - browserShare;
    this.#tenants = new Map(
      tenants.map((tenant) => [
        tenant,
        { server: ofSource(ownShare), browser: ofSource(browserShare) },
      ]),
    );
    const bytes = (percent: number) => (limits.folderBytes * percent) / 100;
    this.#spool = new Spool({
      ...{ folder, mostBytes: bytes(ownShare), keepMs, now, onFailure },
      onFile: () => {
        this.#written = new Map();
      },
    });
    this.#spoolOfPages = new Spool({
      ...{ folder: join(folder, 'browser'), mostBytes: bytes(browserShare) },
      ...{ keepMs, now, onFailure, onFile: () => {} },
    });
  }

  /** Take up what was kept before the server was started. */
  async restore(): Promise<void> {
    const oldest = this.#oldest();
    const series: OwnSample[] = [];
    const now = new Map<number, OwnSample>();
    const take = (record: unknown) => {
      if (!Array.isArray(record)) return;
      const [kind, first, second, third] = record;
      if (kind === 'l' && isObject(second)) {
        const line = { ...second, time: BigInt(String(second['time'])) } as unknown as KeptLine;
        if (line.time >= oldest) this.#of(String(first), line)?.lines.push(line);
      } else if (kind === 's' && isObject(second)) {
        const { start, durationNs } = second;
        const times = { start: BigInt(String(start)), durationNs: BigInt(String(durationNs)) };
        const span = { ...second, ...times } as unknown as KeptSpan;
        if (span.start >= oldest) this.#of(String(first), span)?.spans.push(span);
      } else if (kind === 'n' && isObject(third)) {
        if (first === 0) now.clear();
        const labels = third as OwnSample['labels'];
        series[Number(first)] = { name: String(second), labels, value: 0 };
      } else if (kind === 'm' && Array.isArray(second)) {
        this.#restoreSamples(Number(first), second, { series, now });
      }
    };
    await this.#spool.read(take);
    await this.#spoolOfPages.read(take);
  }

  #restoreSamples(
    ms: number,
    changes: readonly unknown[],
    {
      series,
      now,
    }: { readonly series: readonly OwnSample[]; readonly now: Map<number, OwnSample> },
  ): void {
    for (let at = 0; at + 1 < changes.length; at += 2) {
      const place = Number(changes[at]);
      const known = series[place];
      const value = changes[at + 1];
      if (typeof value === 'number' && known) now.set(place, { ...known, value });
      else now.delete(place);
    }
    if (BigInt(ms) * 1_000_000n >= this.#oldest()) this.metrics.add(ms, [...now.values()]);
  }

  addLine(tenant: string, line: KeptLine): void {
    const kept = this.#of(tenant, line);
    if (kept === undefined) return;
    kept.lines.push(line);
    this.#spoolOf(line).put(['l', tenant, { ...line, time: String(line.time) }]);
  }

  addSpan(tenant: string, span: KeptSpan): void {
    const kept = this.#of(tenant, span);
    if (kept === undefined) return;
    kept.spans.push(span);
    const times = { start: String(span.start), durationNs: String(span.durationNs) };
    this.#spoolOf(span).put(['s', tenant, { ...span, ...times }]);
  }

  addSamples(ms: number, samples: readonly OwnSample[]): void {
    this.metrics.add(ms, samples);
    const changes: (number | null)[] = [];
    const seen = new Set<string>();
    const names: unknown[] = [];
    // A new file says anew what its numbers stand for.
    this.#spool.put(['t', ms]);
    for (const { name, labels, value } of inOrderOfWorth(samples).slice(0, limits.series)) {
      const key = `${name} ${JSON.stringify(labels)}`;
      seen.add(key);
      let known = this.#written.get(key);
      if (known === undefined) {
        known = { place: this.#written.size, value: undefined };
        this.#written.set(key, known);
        names.push(['n', known.place, name, labels]);
      }
      if (known.value === value || !Number.isFinite(value)) continue;
      known.value = value;
      changes.push(known.place, value);
    }
    for (const [key, known] of this.#written) {
      if (seen.has(key) || known.value === undefined) continue;
      known.value = undefined;
      changes.push(known.place, null);
    }
    for (const each of names) this.#spool.put(each);
    this.#spool.put(['m', ms, changes]);
  }

  lines(tenant: string): readonly KeptLine[] {
    const oldest = this.#oldest();
    return this.#sourcesOf(tenant).flatMap(({ lines }) => {
      lines.dropWhile(({ time }) => time < oldest);
      return lines.all();
    });
  }

  spans(tenant: string): readonly KeptSpan[] {
    const oldest = this.#oldest();
    return this.#sourcesOf(tenant).flatMap(({ spans }) => {
      spans.dropWhile(({ start }) => start < oldest);
      return spans.all();
    });
  }

  async flush(): Promise<void> {
    await Promise.all([this.#spool.flush(), this.#spoolOfPages.flush()]);
  }

  #of(tenant: string, { source }: { readonly source?: Source }): OfSource | undefined {
    return this.#tenants.get(tenant)?.[source === 'browser' ? source : 'server'];
  }

  #sourcesOf(tenant: string): readonly OfSource[] {
    const { server, browser } = this.#tenants.get(tenant) ?? {};
    return [server ?? [], browser ?? []].flat();
  }

  #spoolOf({ source }: { readonly source: Source }): Spool {
    return source === 'browser' ? this.#spoolOfPages : this.#spool;
  }

  #oldest(): bigint {
    return BigInt(this.#parts.now() - this.#parts.hours * 3_600_000) * 1_000_000n;
  }
}
