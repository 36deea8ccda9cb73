import { isObject } from '#contract/json';
import type { Accepts } from '../verdict/schemas.ts';
import type { Node } from './flat-schema.ts';
import { type Extent, sampleValue } from './sample-value.ts';
import { solverOf } from './solver.ts';

/** The arguments of one call. */
export interface SampledCall {
  readonly extent: Extent;
  /** Absent where no value was found that the schema accepts. */
  readonly args?: Record<string, unknown>;
  /** What the schema says of the best value that was found. */
  readonly problem?: string;
}

const extents: readonly Extent[] = ['required', 'all', 'edges'];
const attempts = 10;

/**
 * Three argument objects for a tool, out of the schema that an agent sees.
 *
 * @param accepts what the schema says of a value
 * @param ours arguments of this server, such as `cursor`, that take no value but one of its own
 */
export function sampleCalls(
  schema: Node,
  ours: readonly string[],
  accepts: Accepts,
): readonly SampledCall[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const others = Object.entries(properties).filter(([name]) => !ours.includes(name));
  const asked = { ...schema, properties: Object.fromEntries(others) };
  return extents.map((extent) => {
    let problem = '';
    for (let attempt = 0; attempt < attempts; attempt++) {
      const args = sampleValue(asked, { root: schema, extent, attempt, count: 0 });
      problem = accepts(args) ?? '';
      if (problem === '' && isObject(args)) return { extent, args };
    }
    const solver = solverOf(schema);
    const args = sampleValue(asked, { root: schema, extent, attempt: 0, count: 0, solver });
    if (accepts(args) === undefined && isObject(args)) return { extent, args };
    return { extent, problem };
  });
}
