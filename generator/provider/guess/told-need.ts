import { apiOperations } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

/** What prose calls a credential. */
const credential =
  /\b(?:(?:api|subscription)[ _-]?keys?|(?:access|api|auth(?:entication|orization)?|bearer)[ _-]tokens?|JWTs?|basic auth(?:entication)?|authorization["'`]? header)\b/i;
/** What it says of those who call. */
const demanding =
  /\b(?:authenticat\w+|authori[sz]ed|header|include|must|need(?:s|ed)?|obtain|pass|provide|requires?|required|send|supply|use[ds]?|using)\b/i;
const denying = /\b(?:no|none|not|without|optional(?:ly)?|public(?:ly)?|unauthenticated)\b|n't\b/i;

/** No text of a description is read further for it. */
const longestText = 20_000;

/** What the text of a description says that callers send, where no scheme and no parameter of it does. */
export function toldNeed(document: ApiDocument): string | undefined {
  const told = neededIn(document.root.info['description']);
  if (told !== undefined) return told;
  const texts = apiOperations(document).all.map(({ node }) => neededIn(node['description']));
  const found = texts.filter((each) => each !== undefined);
  // One operation may speak of a key that it makes.
  return found.length > 1 && found.length * 2 > texts.length ? found[0] : undefined;
}

function neededIn(text: unknown): string | undefined {
  const sentences = String(text ?? '')
    .slice(0, longestText)
    .split(/[.!?](?=\s)|\n\s*\n|\n(?=[-*#|])/);
  const sentence = sentences.find(
    (each) => credential.test(each) && demanding.test(each) && !denying.test(each),
  );
  return sentence && credential.exec(sentence)?.[0].toLowerCase().replace(/["'`]/g, '');
}
