import { type ApiOperation, pathParts, requestPath } from '../../model/schema/api-operations.ts';
import { wordsOf } from '../../model/texts/names.ts';
import { isChangingVerb } from './nature/verbs.ts';
import { formless, nounOf } from './operation-role.ts';
import { uncounted } from './told-apart.ts';

/** What the only method of a class is called that handles one request: it says nothing. */
const handling = /^(?:handle|handler|invoke|call|execute)$/i;

/** A name in a namespace, as in `AcmeWeb.Api.GameController.create` and `App\Http\GameController::create`: only its end is the operation's. */
const qualified = /^\\?\w+(?:[.\\]\w+)*[.\\](\w+Controller(?:\.|::|@)\w+)$/;

/** A function in a module for what answers requests, as in `beds.api.bed_controller.add_bed`: its own name says it all. */
const inModule =
  /^(?:\w+\.)+(?:[a-z]\w*_)?(?:controllers?|handlers?|routers?|views?)\.([a-z]+_\w+)$/;

/** The method of a service of gRPC, as in `BedService_ListBeds`, and of an interface of TypeSpec: `BedOperations_listBeds`. */
const ofService = /^(\w*?)_?(?:Service_(?=[A-Z])|Operations_)([A-Za-z]\w*)$/;

/** The method behind the name of a function, as in `getThingsUsingGET`. */
const byMethod = /(?<=[a-z\d])_?Using_?(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT)$/i;

/** The whole path with the method behind it, as in `api_things_id_get` and `_api_/things_get_collection`. */
const ofPath = /^_?api_.*_(?:get_collection|get|post|put|patch|delete)$/;

/**
 * The words of an operationId without what frameworks put into it and what says nothing of the
 * operation: its class and namespace, its path and its method. None where nothing else is in it.
 */
export function ownNameWords(
  id: string,
  operation: ApiOperation,
  split: (name: string) => readonly string[] = wordsOf,
): readonly string[] {
  if (ofPath.test(id) || isRoute(id, operation)) return [];
  const [, method = id] = qualified.exec(id) ?? inModule.exec(id) ?? [];
  const called = serviceless(method);
  const own = split(uncounted(called).replace(byMethod, ''));
  const unclassed = classless(placeless(own, operation));
  return groupless(unrepeated(endless(methodless(unclassed, operation), operation)));
}

/** A method that is a verb alone is about what its service has its name from. */
function serviceless(id: string): string {
  const [, thing = '', method] = ofService.exec(id) ?? [];
  if (method === undefined) return id;
  return wordsOf(method).length > 1 ? method : `${thing}_${method}`;
}

/** So many words may be said twice in a row: `message_send_message_send` is a function in a file of its name. */
const longestRepeat = 4;

/** Without the words that have just been said in the same order. */
function unrepeated(words: readonly string[]): readonly string[] {
  for (let count = Math.min(longestRepeat, Math.floor(words.length / 2)); count > 0; count -= 1) {
    const at = words.findIndex((_, from) => isRepeated(words, from, count));
    // A name that says nothing but one word, twice, means both.
    if (at >= 0 && words.length - count > 1) return unrepeated(words.toSpliced(at, count));
  }
  return words;
}

function isRepeated(words: readonly string[], from: number, count: number): boolean {
  const first = words.slice(from, from + count);
  const second = words.slice(from + count, from + 2 * count);
  return second.length === count && first.every((word, at) => sameWord(word, second[at]));
}

/** Functions that answer requests are called so by some, whatever they do: `list_things_endpoint`. */
const answering = /^endpoint$/i;

function endless(words: readonly string[], { path }: ApiOperation): readonly string[] {
  const isSaid = answering.test(words.at(-1) ?? '') && !/endpoint/i.test(path);
  return isSaid && words.length > 2 ? words.slice(0, -1) : words;
}

/** Where the API stands, when that is in the path, too: `ApiEndpointsThingsCreate`, `api_things_list`. */
function placeless(words: readonly string[], { path }: ApiOperation): readonly string[] {
  const prefix = new Set(
    path
      .toLowerCase()
      .split('/')
      .filter((part) => /^(?:api|v\d+)$/.test(part)),
  );
  if (!prefix.has(words[0]?.toLowerCase() ?? '')) return words;
  const from = words.findIndex(
    (word) => !prefix.has(word.toLowerCase()) && !/^endpoints?$/i.test(word),
  );
  return from < 0 || words.length - from < 2 ? words : words.slice(from);
}

/** A method and a path, as in `get/things/{id}`, `GET_/things/:id`, `getApiThingsId` and `ByShelfBooksGet`. */
function isRoute(id: string, operation: ApiOperation): boolean {
  const [first = '', ...rest] = id.split('/');
  const method = operation.method.toLowerCase();
  if (rest.length > 0) return first.toLowerCase().replace(/[ _]$/, '') === method;
  const [verb = '', ...words] = wordsOf(id).map((word) => word.toLowerCase());
  const path = requestPath(operation).split(/[/{}]/).flatMap(wordsOf).join('').toLowerCase();
  if (verb === method && words.length > 1 && words.join('') === path) return true;
  return verb === 'by' && [verb, ...words].join('') === `${byPath(operation)}${method}`;
}

/** A path as RAML names it: `/{shelf}/books/{id}` is `ByShelfBooksById`. */
function byPath(operation: ApiOperation): string {
  const shown = requestPath(operation).replace(/\{([^{}]*)\}/g, ' by $1 ');
  return wordsOf(shown).join('').toLowerCase();
}

/** Verbs of names that have been said once the class has one: `GetGamesController_findAll`. */
const asking = /^(?:get|find|list|fetch|read|search)$/i;

/** `GameController_create` is `game create`, and `CreateGameController_handle` is `create game`. */
function classless(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word.toLowerCase() === 'controller');
  if (at < 1) return words;
  const [next = ''] = words.slice(at + 1);
  const rest = words.slice(at + (/^v\d+$/i.test(next) ? 2 : 1));
  const [only = '', ...others] = rest;
  const before = words.slice(0, at);
  const isSaid = before.length > 1 && asking.test(before[0] ?? '') && asking.test(only);
  const isHandling = others.length === 0 && handling.test(only);
  // `TagsController_tagNameList` says twice what it is about.
  const isSaidAgain = (each: string) => rest.some((word) => isSameThing(word, each));
  const isTwice = rest.length > before.length && before.every(isSaidAgain);
  return [...(isTwice ? [] : before), ...(isHandling || isSaid ? [] : rest)];
}

/** `beds_list_beds` stands in a group of its name: what is done, and with what, is said behind it. */
function groupless(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, place) => place > 0 && (asking.test(word) || isChangingVerb(word.toLowerCase())),
  );
  const isSaid = (each: string) => words.slice(at + 1).some((word) => isSameThing(word, each));
  return at > 0 && words.slice(0, at).every(isSaid) ? words.slice(at) : words;
}

/**
 * The words of an operationId without the path and the method that frameworks put behind the name
 * of a function (`read_item_items__item_id__get`): they say nothing new, and names grow too long.
 */
function methodless(words: readonly string[], operation: ApiOperation): readonly string[] {
  if (words.at(-1)?.toLowerCase() !== operation.method.toLowerCase()) return words;
  const path = requestPath(operation).split(/[/{}]/).flatMap(wordsOf);
  const own = words.slice(0, words.length - 1 - path.length);
  const end = words.slice(own.length, -1);
  const isPath = end.length > 0 && end.every((word, at) => sameWord(word, path[at]));
  const [only] = own;
  // The whole path, which says itself what is done: `thingsCreatePost` of `/things/create`.
  if (own.length === 0 && isPath && endsInVerb(operation)) return words.slice(0, -1);
  if (!isPath || only === undefined) return words;
  if (own.length > 1) return own;
  // A function of one word has the name of its path, or else is the verb of what stands there last.
  if (path.some((word) => sameWord(only, word))) return own;
  return [only, ...wordsOf(ownParts(operation).at(-1) ?? '')];
}

/** Whether its path says what is done, so that the method, which is the usual one for that, adds nothing. */
function endsInVerb(operation: ApiOperation): boolean {
  if (operation.method !== 'POST') return false;
  const [verb = ''] = wordsOf(requestPath(operation).split('/').at(-1) ?? '');
  return isChangingVerb(verb.toLowerCase()) || asking.test(verb);
}

function sameWord(word: string, other: string | undefined): boolean {
  return word.toLowerCase() === other?.toLowerCase();
}

function isSameThing(word: string, other = ''): boolean {
  return nounOf(word) === nounOf(other);
}

/** A path that names the form of its answer: it is JSON anyway. */
const formEnd = /(?<=.)\.json$/i;

/** The fixed parts of a path, without those that only say where the API stands. */
export function ownParts({ path }: Pick<ApiOperation, 'path'>): string[] {
  const parts = pathParts(formless(path)).map((part) => part.replace(formEnd, ''));
  const fixed = parts.filter((part) => !part.includes('{'));
  const own = fixed.filter(
    (part) => !/^(api|rest|public|beta|v?\d+(\.\d+)*|v\d+\w*|\d{4}-\d\d(-\d\d)?)$/i.test(part),
  );
  return own.length > 0 ? own : fixed;
}
