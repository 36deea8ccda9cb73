import type { Approval, EarlierAct, Question } from '#contract/house/approval';
import { isObject } from '#contract/json';
import type { ApprovalRow } from '../../../generated/tables.ts';
import { visibleLine } from './visible-text.ts';

const longestAsker = 300;

/** A row as an approval. */
export function approvalOf(row: ApprovalRow, earlier?: EarlierAct): Approval {
  const { tenant, id, subject, client, operation, summary, state } = row;
  const { registration, grant, created_at, expires_at } = row;
  return {
    ...{ tenant, id, subject, client, operation, state },
    asker: visibleLine(subject, longestAsker),
    question: readQuestion(summary),
    createdAt: created_at,
    expiresAt: expires_at,
    ...(registration && { registration }),
    ...(grant && { grant }),
    ...(earlier && { earlier }),
  };
}

/** Written as JSON, but by former versions as text, whose approvals live on for ten minutes. */
function readQuestion(text: string): Question {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && Array.isArray(value['arguments'])) return value as unknown as Question;
  } catch {}
  return { arguments: [{ name: 'call', value: text }] };
}

/** Of an approval that is made before the task that it is for. */
export const noTaskYet = '-';

export function isTask({ task }: Pick<ApprovalRow, 'task'>): boolean {
  return task !== '' && task !== noTaskYet;
}
