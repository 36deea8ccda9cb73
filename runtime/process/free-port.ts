import { createServer } from 'node:net';

/** Why a port cannot be listened on now; nothing where it is free. Nothing listens afterwards. */
export function whyTaken(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
