import { type Structured, structuredResult } from '#contract/text/tool-result';
import type { ToolResult, VendorTool } from '#contract/tool';
import type { CallLife } from '../call/call-life.ts';
import { fieldsInMarkdown } from '../content/html-fields.ts';
import { lostNumbers, withDigits } from '../content/json/lost-numbers.ts';
import type { PagePosition } from '../content/page-position.ts';
import { maskedValue } from '../credentials/scrub.ts';
import { type Arrangement, Arranger } from '../digest/arranger.ts';
import { type DigestPlan, planOf } from '../digest/digest-plan.ts';
import { type Page, rest } from '../digest/paging.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import { binaryResult, linkResult } from './binary-result.ts';
import { followItems, type ReadItem } from './follow.ts';
import type { Reading } from './vendor-reader.ts';

/** What the shaping of one result needs of its call. */
export interface Presentation {
  readonly position: PagePosition;
  readonly continues: Page['continues'];
  /** Whether the tool goes on with a cursor. */
  readonly takes: (cursor: string) => boolean;
  readonly read: ReadItem;
  readonly life: CallLife;
}

const untaken = `the list goes on, but what leads there is nothing that this tool takes; ${rest}`;

/** Turns the answers of one tool's vendor into the tool's results. */
export class Presenter {
  readonly #link: ProviderLink;
  readonly #tool: VendorTool;
  readonly #plan: DigestPlan;
  readonly #arranger: Arranger;

  constructor(link: ProviderLink, tool: VendorTool) {
    this.#link = link;
    this.#tool = tool;
    this.#plan = planOf(link.provider, tool, link.limits);
    this.#arranger = new Arranger(this.#plan);
  }

  /** One item of a list that is followed, in the shape that the tool gives it. */
  item({ decoded }: Reading): unknown {
    if (decoded.kind === 'item') return decoded.value;
    return decoded.kind === 'value' ? this.#arranger.shape(decoded.value) : undefined;
  }

  /** @throws ToolError */
  async present(reading: Reading, presentation: Presentation): Promise<ToolResult> {
    const { decoded } = reading;
    const { shape } = this.#plan;
    const context = { link: this.#link, tool: this.#tool };
    if (shape.linkOnly === true) return linkResult(reading, context);
    if (decoded.kind === 'binary') return binaryResult(decoded, reading, context);
    let structured: Structured;
    if (decoded.kind === 'fitted') {
      const { text } = decoded;
      const { digits } = lostNumbers(text);
      structured = { value: JSON.parse(text), text, ...(digits && { digits }) };
    } else {
      const arranged = this.#arranged(reading, presentation);
      const arrangement = arranged instanceof Promise ? await arranged : arranged;
      // Most answers need nothing that waits.
      const ready = this.#waits ? await this.#completed(arrangement, presentation) : arrangement;
      structured = this.#arranger.finish(ready, presentation.position);
    }
    const { title } = this.#link.provider;
    return structuredResult(this.#masked(this.#followable(structured, presentation)), {
      untrusted: shape.untrusted === true,
      title,
    });
  }

  /** Without a cursor that would be refused when it comes back, wherever the answer was read. */
  #followable(structured: Structured, { takes }: Presentation): Structured {
    const { next_cursor: cursor, ...others } = structured.value;
    const { paging, takesCursor } = this.#plan;
    if (paging === undefined || !takesCursor || typeof cursor !== 'string' || takes(cursor))
      return structured;
    const { digits } = structured;
    const value = { ...others, truncated: true, hint: untaken };
    return { value, text: withDigits(value, digits), ...(digits && { digits }) };
  }

  /** A vendor may repeat the credential that came with the call: no model needs it. */
  #masked(structured: Structured): Structured {
    if (this.#link.credential.secrets.length === 0) return structured;
    const value = maskedValue(structured.value, this.#link.mask);
    const text = withDigits(value, structured.digits);
    return text === structured.text ? structured : { value: value as Structured['value'], text };
  }

  /** Something of an arrangement is still to be read, or to be turned into Markdown. */
  get #waits(): boolean {
    const { follow, markdown } = this.#plan.shape;
    return follow !== undefined || (markdown !== undefined && markdown !== true);
  }

  #arranged(
    { decoded, headers }: Reading,
    { position, continues, life }: Presentation,
  ): Arrangement | Promise<Arrangement> {
    if (decoded.kind === 'arranged') return decoded.arrangement;
    const remark = decoded.kind === 'value' || decoded.kind === 'text' ? decoded.remark : undefined;
    const sheet = { headers, position, continues, remark };
    if (decoded.kind !== 'text' || this.#plan.shape.markdown !== true) {
      return this.#arranger.arrange(bodyOf(decoded), sheet);
    }
    return life
      .within(this.#link.toMarkdown([decoded.text]))
      .then(([text]) => this.#arranger.arrange({ text }, sheet));
  }

  async #completed(arrangement: Arrangement, { read, life }: Presentation): Promise<Arrangement> {
    const { follow, markdown } = this.#plan.shape;
    const isList = arrangement.kind === 'list';
    const { followers: workers } = this.#link.limits;
    const { progress } = life;
    let items = isList ? arrangement.items : [arrangement.item];
    if (isList && follow) items = await followItems(items, { follow, read, workers, progress });
    if (markdown !== undefined && markdown !== true) {
      items = await life.within(fieldsInMarkdown(items, markdown, this.#link.toMarkdown));
    }
    return isList ? { ...arrangement, items } : { ...arrangement, item: items[0] };
  }
}

function bodyOf(decoded: Reading['decoded']): unknown {
  if (decoded.kind === 'value') return decoded.value;
  return decoded.kind === 'text' ? { text: decoded.text } : undefined;
}
