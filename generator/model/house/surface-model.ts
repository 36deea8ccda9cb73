import type { JsonSchema } from '#contract/json';
import type { Access, OperationDemands } from '#contract/operation';
import type { PromptArgument } from '#contract/prompt';
import type { Route } from '#contract/surface/route';
import type { ToolAnnotations } from '#contract/tool';

import type { Demand } from './scopes.ts';

/** What a surface offers, as `specs/surfaces/<id>/` describes it. */
export interface SurfaceModel {
  readonly id: string;
  /** What openapi.yaml calls it and says about it. */
  readonly title?: string;
  readonly description?: string;
  readonly routes: readonly SurfaceRoute[];
  readonly tools: readonly SurfaceTool[];
  readonly prompts: readonly SurfacePrompt[];
  readonly templates: readonly SurfaceTemplate[];
  /** What each of these demands of its caller. */
  readonly demands: readonly Demand[];
  /** The schemas that openapi.yaml names; all others may refer to them. */
  readonly components: ReadonlyMap<string, JsonSchema>;
  /** Every schema that becomes a named type, by the name of the type. */
  readonly types: ReadonlyMap<string, JsonSchema>;
}

/** One HTTP operation. */
export interface SurfaceRoute extends Omit<Route, 'title' | 'ask' | 'responses'> {
  readonly summary: string;
  readonly description?: string;
  /** TypeScript types of what it takes; absent where it takes none. */
  readonly parametersType?: string;
  readonly bodyType?: string;
  readonly replies: readonly SurfaceReply[];
  /** JSON pointer into openapi.yaml. */
  readonly pointer: string;
}

/** One status with which a route may answer. */
export interface SurfaceReply {
  readonly status: number;
  /** The bodies among which the client chooses; mostly one, or none. */
  readonly contents: readonly SurfaceContent[];
}

export interface SurfaceContent {
  readonly contentType: string;
  /** TypeScript type of the body, of each event, or of nothing where chunks are sent as they are. */
  readonly type: string;
  readonly stream?: 'events' | 'chunks';
}

/** One MCP tool. */
export interface SurfaceTool extends OperationDemands {
  readonly name: string;
  /** Name of the handler. */
  readonly handler: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: JsonSchema;
  /** Absent where the handler gives back a whole result of MCP. */
  readonly output?: JsonSchema;
  readonly argumentsType: string;
  /** Absent with `output`. */
  readonly resultType?: string;
  /** JSON pointer into tools.yaml. */
  readonly pointer: string;
}

/** One MCP prompt. */
export interface SurfacePrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly arguments: readonly PromptArgument[];
  /** The handler that completes each argument that has one. */
  readonly completed: Readonly<Record<string, string>>;
  /** The text, with `{name}` for an argument. */
  readonly lines: readonly string[];
}

/** Many MCP resources under one pattern. */
export interface SurfaceTemplate {
  readonly name: string;
  /** Name of the handler that reads one of them. */
  readonly handler: string;
  readonly title: string;
  readonly description: string;
  readonly uriTemplate: string;
  readonly mimeType: string;
  readonly access: Access;
  /** The places of the pattern. */
  readonly places: readonly string[];
  readonly completed: Readonly<Record<string, string>>;
}
