import type { Route } from '#contract/surface/route';
import type { BodyReader } from './body/body-reader.ts';

declare module 'fastify' {
  /** What the server knows of a route before its handler runs. */
  interface FastifyContextConfig {
    readonly readBody?: BodyReader;
    readonly errors?: NonNullable<Route['errors']>;
    /** It shows pages to people, whom errors are told on pages as well. */
    readonly isPage?: true;
    readonly cors?: NonNullable<Route['cors']>;
    /** It answers what browsers ask before they send a request of another origin. */
    readonly preflight?: true;
  }
}
