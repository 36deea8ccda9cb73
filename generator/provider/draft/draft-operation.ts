import { isDeepStrictEqual } from 'node:util';
import { comparableText } from '#contract/json';
import type {
  CuratedAuth,
  CuratedOperation,
  CuratedPagination,
} from '../../model/shape/curation.ts';
import { keyHeaders } from '../../model/vendor/vendor-key.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { answerForm, isRedirection } from '../guess/answer-form.ts';
import type { GuessedAuth } from '../guess/auth-candidate.ts';
import { guessHeaders } from '../guess/guess-headers.ts';
import { guessVendorKey } from '../guess/guess-vendor-key.ts';
import { guessVersion } from '../guess/guess-version.ts';
import { tellsOfMore } from '../guess/pages/answer-position.ts';
import { guessPagination, guessWrap } from '../guess/pages/guess-pagination.ts';
import { otherMembers } from '../guess/pages/page-alternatives.ts';
import { positionNames } from '../guess/pages/page-inputs.ts';
import { isLedByCaller } from '../guess/pages/page-obstacle.ts';
import { guessItems, listOf } from '../guess/pages/told-list.ts';
import { goesOn } from '../operations/nature/goes-on.ts';
import { takesDelta } from '../operations/nature/taken-delta.ts';
import { toldFirst } from '../operations/nature/told-summary.ts';
import { detailsOf } from '../operations/operation-details.ts';
import { resourceOf } from '../operations/operation-names.ts';
import type { OperationNature } from '../operations/operation-nature.ts';
import { moreOf } from '../operations/texts/more-told.ts';
import { purposeOf } from '../operations/texts/operation-purpose.ts';
import { answerLooks } from './answer-looks.ts';
import { argumentRenames } from './argument-names.ts';
import { firstCursor } from './first-cursor.ts';

const usualBytes = 32_768;

/** Headers that go from answers into requests (see guess/answer-headers.ts). */
export interface AnsweredHeaders {
  readonly shown: readonly string[];
  /** What to say of an argument, by the name of its header. */
  readonly describe: (header: string) => string | undefined;
}

/** Curate an operation as far as its description tells how. */
export function draftOperation(
  document: ApiDocument,
  nature: OperationNature,
  {
    name,
    usual,
    auth,
    otherAuth = [],
    own,
    texts,
    answered,
    isShared = false,
    isFramed = false,
    common,
  }: {
    readonly name: string;
    readonly usual: CuratedPagination | undefined;
    readonly auth: GuessedAuth;
    /** The credentials of operations that take others. */
    readonly otherAuth?: readonly CuratedAuth[] | undefined;
    /** What this operation takes instead. */
    readonly own?: readonly string[] | undefined;
    /** Whether the description's texts are kept. */
    readonly texts: boolean;
    /** What answers show, and what has the values of the headers that this operation demands. */
    readonly answered?: AnsweredHeaders | undefined;
    /** Whether other operations are described in the same words. */
    readonly isShared?: boolean;
    /** Whether its summary is one frame with those of most others. */
    readonly isFramed?: boolean;
    /** Sentences that describe most others, too. */
    readonly common?: ReadonlySet<string>;
  },
): CuratedOperation {
  const { operation, called, deprecated } = nature;
  const { id, method, path } = operation;
  const guessed = guessPagination(document, nature);
  const isUnpaged = guessed === undefined && usual && isLedByCaller(document, nature, usual);
  const demanded = firstCursor(document, nature, guessed ?? usual);
  const isAsked = demanded !== undefined && demanded.value === undefined;
  const paging: CuratedPagination | undefined = isUnpaged || isAsked ? { style: 'none' } : guessed;
  const defaults =
    !isUnpaged && demanded?.value !== undefined ? { [demanded.wire]: demanded.value } : {};
  const wrap = guessWrap(document, nature);
  const looks = answerLooks(document, operation);
  const hidden = [
    ...looks,
    ...(paging?.style === 'next_url' ? positionNames(document, nature) : []),
    ...(paging && wrap !== undefined ? otherMembers(document, nature, paging, wrap) : []),
  ];
  const decode = answerForm(document, operation);
  // Of what no cursor continues, callers have to see how it goes on.
  const isPaged = paging !== undefined && paging.style !== 'none';
  const isLost = !isPaged && tellsOfMore(document, nature.content?.schema ?? {});
  const list = nature.reads && !isLost ? guessItems(document, nature) : undefined;
  // One JSON text after the other is a list, of whatever they are.
  const items = decode === 'json' ? '$' : list;
  // A page that is given whole goes on within its list where it is too large.
  const counted = isPaged && items === undefined ? listOf(document, nature)?.path : undefined;
  const pagination =
    paging !== undefined && counted !== undefined && counted !== '$'
      ? { ...paging, response: { ...paging.response, counted } }
      : paging;
  const key = guessVendorKey(document, nature);
  const headers = guessHeaders(document, operation, auth, otherAuth);
  const made = keyHeaders(key);
  const asked = headers.asked.filter((header) => !made.includes(header));
  const described = Object.fromEntries(
    asked.flatMap((header) => {
      const text = answered?.describe(header);
      return text === undefined ? [] : [[header, text]];
    }),
  );
  const fixed = guessVersion(document, operation);
  const rename = argumentRenames(document, operation, isPaged, looks);
  const named = { ...rename, ...fixed, ...defaults };
  const told = { isShared, isFramed, called };
  const purpose = purposeOf(operation, () => detailsOf(document, nature), told);
  const more = texts ? moreOf(operation, purpose, common) : undefined;
  // What is usual pages only operations that have its parameters: one without any says so itself.
  const isLed = pagination?.style === 'link_header' || pagination?.style === 'next_url';
  const isBare = isLed && pagination?.request === undefined;
  const isOdd = pagination !== undefined && (isBare || !(usual && isLike(pagination, usual)));
  return {
    name,
    resource: resourceOf(operation),
    from: id === undefined ? { method, path } : { operationId: id },
    purpose,
    ...(more !== undefined && { when_to_use: more }),
    annotations: annotationsOf(document, nature),
    ...(own && { auth: own }),
    ...(isOdd && { pagination }),
    ...(wrap !== undefined && { body: { wrap } }),
    ...(Object.keys(headers.constant).length > 0 && { headers: headers.constant }),
    ...(hidden.length + asked.length + Object.keys(named).length > 0 && {
      params: {
        ...(Object.keys(fixed).length > 0 && { fixed }),
        ...(hidden.length > 0 && { hide: hidden }),
        ...(asked.length > 0 && { include: asked }),
        ...(Object.keys(rename).length > 0 && { rename }),
        ...(Object.keys(defaults).length > 0 && { defaults }),
        ...(Object.keys(described).length > 0 && { describe: described }),
      },
    }),
    response: {
      ...(decode !== undefined && { decode }),
      ...(items !== undefined && { items }),
      ...(isRedirection(operation) && { location: true }),
      ...(answered && answered.shown.length > 0 && { headers: answered.shown }),
      max_bytes: usualBytes,
      untrusted: true,
    },
    ...(key && { idempotency: key }),
    ...(deprecated && { deprecated }),
  };
}

/**
 * What the method promises (RFC 9110 section 9.2; PATCH nothing, RFC 5789 section 2), and what the names say
 * where it promises nothing or is not to be believed.
 */
function annotationsOf(
  document: ApiDocument,
  { reads, destroys, overwrites, operation, called }: OperationNature,
): CuratedOperation['annotations'] {
  switch (operation.method) {
    case 'HEAD':
    case 'OPTIONS':
      return { readOnly: true, idempotent: true };
    case 'GET':
      return reads
        ? { readOnly: true, idempotent: true }
        : {
            readOnly: false,
            destructive: true,
            idempotent: false,
            override_reason: 'its name says that it changes something',
          };
    case 'PUT':
    case 'DELETE':
      return {
        readOnly: false,
        destructive: true,
        idempotent: !goesOn(called, toldFirst(called.node)) && !takesDelta(document, operation),
      };
    case 'PATCH':
      return { readOnly: false, destructive: true, idempotent: false };
    default:
      return reads
        ? {
            readOnly: true,
            idempotent: true,
            override_reason: 'its method or its name says that it only reads',
          }
        : { readOnly: false, destructive: destroys || overwrites, idempotent: false };
  }
}

/** Whether an operation pages as is usual: the same way, with the same limit or none. */
function isLike(pagination: CuratedPagination, usual: CuratedPagination): boolean {
  const { limit } = usual.request ?? {};
  const own = pagination.request?.limit;
  if (own !== undefined && own !== limit) return false;
  const request = { ...pagination.request, ...(limit !== undefined && { limit }) };
  return isDeepStrictEqual({ ...pagination, request }, usual);
}

/** The pagination that most operations have, without what not all that page in this style say. */
export function usualPagination(
  document: ApiDocument,
  natures: readonly OperationNature[],
): CuratedPagination | undefined {
  const guesses = natures.flatMap((nature) => guessPagination(document, nature) ?? []);
  const usual = mostAlike(guesses);
  if (usual?.response === undefined) return usual;
  const { response, ...others } = usual;
  // An operation's own entry joins this one key by key: it could not take a path back.
  const alike = guesses.filter(({ style }) => style === usual.style);
  const shared = Object.entries(response).filter(([key]) =>
    alike.every((each) => Object.hasOwn(each.response ?? {}, key)),
  );
  return { ...others, ...(shared.length > 0 && { response: Object.fromEntries(shared) }) };
}

/** The first of those like which most others page: the same way, with the same limit or none. */
export function mostAlike(guesses: readonly CuratedPagination[]): CuratedPagination | undefined {
  const keys = guesses.map(({ request, ...others }) => {
    const { limit, ...rest } = request ?? {};
    const way = comparableText({ ...others, request: rest });
    return { without: way, own: limit === undefined ? way : `${way} ${limit}` };
  });
  const counts = Map.groupBy(keys, ({ own }) => own);
  const votes = keys.map(({ without, own }, index) => {
    // What asks for nothing is like no other.
    if (guesses[index]?.request === undefined) return 0;
    const withNone = own === without ? 0 : (counts.get(without)?.length ?? 0);
    return (counts.get(own)?.length ?? 0) + withNone;
  });
  const most = votes.reduce((best, count) => Math.max(best, count), 0);
  return guesses[votes.indexOf(most)];
}
