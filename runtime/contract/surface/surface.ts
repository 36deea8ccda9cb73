import type { CallContext } from '../caller.ts';
import type { Tool, ToolDefinition, ToolResult } from '../tool.ts';
import type { Route, RouteHandler, Routes } from './route.ts';

/** A route with the function that serves it. */
export interface BoundRoute {
  readonly route: Route;
  readonly handle: RouteHandler;
}

/** Put each route together with its handler. */
export function bindRoutes<Handlers extends object>(
  routes: Routes<Handlers>,
  handlers: Handlers,
): readonly BoundRoute[] {
  // `defineRoutes` has checked the names, the generated interface the types behind them.
  const byName = handlers as Readonly<Record<string, RouteHandler | undefined>>;
  return routes.map((route) => ({ route, handle: handlerOf(byName, route.name) }));
}

/**
 * The same for handlers that are loaded with the first request to any of them, and that each tenant has
 * for itself: a request gets those of the tenant to whose address it came.
 */
export function bindRoutesLater<Handlers extends object>(
  routes: Routes<Handlers>,
  load: (tenant: string) => Promise<Handlers>,
): readonly BoundRoute[] {
  return routes.map((route) => ({
    route,
    async handle(request) {
      const handlers = await load(request.context.caller.tenant);
      const byName = handlers as Readonly<Record<string, RouteHandler | undefined>>;
      return handlerOf(byName, route.name)(request);
    },
  }));
}

/** The tools of a surface, each with the name of the handler that serves it. */
export type SurfaceTools<Handlers> = readonly (ToolDefinition & {
  readonly handler: keyof Handlers & string;
})[];

/** Check generated tools against the interface of their handlers. */
export function defineTools<Handlers>(tools: SurfaceTools<Handlers>): SurfaceTools<Handlers> {
  return tools;
}

type ToolHandler = (
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Promise<unknown>;

/**
 * Put each tool together with its handler; what that returns is the structured result, or the whole
 * one where the tool has no output schema.
 */
export function bindTools<Handlers extends object>(
  tools: SurfaceTools<Handlers>,
  handlers: Handlers,
): readonly Tool[] {
  // `defineTools` has checked the names, the generated interface the types behind them.
  const byName = handlers as Readonly<Record<string, ToolHandler | undefined>>;
  return tools.map(({ handler, ...definition }) => {
    const run = handlerOf(byName, handler);
    return {
      definition,
      async call(args, context) {
        const value = await run(args, context);
        // The generated interface demands it.
        if (definition.output === undefined) return value as ToolResult;
        // MCP 2025-06-18 and later: the same as text, for clients that read only that.
        const content = [{ type: 'text', text: JSON.stringify(value) } as const];
        return { content, structuredContent: value };
      },
    };
  });
}

function handlerOf<Handler>(
  handlers: Readonly<Record<string, Handler | undefined>>,
  name: string,
): Handler {
  const handler = handlers[name];
  if (handler === undefined) throw new Error(`nothing serves ${name}`);
  return handler;
}
