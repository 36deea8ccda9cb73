import { isObject } from '#contract/json';
import { type ApiOperation, resolve } from '../../schema/api-operations.ts';
import type { SurfaceContent, SurfaceReply } from '../surface-model.ts';
import { type RoutePlanning, report } from './route-planning.ts';

/** Plan what a route may answer: statuses, media types, and the types of their bodies. */
export function planReplies(
  planning: RoutePlanning,
  operation: ApiOperation,
  type: string,
): SurfaceReply[] {
  const responses = operation.node['responses'];
  if (!isObject(responses)) return [];
  return Object.entries(responses).flatMap(([status, value]) => {
    const pointer = `${operation.pointer}/responses/${status}`;
    if (!/^[2-5]\d\d$/.test(status)) {
      report(planning, 'SURF004', pointer, `a handler answers with a status, not with ${status}`);
      return [];
    }
    if (!isObject(value)) return [];
    const { node } = resolve(planning.document, { node: value, pointer });
    const content = isObject(node['content']) ? Object.entries(node['content']) : [];
    const contents = content.map(([contentType, media], index) =>
      planContent(planning, contentType, media, `${type}${status}${index === 0 ? '' : index + 1}`),
    );
    if (contents.length > 1 && contents.some(({ stream }) => stream)) {
      const message = 'a stream is the only media type of its status';
      report(planning, 'SURF004', `${pointer}/content`, message);
    }
    return [{ status: Number(status), contents }];
  });
}

function planContent(
  { types }: RoutePlanning,
  contentType: string,
  value: unknown,
  name: string,
): SurfaceContent {
  const media = isObject(value) ? value : {};
  if (media['x-stream'] === true) return { contentType, type: 'Chunks', stream: 'chunks' };
  const schema = isObject(media['schema']) ? media['schema'] : {};
  const type = types.typeOf(schema, name);
  const isEvents = contentType.startsWith('text/event-stream');
  return { contentType, type, ...(isEvents && { stream: 'events' }) };
}
