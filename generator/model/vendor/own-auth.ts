import { suggestion } from '../../diagnostics/suggestion.ts';
import type { Curation } from '../shape/curation.ts';
import type { Report } from '../texts/report.ts';

/** Check what operations take instead of the usual ways to authenticate (P039). */
export function checkOwnAuth({ auth, operations }: Curation, report: Report): void {
  const credentials = auth.filter(({ type }) => type !== 'none');
  const ids = credentials.flatMap(({ id }) => id ?? []);
  const asked = new Set(operations.flatMap((operation) => operation.auth ?? []));
  for (const [index, { name, auth: own = [] }] of operations.entries()) {
    for (const [at, id] of own.entries()) {
      if (ids.includes(id) || id === 'none') continue;
      const message = `${name} takes "${id}", which is no id of a credential in auth`;
      const help = suggestion(id, [...ids, 'none']);
      report.curation('P039', `/operations/${index}/auth/${at}`, message, { help });
    }
  }
  for (const [index, { id = '', connect }] of auth.entries()) {
    const at = `/auth/${index}`;
    if (id === 'none') {
      report.curation('P039', `${at}/id`, '"none" says that there is no credential: it is no id');
    }
    if (asked.has(id) && ids.indexOf(id) !== ids.lastIndexOf(id)) {
      report.curation('P039', `${at}/id`, `"${id}" is the id of several entries`);
    }
    // What a person connects stands for the usual credential of all tools.
    if (connect !== undefined && asked.size > 0) {
      const message =
        'people cannot connect accounts where operations take credentials of their own';
      report.curation('P039', `${at}/connect`, message);
    }
  }
}
