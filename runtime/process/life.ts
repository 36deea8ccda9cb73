/** A part of the server that is opened before anybody is served, and let go of at the end. */
export interface Part {
  start?(): Promise<unknown>;
  /** Also called where `start` has failed or never ran. */
  stop?(): Promise<unknown>;
}

/** Starts the parts of the server in their order and stops them in reverse. */
export class Life {
  readonly #steps: readonly (readonly Part[])[];

  /** Each step begins when the one before has ended; the parts of a step begin together. */
  constructor(steps: readonly (readonly Part[])[]) {
    this.#steps = steps;
  }

  /** @throws what the first part throws that cannot be started; all others are stopped again */
  async start(): Promise<void> {
    try {
      for (const step of this.#steps) await startTogether(step);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const part of this.#steps.flat().reverse()) await part.stop?.();
  }
}

/** None is left behind half open: all have ended when the first failure is told. */
async function startTogether(parts: readonly Part[]): Promise<void> {
  const results = await Promise.allSettled(parts.map(async (part) => part.start?.()));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
