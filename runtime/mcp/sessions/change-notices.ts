import type { Changes } from '../../offer/changes.ts';

/** Tell the client of a session of what changes, until the function that comes back is called. */
export function tellOfChanges(
  changes: Changes,
  watched: ReadonlySet<string>,
  tell: (method: string, params?: object) => void,
): () => void {
  const stops = [
    changes.on('tools', () => tell('notifications/tools/list_changed')),
    changes.on('prompts', () => tell('notifications/prompts/list_changed')),
    changes.on('resources', () => tell('notifications/resources/list_changed')),
    changes.on('resource', (uri) => {
      if (watched.has(uri)) tell('notifications/resources/updated', { uri });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
