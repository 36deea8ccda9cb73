import type { OperationDemands } from '#contract/operation';
import { furtherDemands as demandsOf } from '#contract/text/demands';
import { joined, type Printed, printed } from '../print/printed.ts';
import { code, prose } from './markdown.ts';

/** Everything that an operation demands of a call, in words. */
export function demandsInWords(operation: OperationDemands): Printed[] {
  const { access } = operation;
  const first =
    access === 'public' ? printed`Public.` : printed`Needs ${joined(access.map(code), ' and ')}.`;
  return [first, ...furtherDemands(operation)];
}

/** What it demands besides scopes. */
export function furtherDemands(operation: Omit<OperationDemands, 'access'>): Printed[] {
  return demandsOf(operation).map(prose);
}
