import { isObject } from '#contract/json';
import type { EmittedFile } from '../print/emitted-file.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/**
 * Print `generated/policy-schema.ts`: what the server checks the file of its operator against.
 *
 * @param policy text of policy.schema.json
 * @param operation text of operation.schema.json, to which the other one refers
 */
export function emitPolicySchema(policy: string, operation: string): EmittedFile {
  // References between the files become references in the one that is printed.
  const { $id, $schema, ...own } = JSON.parse(policy.replaceAll('operation.schema.json#', '#'));
  const { $defs } = JSON.parse(operation);
  const { price, duration, budget, plan, meter, threshold, targets, span, money } = isObject($defs)
    ? $defs
    : {};
  return printSourceFile({
    path: 'generated/policy-schema.ts',
    source: 'specs/schemas/policy.schema.json',
    imports: [{ from: '#contract/json', types: ['JsonSchema'] }],
    statements: [
      constant({
        name: 'policySchema',
        type: 'JsonSchema',
        docs: ['What a policy file may say.'],
        value: literal({
          ...own,
          $defs: { price, duration, budget, plan, meter, threshold, targets, span, money },
        }),
      }),
    ],
  });
}
