import { readWholeDocument, type WholeDocument } from './document/whole-document.ts';
import { type Mock, startPrism } from './prism.ts';

/** A mock, and the document that it has read. */
export interface StartedMock {
  readonly mock: Mock;
  readonly document: WholeDocument;
  /** Whether it answers what the document describes; else requests alone are judged. */
  readonly hasAnswers: boolean;
}

type Operations = readonly (readonly [method: string, path: string])[];

/**
 * Start the mock of a description, with its answers where that is wanted, and with the requests of
 * these operations alone where it does not read the whole in time.
 *
 * @param options.startMs so many milliseconds it may take
 * @throws Error where it does not listen even so
 */
export async function startMock(
  file: string,
  operations: Operations,
  stack: AsyncDisposableStack,
  options: { readonly withAnswers: boolean; readonly startMs?: number },
): Promise<StartedMock> {
  const start = async (hasAnswers: boolean): Promise<StartedMock> => {
    const document = readWholeDocument(file, hasAnswers ? undefined : operations);
    stack.defer(() => document.close());
    const mock = await startPrism(document, options.startMs);
    stack.defer(() => mock.stop());
    return { mock, document, hasAnswers };
  };
  if (!options.withAnswers) return start(false);
  try {
    return await start(true);
  } catch (failure) {
    return start(false).catch(() => {
      throw failure;
    });
  }
}
