import { isObject } from '#contract/json';
import type { OwnSample } from '#contract/telemetry/own-telemetry';
import { limits } from '../numbers.ts';
import { type KeptLine, type KeptSpan, sizeOfLine, sizeOfSpan } from './kept.ts';
import { Ring } from './ring.ts';
import { SeriesKeep } from './series-keep.ts';
import { Spool } from './spool.ts';

export interface KeepParts {
  readonly folder: string;
  readonly hours: number;
  readonly tenants: readonly string[];
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

interface OfTenant {
  readonly lines: Ring<KeptLine>;
  readonly spans: Ring<KeptSpan>;
}

/**
 * Telemetry of the last hours, in memory and in files from which it comes back after a restart. Each
 * tenant has its share of the room; samples of metrics are of the server as a whole.
 */
export class Keep {
  readonly metrics: SeriesKeep;
  readonly #tenants: ReadonlyMap<string, OfTenant>;
  readonly #spool: Spool;
  readonly #parts: KeepParts;
  /** What was written of the metrics last: only what changes is written. */
  #written = new Map<string, { readonly place: number; value: number | undefined }>();

  constructor(parts: KeepParts) {
    const { folder, hours, tenants, now, onFailure } = parts;
    this.#parts = parts;
    const keepMs = hours * 3_600_000;
    this.metrics = new SeriesKeep(Math.ceil(keepMs / limits.scrapeMs) + 1);
    const share = (most: number) => Math.ceil(most / tenants.length);
    this.#tenants = new Map(
      tenants.map((tenant) => [
        tenant,
        {
          lines: new Ring(share(limits.lines), share(limits.lineCharacters), sizeOfLine),
          spans: new Ring(share(limits.spans), share(limits.spanCharacters), sizeOfSpan),
        },
      ]),
    );
    this.#spool = new Spool({
      ...{ folder, keepMs, now, onFailure },
      onFile: () => {
        this.#written = new Map();
      },
    });
  }

  /** Take up what was kept before the server was started. */
  async restore(): Promise<void> {
    const oldest = this.#oldest();
    const series: OwnSample[] = [];
    const now = new Map<number, OwnSample>();
    await this.#spool.read((record) => {
      if (!Array.isArray(record)) return;
      const [kind, first, second, third] = record;
      if (kind === 'l' && isObject(second)) {
        const line = { ...second, time: BigInt(String(second['time'])) } as unknown as KeptLine;
        if (line.time >= oldest) this.#tenants.get(String(first))?.lines.push(line);
      } else if (kind === 's' && isObject(second)) {
        const { start, durationNs } = second;
        const times = { start: BigInt(String(start)), durationNs: BigInt(String(durationNs)) };
        const span = { ...second, ...times } as unknown as KeptSpan;
        if (span.start >= oldest) this.#tenants.get(String(first))?.spans.push(span);
      } else if (kind === 'n' && isObject(third)) {
        if (first === 0) now.clear();
        const labels = third as OwnSample['labels'];
        series[Number(first)] = { name: String(second), labels, value: 0 };
      } else if (kind === 'm' && Array.isArray(second)) {
        this.#restoreSamples(Number(first), second, { series, now });
      }
    });
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
    const kept = this.#tenants.get(tenant);
    if (kept === undefined) return;
    kept.lines.push(line);
    this.#spool.put(['l', tenant, { ...line, time: String(line.time) }]);
  }

  addSpan(tenant: string, span: KeptSpan): void {
    const kept = this.#tenants.get(tenant);
    if (kept === undefined) return;
    kept.spans.push(span);
    const times = { start: String(span.start), durationNs: String(span.durationNs) };
    this.#spool.put(['s', tenant, { ...span, ...times }]);
  }

  addSamples(ms: number, samples: readonly OwnSample[]): void {
    this.metrics.add(ms, samples);
    const changes: (number | null)[] = [];
    const seen = new Set<string>();
    const names: unknown[] = [];
    // A new file says anew what its numbers stand for.
    this.#spool.put(['t', ms]);
    for (const { name, labels, value } of samples.slice(0, limits.series)) {
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
    const { lines } = this.#tenants.get(tenant) ?? {};
    const oldest = this.#oldest();
    lines?.dropWhile(({ time }) => time < oldest);
    return lines?.all() ?? [];
  }

  spans(tenant: string): readonly KeptSpan[] {
    const { spans } = this.#tenants.get(tenant) ?? {};
    const oldest = this.#oldest();
    spans?.dropWhile(({ start }) => start < oldest);
    return spans?.all() ?? [];
  }

  flush(): Promise<void> {
    return this.#spool.flush();
  }

  #oldest(): bigint {
    return BigInt(this.#parts.now() - this.#parts.hours * 3_600_000) * 1_000_000n;
  }
}
