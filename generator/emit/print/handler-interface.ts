import { docComment } from './doc-comment.ts';
import { lineWidth } from './literal.ts';

/** A function that somebody has to write by hand. */
export interface HandlerSignature {
  readonly name: string;
  readonly docs: readonly string[];
  readonly parameters: readonly string[];
  readonly returns: string;
}

/** Print an interface of handlers: whoever leaves one out does not compile. */
export function handlerInterface(
  name: string,
  docs: readonly string[],
  handlers: readonly HandlerSignature[],
): string {
  const members = handlers.map(
    (handler) => `${docComment(handler.docs, 1)}${signature(handler)}\n`,
  );
  return `${docComment(docs)}export interface ${name} {\n${members.join('')}}`;
}

function signature({ name, parameters, returns }: HandlerSignature): string {
  const flat = `  ${name}(${parameters.join(', ')}): ${returns};`;
  if (flat.length <= lineWidth) return flat;
  return `  ${name}(\n${parameters.map((text) => `    ${text},\n`).join('')}  ): ${returns};`;
}
