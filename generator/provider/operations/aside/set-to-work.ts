import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodyContent } from '../../examples/body-schema.ts';
import { toldFirst } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';
import { sentMembers } from './sent-members.ts';
import { onlyReckons } from './spending.ts';

/** What software runs in, and in what else where members of a body say so: a salon has services, too. */
const workload =
  /^(?:[a-z]+ )?(?:container|pod|sandbox|(?:daemon|replica|stateful) ?set|\w+replicaset|function|application ?set|virtual ?machine(?: ?instance)?)$/;
const perhaps = /^(?:[a-z]+ )?(?:app(?:lication)?|(?:cron ?)?job|deployment|service|stack|task)$/;
const placed = /^edge (?:job|stack)$/;

/** Members of a body that say what is run there. */
const software =
  /^(?:args|cmd|command|entry ?points?|containers?(?: spec)?|docker ?(?:compose|file|image)\b.*|compose(?: file| yaml)?|(?:container|oci) image|git (?:repo|repository|url)|repo url|stack file content|sync policy|task (?:groups?|spec|template))$/;
const ofWorkload =
  /^(?:domain|generators|handler|image(?: (?:id|name|ref|uri|url))?|runtime|template(?: id)?)$/;

/** What a run is of, what each is called, and how texts say that one begins. */
const runnable =
  /^(?:[a-z]+ )?(?:app|application|dag|definition|flow|function|job|pipeline|playbook|project|repo|repository|service|site|workflow|workspace)$/;
const begun = /^(?:build|build run|deploy|deployment|dispatch|dispatche|run)$/;
const run = /^(?:dag|flow|job|pipeline|playbook|task|workflow) ?(?:execution|run)$/;
const saidToRun =
  /^\W*(?:(?:creates?|endpoint to create) (?:and|or) )?(?:build|execute|initiate|launch|queue|run|start|trigger)s? (?:(?:an?|batch|ci|existing|new|organi[sz]ation|processing|the|this|your) )*(?:builds?|dags?|(?:dag|flow|job|pipeline|task|workflow) runs?|jobs?|pipelines?|playbooks?|workflows?)\b(?! (?:action|approval|builder|comment|definition|draft|posting|session|template|timer)s?\b)/i;
const saidToSubmit =
  /^\W*(?:submits? (?:an? |the )?(?:workflow|batch job|build)|builds? (?:an? |the )?(?:container |docker )?image)\b/i;

/** The same of what a run is made of where it stands for itself: `POST /runs` that takes a pipeline. */
const begunAlone = /^(?:[a-z]+ )?(?:backfill|run)$|^recurring ?runs?$/;
const ofRun =
  /^(?:dag|flow|pipeline|playbook|workflow)(?: (?:ids?|manifest|names?|refs?|references?|slugs?|specs?|versions?))*$/;

/** What goes on where nobody looks at what goes in. */
const intoWorkload = /\/(?:containers?|pods?)\/\{[^}]*\}\/(?:attach|exec)$/i;

/** What becomes a part of the software itself, where it comes as a file. */
const plugin = /^(?:[a-z]+ )?(?:add ?on|plugin|theme)$/;
const asFile =
  /^(?:multipart\/form-data|application\/(?:gzip|java-archive|octet-stream|x-tar|zip))/i;

/** A server whose tools others call from then on: `POST /v1/mcp/server`. */
const ofTools = /\/mcp[-_/]?servers?(?:\/(?:add|connect|create|install|new|register))?$/i;

/** Machines that somebody pays for by the hour, and members that say of which size. */
const machine =
  /^(?:[a-z]+ ){0,2}(?:cluster|deployment|droplet|endpoint|instance(?: pool)?|machine|node ?pool|server|vm)$/;
const sized =
  /^(?:(?:[a-z]+ )?(?:compute|droplet|gpu|instance|machine|node|server|vm|worker) (?:class|flavou?r|plan|profile|size|type)|flavou?r|hardware|plan|pricing model|sku)$/;

const rentedAgain =
  /\/(?:instance|machine|server|vm)s\/\{[^}]*\}\/(?:actions\/)?(?:provision|reserve)$/i;

/** What does something outside, and what it is told. */
const device =
  /^(?:[a-z]+ )?(?:camera|car|controller|device|drone|gateway|light|lock|machine|plc|printer|robot|thing|vehicle)$/;
const told = /^(?:[a-z]+ )?(?:command|downlink)$/;
const saidToCommand =
  /^\W*(?:dispatch|enqueue|issue|push|queue|send|transmit)(?:e?s)? (?:(?:an?|new|one|or more|the) )*(?:[\w-]+ ){0,2}(?:commands?|downlinks?)\b/i;

/** What many things come in with at once, and what says that they are many. */
const importing = /\bimport(?:s|ing)?\b/;
const inBulk =
  /\b(?:archives?|batch(?:es)?|bulk|csv|dumps?|excel|ndjson|realms?|spreadsheets?|xlsx?|zip)\b/i;

/** Parts of a path that say that something is only looked at. */
const looking = /^(?:check|dry ?run|estimate|lint|parse|plan|preview|validate)$/;

const sending = /^(?:create|execute|new|run|send|submit|trigger)$/;

/** Why a person should say that agents may set something to work: software, a machine, a device; or bring in many things. */
export function workReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  const { node, path } = operation;
  const said = toldFirst(node).replace(/^\W*(?:asynchronously|attempts to|synchronously) /i, '');
  if (saidToCommand.test(said) || isCommand(path)) return commands;
  if (onlyReckons(node) || fixedParts(path).some((part) => looking.test(nounOf(part)))) {
    return undefined;
  }
  const takes = (names: RegExp) =>
    sentMembers(document, operation).some(([name]) => names.test(smallWords(name).join(' ')));
  const nouns = madeBy(path);
  const isRented = nouns.some((noun) => machine.test(noun)) && takes(sized);
  if (isRented || rentedAgain.test(path)) return 'it may spend money';
  if (ofTools.test(path)) return connects;
  if (
    nouns.some((noun) => isWorkload(noun, takes)) ||
    (nouns.some((noun) => plugin.test(noun)) && sendsFile(document, operation)) ||
    isBegun(path, said) ||
    (begunAlone.test(nouns.at(-1) ?? '') && takes(ofRun)) ||
    intoWorkload.test(path)
  )
    return works;
  return importsMany(operation, said) ? imports : undefined;
}

function isWorkload(noun: string, takes: (names: RegExp) => boolean): boolean {
  if (placed.test(noun)) return true;
  if (workload.test(noun)) return takes(software) || takes(ofWorkload);
  return perhaps.test(noun) && takes(software);
}

function sendsFile(document: ApiDocument, operation: ApiOperation): boolean {
  return Object.keys(bodyContent(document, operation)).some((type) => asFile.test(type));
}

/** What a path makes one of: its kind may stand behind it (`/applications/public`). */
function madeBy(path: string): readonly string[] {
  if (path.endsWith('}')) return [];
  const [, own = path] = /\}\/([^{}]*)$/.exec(path) ?? [];
  return nounsOf(own).slice(-2);
}

/** Whether a build, a pipeline or a workflow begins: `/jobs/{id}/runs`, "Trigger a new DAG run". */
function isBegun(path: string, said: string): boolean {
  if (saidToRun.test(said) || saidToSubmit.test(said)) return true;
  const nouns = nounsOf(path);
  if (run.test(nouns.at(-1) ?? '')) return true;
  const isOfOne = /\}\/[^/{}]+\/?$/.test(path);
  return isOfOne && begun.test(nouns.at(-1) ?? '') && runnable.test(nouns.at(-2) ?? '');
}

function isCommand(path: string): boolean {
  const nouns = nounsOf(path);
  return told.test(nouns.at(-1) ?? '') && device.test(nouns.at(-2) ?? '');
}

function importsMany({ id = '', path, node }: ApiOperation, said: string): boolean {
  const parts = fixedParts(path).slice(-2);
  const named = parts.flatMap((part) => smallWords(part)).join(' ');
  const begins = smallWords(said).slice(0, leadingWords).join(' ');
  if (![named, begins].some((words) => importing.test(words))) return false;
  const texts = `${smallWords(`${path} ${id}`).join(' ')} ${said} ${node['description'] ?? ''}`;
  return inBulk.test(texts.slice(0, shownText));
}

/** The things that a path names, without what is done with the last of them. */
function nounsOf(path: string): readonly string[] {
  const parts = fixedParts(path);
  const end = parts.length > 1 && sending.test((parts.at(-1) ?? '').toLowerCase()) ? -1 : undefined;
  return parts.slice(0, end).map(nounOf);
}

function fixedParts(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
}

const works = 'it runs software, or a build of it: switch it on if agents may do that';
const connects = 'it connects a server of tools: switch it on if agents may do that';
const commands = 'it sends a command to a device: switch it on if agents may do that';
const imports = 'it brings in many things at once: switch it on if agents may do that';

/** Words of a text that may be its verb and what is done. */
const leadingWords = 5;

/** So many characters of texts tell how many come in. */
const shownText = 400;
