import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import { createOriginCheck } from './local-origin.ts';

export interface HttpOptions {
  readonly mcpPath: string;
  readonly baseUrl: string | undefined;
  readonly log: Logger;
  readonly mcp: McpEndpoint;
}

/** Put the HTTP server together; it does not listen yet. */
export function createHttpServer({ mcpPath, baseUrl, log, mcp }: HttpOptions): FastifyInstance {
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    disableRequestLogging: true,
  });
  const checkOrigin = createOriginCheck(baseUrl);
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(mcpPath, (request, reply) => {
      reply.hijack();
      const foreign = checkOrigin(request.headers);
      if (foreign === undefined) mcp.handle(request.raw, reply.raw);
      else mcp.forbid(reply.raw, foreign);
    });
  });
  return server;
}
