/** Thrown where it cannot be said at once what another reader makes of a description. */
export class Unproven extends Error {}

/** Leave the question to that reader. */
export function unproven(reason: string): never {
  throw new Unproven(reason);
}
