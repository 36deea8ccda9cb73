import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { toldFirst } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';
import { isCarried } from './postal.ts';
import { sentMembers } from './sent-members.ts';

/** How texts say that a call costs something, or takes it from somebody. */
const saidToBill =
  /\b(?:will|is|are|gets?) (?:then |also )?(?:be )?(?:automatically )?(?:billed|charged)\b(?! (?:off|by others))|\bkicks? off billing\b|\bcharges? (?:the|your) (?:account|card|customer)\b|^\W*creates? (?:an? )?(?:new )?billing (?:account|profile|project)\b/i;

/** Domains that are registered with somebody, and paid for by the year: others are only looked after. */
const registering = /^\W*registers? (?:an? |the )?(?:new )?domain\b/i;
const ofTerm = /^(?:period|registrant\w*|registrationperiod|years)$/;

/** What is done with an invoice where its vendor collects the money for it. */
const collecting = /\/\{[^}]*\}\/(?:charge|collect(?:[-_]payment)?|pay|retry[-_]payment)$/i;

/** What is done with a card that was given to somebody to pay with: others are played, or hold a task. */
const issuing =
  /\/\{[^}]*\}\/(?:activate|pan|(?:un)?(?:block|freeze|lock)|reissue|report-(?:lost|stolen)|terminate)$/i;

/** What a purse is filled with while it is made. */
const filling = /^(?:\w*credits|initial(?:amount|balance)|topup\w*)$/;

/** What is locked up where two pay each other through a channel. */
const funding = /^(?:fundingsat\w*|localfunding\w*|pushsat\w*)$/;

/** Whether something is paid for from now on by what is made here: a domain, an invoice that is collected, a card, a purse, what a carrier takes. */
export function isBilled(document: ApiDocument, operation: ApiOperation): boolean {
  const { node, path } = operation;
  const told = toldFirst(node);
  const texts = `${told}\n${node['description'] ?? ''}`.slice(0, shownText);
  if (saidToBill.test(texts) || isCarried(operation)) return true;
  const noun = nounOf(path.split('/').findLast((part) => part !== '') ?? '');
  if (noun === 'domain') return registering.test(texts) || takes(document, operation, ofTerm);
  if (noun === 'channel' || noun === 'stream') return takes(document, operation, funding);
  if (noun === 'wallet') return takes(document, operation, filling);
  if (noun === 'card') return isDoneBelow(document, path, issuing);
  return (
    noun === 'invoice' && !/\bdrafts?\b/i.test(texts) && isDoneBelow(document, path, collecting)
  );
}

function takes(document: ApiDocument, operation: ApiOperation, members: RegExp): boolean {
  return sentMembers(document, operation).some(([name]) =>
    members.test(name.toLowerCase().replace(/[^a-z]/g, '')),
  );
}

function isDoneBelow(document: ApiDocument, path: string, acts: RegExp): boolean {
  return apiOperations(document).all.some(
    (other) => other.path.startsWith(`${path}/`) && acts.test(other.path),
  );
}

/** So many characters of its texts tell what an operation costs. */
const shownText = 1500;
