/** A part of the server that is opened before anybody is served, and let go of at the end. */
export interface Part {
  start?(): Promise<unknown>;
  /** What `start` has begun and others need not wait for; over before the server says that it runs. */
  ready?(): Promise<unknown>;
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
      for (const step of this.#steps) await allSettled(step.map(async (part) => part.start?.()));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** @throws what the first part throws that cannot be started; whoever is served loses it */
  async ready(): Promise<void> {
    await allSettled(this.#steps.flat().map(async (part) => part.ready?.()));
  }

  async stop(): Promise<void> {
    for (const part of this.#steps.flat().reverse()) await part.stop?.();
  }
}

/** None is left behind half open: all have ended when the first failure is told. */
async function allSettled(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
