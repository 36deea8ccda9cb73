import { type ApiOperation, parametersOf } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { isType, membersOf } from '../../guess/pages/answer-list.ts';
import { nounOf } from '../operation-role.ts';
import { shownText, toldFirst } from './told-summary.ts';

/** What runs what somebody has written, as a part of a path or a word of a name says it. */
const running =
  /^(?:console|cypher|eval|evaluate|exec|execute|graphql|gremlin|interpret|repl|run|shell|sql|statement)s?$/;

/** What a program is called, in the body or the query of a request. */
const program =
  /^(?:(?:inline|raw|source) )?(?:code|cmd|commands?|cypher|gremlin|python|scripts?|sql(?: quer(?:y|ies)| statements?)?|statements?|stmts?)$/;
/** The same where the path says in what it is written: elsewhere it is what is looked for. */
const perhaps = /^(?:content|dag|definition|manifest|program|quer(?:y|ies)|source|spec|yaml)$/;
const language = /^(?:cypher|graphql|gremlin|sql)$/;

/** How texts say that nothing is changed by it, or name a language in which nothing can be. */
const onlyReading =
  /\bread[- ]?only\b|\b(?:only|just) (?:reads?|selects?|select (?:queries|statements))\b|\b(?:es\|?ql|jql|kql|logql|lucene|nrql|promql|traceql)\b/i;

/** How texts say that whatever is sent is passed on to somebody else, who does it. */
const passing = /\bprox(?:y|ies)\b.{0,40}\b(?:delete|patch|post|put) (?:call|request)s?\b/i;

/** What is done with a program without running it, and how texts say that it asks for something. */
const lookingAt =
  /^(?:analy[sz]e|explain|find|format|get|lint|list|parse|preview|read|retrieve|search|simulate|translate|validate)s?$/;

/** Programs that are kept, and run by their id. */
const kept = /^(?:[a-z]+ )?(?:command|macro|notebook|playbook|procedure|runbook|script)$/;
const act = /^(?:call|exec|execute|run)$/;

/**
 * Whether an operation runs what its caller has written: a statement of a database, a script, a command. What that
 * does to what is there nobody can tell beforehand.
 */
export function runsCode(document: ApiDocument, operation: ApiOperation): boolean {
  const { id = '', node, path } = operation;
  const parts = path.split(/[/.:]/).filter((part) => part !== '' && !part.startsWith('{'));
  const last = nounOf(parts.at(-1) ?? '');
  const told = toldFirst(node);
  const inLanguage = [
    last.split(' ').at(-1) ?? '',
    ...smallWords(told).slice(0, leadingWords),
  ].some((word) => language.test(word));
  const isRun = [
    ...smallWords(last),
    ...smallWords(id),
    ...smallWords(told).slice(0, leadingWords),
  ].some((word) => running.test(word));
  if (onlyReading.test(`${smallWords(path).join(' ')} ${told} ${node['description'] ?? ''}`))
    return false;
  if (operation.method === 'POST' && act.test(last) && kept.test(nounOf(parts.at(-2) ?? '')))
    return true;
  if (passing.test(`${told} ${String(node['description'] ?? '').slice(0, shownText)}`)) return true;
  const begun = [last, id, told].map((text) => smallWords(text)[0] ?? '');
  if (!isRun || begun.some((word) => lookingAt.test(word))) return false;
  const inBody = membersOf(document, bodySchema(document, operation));
  // Whatever is sent there is a statement, also where nobody has described it.
  if (operation.method === 'POST' && last === 'graphql' && inBody.length === 0) return true;
  const inQuery = parametersOf(document, operation)
    .filter(({ in: place }) => place === 'query')
    .map(({ name, node: own }) => [name, mergedSchema(document, own['schema'])] as const);
  return [...inBody, ...inQuery].some(([name, schema]) => {
    const words = smallWords(name).join(' ');
    return (
      (program.test(words) || ((inLanguage || isInline(told)) && perhaps.test(words))) &&
      isText(document, schema)
    );
  });
}

/** Whether a text says that what is run comes with the request. */
function isInline(told: string): boolean {
  return /\b(?:execut|run)\w*\b[^.\n]*\b(?:ad[- ]hoc|arbitrary|inline)\b/i.test(told);
}

/** A text, or a list of them: an object is a question in the words of the API. */
function isText(document: ApiDocument, schema: Readonly<Record<string, unknown>>): boolean {
  const item = isType(schema, 'array') ? mergedSchema(document, schema['items']) : schema;
  return (
    item['enum'] === undefined &&
    (item['type'] === undefined ? item['properties'] === undefined : isType(item, 'string'))
  );
}

/** Words of a text that may be its verb and what is run. */
const leadingWords = 4;
