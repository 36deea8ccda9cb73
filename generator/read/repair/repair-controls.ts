import { isObject } from '#contract/json';
import type { Told } from './told.ts';

/** Characters that end a line or are seen by nobody: no address and no name is meant to hold them. */
const controls = /\p{Cc}|[\u2028\u2029]/u;

/** Leave out paths that hold control characters, and ids that do: method and path name those operations. */
export function repairControls(paths: unknown, told: Told): void {
  if (!isObject(paths)) return;
  for (const [template, item] of Object.entries(paths)) {
    if (controls.test(template)) {
      told(
        ['paths', template],
        `${JSON.stringify(template)} holds control characters: it is left out`,
      );
      delete paths[template];
      continue;
    }
    for (const [method, operation] of Object.entries(isObject(item) ? item : {})) {
      const id = isObject(operation) ? operation['operationId'] : undefined;
      if (typeof id !== 'string' || !controls.test(id)) continue;
      const at = ['paths', template, method, 'operationId'];
      told(
        at,
        `${JSON.stringify(id)} holds control characters: method and path name the operation`,
      );
      if (isObject(operation)) delete operation['operationId'];
    }
  }
}
