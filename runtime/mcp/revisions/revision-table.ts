import type { IncomingHttpHeaders } from 'node:http';
import { negotiate, opening } from '../methods/initialize.ts';
import type { Offer, Revision, ServedRevision, SessionSide } from '../request/revision.ts';
import { type ClassifiedMessage, type Era, metaOf, protocolVersionKey } from '../wire/classify.ts';
import type { Params } from '../wire/json-rpc.ts';

type Versions = readonly [string, ...string[]];

/** How a version is spoken. */
interface Spoken {
  readonly version: string;
  readonly revision: Revision;
}

/** The revisions at work, each found by what a message says of itself. */
export class RevisionTable {
  readonly offer: Offer;
  /** The oldest version whose requests speak for themselves; where none does, later than all. */
  readonly firstModern: string;
  readonly #rows: readonly ServedRevision[];
  readonly #versions: Readonly<Record<Era, readonly string[]>>;
  /** By version: a message of one era may name a version of the other, which is refused. */
  readonly #speaking: Readonly<Record<Era, readonly Spoken[]>>;
  readonly #newest: Revision;

  /** @throws Error when nothing is served, or a version twice */
  constructor(rows: readonly ServedRevision[], parts: Omit<Offer, 'supported'>) {
    const [newest, ...older] = rows.flatMap(({ versions }) => versions).sort(newestFirst);
    if (newest === undefined) throw new Error('no revision is served');
    const supported: Versions = [newest, ...older];
    this.#rows = rows;
    this.offer = { ...parts, supported };
    this.#versions = { modern: versionsOf(rows, 'modern'), legacy: versionsOf(rows, 'legacy') };
    this.firstModern = this.#versions.modern.at(-1) ?? '9999-12-31';
    if (new Set(supported).size < supported.length) {
      throw new Error(`a version is served twice: ${supported.join(', ')}`);
    }
    this.#speaking = { modern: this.#speak('modern'), legacy: this.#speak('legacy') };
    this.#newest = this.#row(newest).speak(this.offer);
  }

  /** Whether there is anything that a handshake may agree on. */
  get hasHandshake(): boolean {
    return this.#versions.legacy.length > 0;
  }

  /** What understands a message; where it names no version that is served, what refuses it. */
  of({ era, message }: ClassifiedMessage, headers: IncomingHttpHeaders): Revision {
    const named = namedVersion(era, message, headers);
    const versions = this.#versions[era];
    const speaking = this.#speaking[era];
    // Where nothing was agreed on, the oldest one is meant (MCP 2025-11-25, protocol version header).
    const other = named === undefined ? versions.at(-1) : versions[0];
    return spokenIn(speaking, named) ?? spokenIn(speaking, other) ?? this.#newest;
  }

  /** The version that a handshake agrees on: the client's wish where it is served. */
  agree(params: Params): string {
    const [newest, ...older] = this.#versions.legacy;
    if (newest === undefined) throw new Error('no revision with a handshake is served');
    return negotiate([newest, ...older], params);
  }

  /** The revision of a session that has agreed on `side.version`. */
  inSession(side: SessionSide): Revision {
    return this.#row(side.version).speak(this.offer, side);
  }

  /** Whether clients of a version come back for a stream that was cut. */
  isResumable(version: string): boolean {
    const since = this.#rows.find(({ versions }) => versions.includes(version))?.resumableSince;
    return since !== undefined && version >= since;
  }

  #speak(wanted: Era): readonly Spoken[] {
    const rows = this.#rows.filter(({ era }) => era === wanted);
    return rows.flatMap((row) => {
      const revision = row.speak(this.offer);
      return row.versions.map((version) => ({ version, revision }));
    });
  }

  #row(version: string): ServedRevision {
    const row = this.#rows.find(({ versions }) => versions.includes(version));
    if (!row) throw new Error(`the version ${version} is not served`);
    return row;
  }
}

/** Compares them one by one: a Map would first make each text that comes its own, for a handful. */
function spokenIn(speaking: readonly Spoken[], version: unknown): Revision | undefined {
  for (const spoken of speaking) if (spoken.version === version) return spoken.revision;
  return undefined;
}

function namedVersion(
  era: Era,
  { method, params }: ClassifiedMessage['message'],
  headers: IncomingHttpHeaders,
): unknown {
  const header = headers['mcp-protocol-version'];
  if (era === 'modern') return metaOf(params)[protocolVersionKey] ?? header;
  return method === opening ? params['protocolVersion'] : header;
}

function versionsOf(rows: readonly ServedRevision[], wanted: Era): readonly string[] {
  return rows.flatMap(({ era, versions }) => (era === wanted ? versions : [])).sort(newestFirst);
}

/** Versions are dates: the order of their texts is that of their days. */
function newestFirst(a: string, b: string): number {
  return a < b ? 1 : -1;
}
