import { type JsonPath, valueAt } from '#contract/json';
import { fit } from '#contract/text/fit';
import type { Headers } from '../call/exchange.ts';
import { findList } from '../content/answer-list.ts';
import { type Decoded, type Decoder, decode } from '../content/decode.ts';
import type { PagePosition } from '../content/page-position.ts';
import { createXmlReader } from '../content/xml.ts';
import { type Arrangement, Arranger, type Sheet } from './arranger.ts';
import type { DigestPlan, SoftSign } from './digest-plan.ts';
import { type Place, within } from './place.ts';

/** A large answer, and what is wanted of it. Data alone, which a thread can be given. */
export interface DigestJob {
  readonly plan: DigestPlan;
  readonly body: Uint8Array;
  /** The content coding of the body, where it is still compressed. */
  readonly coding?: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  /** Why no more of a stream was read, in words. */
  readonly cut?: string | undefined;
  readonly wanted: Wanted;
}

/** The whole answer from a position on, or one item of a list that is followed. */
export type Wanted =
  | { readonly kind: 'page'; readonly position: PagePosition; readonly place: Place | undefined }
  | { readonly kind: 'item' };

/** What is left of a large answer: never more than a few times what a result may hold. */
export type Digest =
  | Decoded
  /** One item of a list that is followed, in the shape that the tool gives it. */
  | { readonly kind: 'item'; readonly value: unknown }
  /** A result that is finished, as JSON text. */
  | ({ readonly kind: 'fitted'; readonly text: string; readonly of?: 'array' | 'text' } & Faulty)
  /** What must still be followed or turned into Markdown. */
  | ({ readonly kind: 'arranged'; readonly arrangement: Arrangement } & Faulty)
  /** A failure that came with a success status, as much of it as an error can hold. */
  | { readonly kind: 'soft'; readonly value: unknown };

/** What is made of an answer whose list may be something else. */
interface Faulty {
  /** What stands in the place of the list, in words. */
  readonly fault?: string;
}

export interface Digested {
  readonly digest: Digest;
  /** What the answer asks to wait for, where it does. */
  readonly wait: unknown;
}

/** An id that is longer leads nowhere. */
const longestId = 512;
/** Times of what a result may hold: HTML grows shorter as Markdown. */
const roomForHtml = 2;
const softBytes = 32_768;

/**
 * Read a large answer and keep of it what a result can hold.
 *
 * @throws ToolError
 */
export function digest(job: DigestJob, body: Buffer, decoder: Decoder): Digested {
  const { plan, headers, status, wanted, cut } = job;
  const decoded = decode({ body, headers, status, ...(cut && { cut }) }, decoder);
  if (decoded.kind === 'empty' || decoded.kind === 'binary') return { digest: decoded, wait: null };
  if (decoded.kind === 'text' && plan.shape.markdown === true) {
    const text = decoded.text.slice(0, plan.htmlCharacters);
    return { digest: { ...decoded, text }, wait: null };
  }
  const value = decoded.kind === 'text' ? { text: decoded.text } : decoded.value;
  const wait = waitIn(value, plan.waitAt);
  if (decoded.kind === 'value' && isSoftFailure(value, plan.soft)) {
    return { digest: { kind: 'soft', value: fit(value, softBytes) }, wait };
  }
  const arranger = new Arranger(plan);
  if (wanted.kind === 'item') {
    const item = fit(arranger.shape(value), roomForHtml * plan.maxBytes);
    return { digest: { kind: 'item', value: item }, wait };
  }
  const page = pageOf(value, arranger, { headers, remark: decoded.remark }, wanted);
  const { fault } = plan.shape.items ? findList(value, plan.shape, headers) : {};
  const told = { ...page, ...(fault !== undefined && { fault }) };
  return { digest: told.kind === 'fitted' ? { ...told, ...fittedOf(decoded) } : told, wait };
}

/** How the answers of a plan are decoded; `mostWeight` is what their values may take in memory. */
export function decoderOf({ shape }: DigestPlan, mostWeight?: number): Decoder {
  return {
    as: shape.decode,
    html: shape.markdown === true,
    xml: createXmlReader(shape),
    types: shape.types,
    mostWeight,
  };
}

/** Whether a value with a success status is a failure all the same. */
export function isSoftFailure(value: unknown, soft: SoftSign | undefined): boolean {
  if (soft === undefined) return false;
  const found = valueAt(value, soft.path);
  if (Object.hasOwn(soft, 'equals')) return found === soft.equals;
  return found !== undefined && found !== null && found !== false;
}

function waitIn(value: unknown, path: JsonPath | undefined): unknown {
  const found = path === undefined ? undefined : valueAt(value, path);
  return typeof found === 'number' || typeof found === 'string' ? Number(found) : null;
}

function pageOf(
  value: unknown,
  arranger: Arranger,
  { headers, remark }: Pick<Sheet, 'headers' | 'remark'>,
  { position, place }: Wanted & { kind: 'page' },
): Digest & { kind: 'fitted' | 'arranged' } {
  const continues: Sheet['continues'] = (address) => within(place, address);
  const arrangement = arranger.arrange(value, { headers, position, continues, remark });
  const { follow, markdown } = arranger.plan.shape;
  if (follow !== undefined) return { kind: 'arranged', arrangement: withIds(arrangement) };
  if (markdown !== undefined) {
    const most = roomForHtml * arranger.plan.maxBytes;
    return { kind: 'arranged', arrangement: arranger.bound(arrangement, position, most) };
  }
  const { text } = arranger.finish(arrangement, position);
  return { kind: 'fitted', text };
}

/** What a result was made of, where that is no object. */
function fittedOf(decoded: Decoded): { of?: 'array' | 'text' } {
  if (decoded.kind === 'text') return { of: 'text' };
  return decoded.kind === 'value' && Array.isArray(decoded.value) ? { of: 'array' } : {};
}

/** Ids as they are; whatever is none is told by null. */
function withIds(arrangement: Arrangement): Arrangement {
  if (arrangement.kind === 'single') return { ...arrangement, item: fit(arrangement.item, 4096) };
  const items = arrangement.items.map((id) =>
    typeof id === 'number' || (typeof id === 'string' && id.length <= longestId) ? id : null,
  );
  return { ...arrangement, items };
}
