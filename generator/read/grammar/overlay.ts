import { notBoth } from './rules.ts';
import { any, boolean, grammar, list, object, string } from './shape.ts';

/** OpenAPI Overlay 1.1 (https://spec.openapis.org/overlay/v1.1.0.html). */
export const overlay11 = grammar({
  Document: {
    title: 'Overlay Object',
    fields: {
      overlay: string,
      info: object('Info'),
      extends: string,
      actions: list(object('Action'), { notEmpty: true }),
    },
    required: ['overlay', 'info', 'actions'],
  },
  Info: {
    title: 'Info Object',
    fields: { title: string, version: string, description: string },
    required: ['title', 'version'],
  },
  Action: {
    title: 'Action Object',
    fields: { target: string, description: string, update: any, remove: boolean, copy: string },
    required: ['target'],
    rules: [notBoth('update', 'copy')],
  },
});

const { copy: _, ...fieldsOf10 } = overlay11['Action']?.fields ?? {};

/** OpenAPI Overlay 1.0, which cannot copy (https://spec.openapis.org/overlay/v1.0.0.html). */
export const overlay10 = grammar({
  ...overlay11,
  Action: { title: 'Action Object', fields: fieldsOf10, required: ['target'] },
});
