import { isObject } from '#contract/json';
import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { isType, membersOf } from '../../guess/pages/answer-list.ts';
import { bodySchema } from '../operation-details.ts';

type Schema = ReturnType<typeof membersOf>[number][1];

/** What credentials are called, in small letters without anything between. */
const secret =
  /^(?:[a-z]{0,20}(?:password|passwd|passphrase|secret|apikey|privatekey|secretkey|accesskey)|(?:[a-z]{0,20})(?:access|api|auth|bearer|bot|refresh)token)$/;

/** What is said about one, and how one is chosen or proven anew. */
const aboutOne = /^(?:has|is|no|force|require|reset|change|forgot|generate|auto|use|idempotency)/;

/**
 * The member that a body has to have and that is a credential: whoever calls the tool would have to know it, and a
 * model is no place for it.
 */
export function demandedSecret(document: ApiDocument, operation: ApiOperation): string | undefined {
  const body = bodySchema(document, operation);
  const demanded = demandedOf(document, body);
  const inner = demanded.flatMap(([, schema]) => demandedOf(document, schema));
  return [...demanded, ...inner].find(([name, schema]) => isSecret(name, schema))?.[0];
}

function demandedOf(document: ApiDocument, schema: Schema): ReturnType<typeof membersOf> {
  const { required } = mergedSchema(document, schema);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return membersOf(document, schema).filter(([name]) => names.includes(name));
}

function isSecret(name: string, schema: Schema): boolean {
  const { type, properties, format } = schema;
  if (isObject(properties) || (type !== undefined && !isType(schema, 'string'))) return false;
  const plain = name
    .slice(0, shownName)
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
  return format === 'password' || (secret.test(plain) && !aboutOne.test(plain));
}

/** So many characters of a name tell what it is. */
const shownName = 60;
