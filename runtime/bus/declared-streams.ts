import { busNotFound } from '#contract/bus/faults';
import type { StreamDefinition } from '#contract/bus/stream';
import { checkSubject, matches } from '#contract/bus/subject';

/** The streams that a driver keeps. */
export class DeclaredStreams {
  readonly #all: readonly StreamDefinition[];

  constructor(all: readonly StreamDefinition[]) {
    this.#all = all;
  }

  /** The stream that takes a subject. @throws ServiceError `invalid_params`, `not_found` */
  taking(subject: string): StreamDefinition {
    checkSubject(subject);
    const found = this.#all.find(({ subjects }) =>
      subjects.some((filter) => matches(filter, subject)),
    );
    if (found === undefined) throw busNotFound(`stream that takes ${subject}`);
    return found;
  }

  /** The stream of a name. @throws ServiceError `not_found` */
  named(name: string): StreamDefinition {
    const found = this.#all.find((stream) => stream.name === name);
    if (found === undefined) throw busNotFound(`stream ${JSON.stringify(name.slice(0, 80))}`);
    return found;
  }
}
