import { valueFault } from '../../model/schema/schema-check.ts';
import type { CuratedVendorKey } from '../../model/shape/curation.ts';
import type { ToolInput } from '../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import type { OperationNature } from '../operations/operation-nature.ts';
import { inputsOf } from './pages/page-inputs.ts';

/** What vendors call it (draft-ietf-httpapi-idempotency-key-header), with what they put before it. */
const named = /(?:^|[-_.])(?:idempotency|idempotent|idempotence)[-_]?(?:key|token|id)?$/i;
/** Other names mean it where the text says so. */
const requestId = /request[-_]?id$/i;
const told = /\bidempoten|\bstores? keys for\b/i;

/** Where the operation itself is about such a key, it names an earlier request. */
const byKey = /by[-_]?idempoten/i;

/** As the server makes them: a UUID of version 8 (RFC 9562 section 5.8). */
const sample = '6f9619ff-8b86-8011-b42d-00c04fc964ff';

/**
 * Where an operation that changes something takes a key with which a repeated request does nothing
 * again: a header, else a member of its body. The server makes one for each call, so that a call
 * whose answer got lost may be sent once more; no caller has to think of one. Where none is taken, the same
 * of a demanded header that only names the request; several of these get the same.
 */
export function guessVendorKey(
  document: ApiDocument,
  nature: OperationNature,
): CuratedVendorKey | undefined {
  const { id = '', path } = nature.operation;
  const inputs = inputsOf(document, nature);
  const isAbout = nature.reads || byKey.test(`${id} ${path}`);
  const keys = isAbout ? [] : inputs.filter((input) => isKey(document, input));
  const key =
    keys.find(({ from }) => from === 'header') ?? keys.find(({ from }) => from === 'body');
  const ids = inputs.filter((input) => input !== key && namesRequest(document, input));
  const [first, ...others] = ids.map(({ wire }) => wire);
  if (key === undefined || (key.from === 'body' && inputs.length === 1)) {
    return first === undefined
      ? undefined
      : { in: 'header', name: first, key: 'each', ...(others.length > 0 && { also: others }) };
  }
  const place = key.from === 'header' ? 'header' : 'body';
  const also = first === undefined ? [] : [first, ...others];
  return { in: place, name: key.wire, key: 'auto', ...(also.length > 0 && { also }) };
}

/** What vendors call the header that tells one request from another, in their logs and answers. */
const ofRequest = /^(?:x[-_])?(?:[a-z]+[-_])?(?:correlation|interaction|request|trace)[-_]?id$/i;

/** Where it is that of another request, which a caller knows of. */
const ofAnother = /\b(?:earlier|original|previous(?:ly)?|prior|returned|status of)\b/i;

/** Whether a header is demanded that nobody can know, for it names a request that is yet to be sent. */
function namesRequest(document: ApiDocument, input: ToolInput): boolean {
  const { from, wire, required, schema, description = '' } = input;
  return (
    from === 'header' &&
    required &&
    ofRequest.test(wire) &&
    !ofAnother.test(description) &&
    isMade(document, schema)
  );
}

/** Whether what the server makes is what a key may be. */
function isMade(document: ApiDocument, schema: ToolInput['schema']): boolean {
  return valueFault({ type: 'string', ...mergedSchema(document, schema) }, sample) === undefined;
}

function isKey(document: ApiDocument, input: ToolInput): boolean {
  const { from, path, wire, schema, description = '' } = input;
  if (from !== 'header' && !(from === 'body' && path.length === 1)) return false;
  const isMeant =
    named.test(wire) || (from === 'header' && requestId.test(wire) && told.test(description));
  return isMeant && isMade(document, schema);
}
