import type { Resource, ResourceContents, ResourceTemplate } from '#contract/resource';
import { png } from './samples.ts';

const access = ['mcp.tools'];

function fixed(name: string, contents: ResourceContents): Resource {
  const { uri, mimeType } = contents;
  const definition = { uri, name, access, ...(mimeType !== undefined && { mimeType }) };
  return { definition, read: async () => [contents] };
}

export const resources: readonly Resource[] = [
  fixed('static-text', {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  }),
  fixed('static-binary', { uri: 'test://static-binary', mimeType: 'image/png', blob: png }),
  fixed('watched-resource', {
    uri: 'test://watched-resource',
    mimeType: 'text/plain',
    text: 'This resource is watched.',
  }),
];

export const resourceTemplates: readonly ResourceTemplate[] = [
  {
    definition: {
      uriTemplate: 'test://template/{id}/data',
      name: 'template-data',
      mimeType: 'application/json',
      access,
    },
    async read({ id }, uri) {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return [{ uri, mimeType: 'application/json', text }];
    },
    complete: async (_argument, value) =>
      ['123', '124', '200'].filter((id) => id.startsWith(value)),
  },
];
