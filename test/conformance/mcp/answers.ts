import type { CallContext } from '#contract/caller';
import { type InputRequest, type InputRequests, InputRequired } from '#contract/client';
import { isObject, type Json, type JsonObject, type JsonSchema } from '#contract/json';

/** A form with one field, which must be filled in. */
export function form(message: string, field: string, type = 'string'): InputRequest {
  const properties = { [field]: { type } };
  return elicitation(message, { type: 'object', properties, required: [field] });
}

export function elicitation(message: string, requestedSchema: JsonSchema): InputRequest {
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

export function sampling(text: string, maxTokens: number): InputRequest {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

export const roots: InputRequest = { method: 'roots/list', params: {} };

/** What the client answered to all `requests`. @throws InputRequired until it answered every one */
export function answersTo(
  requests: InputRequests,
  { answers }: CallContext,
  state?: Json,
): Readonly<Record<string, JsonObject>> {
  const given: Record<string, JsonObject> = {};
  for (const key of Object.keys(requests)) {
    const response = Object.hasOwn(answers.responses, key) ? answers.responses[key] : undefined;
    if (response === undefined) throw new InputRequired(requests, state);
    given[key] = response;
  }
  return given;
}

/** A field of a form that came back. */
export function fieldOf(response: JsonObject | undefined, name: string): string {
  const content = response?.['content'];
  return isObject(content) ? String(content[name]) : '';
}

/** The text of a message that the client's model wrote. */
export function textOf(response: JsonObject | undefined): string {
  const content = response?.['content'];
  return isObject(content) ? String(content['text']) : '';
}
