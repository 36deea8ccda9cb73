import { type Finding, pathOf } from './finding.ts';

/** What a member is that was not demanded before. */
export const demanded = 'is required now';
export const demandedNew = 'is new and required';

/** Whether values need more than before, and are as they were otherwise. */
export function isDemand({ text }: Finding): boolean {
  return text === demanded || text === demandedNew;
}

/** Findings of one of several forms; what each of the others does not need is said so. */
export function needsOfOne(
  found: readonly Finding[],
  forms: readonly (readonly Finding[])[],
): readonly Finding[] {
  const isIn = (form: readonly Finding[], { text, steps }: Finding) =>
    form.some((one) => one.text === text && pathOf(one.steps) === pathOf(steps));
  return found.map((one) =>
    !isDemand(one) || forms.every((form) => isIn(form, one))
      ? one
      : { ...one, text: `${one.text}, or what another form needs` },
  );
}
