import { generateKeyPairSync } from 'node:crypto';
import { createService } from '../../../runtime/main.ts';
import { freePort } from '../../surfaces/identity/outbox/mail-server.ts';

/** What a server needs to be the one that was killed. */
export interface ServiceOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** Key of the client that proves itself with assertions. */
  readonly clientKey: object;
}

export const redirectUri = 'https://client.example/callback';

/** Choose where the server will be. */
export async function chooseService(
  where: Pick<ServiceOptions, 'dataDir' | 'databaseUrl'>,
): Promise<ServiceOptions> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...where, port: await freePort(), clientKey: privateKey.export({ format: 'jwk' }) };
}

/** How the server is set up. */
export function environmentOf(
  { dataDir, databaseUrl, clientKey }: ServiceOptions,
  base: string,
): Readonly<Record<string, string | undefined>> {
  const { d: _, ...publicKey } = clientKey as Readonly<Record<string, string>>;
  const clients = [
    { client_id: 'host', redirect_uris: [redirectUri] },
    {
      ...{ client_id: 'signer', token_endpoint_auth_method: 'private_key_jwt' },
      ...{ grant_types: ['client_credentials'], jwks: { keys: [publicKey] } },
    },
  ];
  return {
    ...{ SERVICE_PROVIDER: 'osv', SERVICE_LOG_LEVEL: 'silent', SERVICE_AUTH: 'required' },
    ...{ SERVICE_DATA_DIR: dataDir, SERVICE_DATABASE_URL: databaseUrl },
    ...{ SERVICE_BASE_URL: base, SERVICE_CLAIM_AUTH: 'dev' },
    SERVICE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    SERVICE_AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_OAUTH_CLIENTS: JSON.stringify(clients),
    SERVICE_REGISTRATIONS_PER_NETWORK: '1000000',
    SERVICE_REGISTRATIONS_PER_HOUR: '1000000',
  };
}

/** Serve all of the product in this process; gives what stops it. */
export async function serveIdentity(
  options: ServiceOptions,
  base = `http://127.0.0.1:${options.port}`,
): Promise<() => Promise<void>> {
  const service = await createService(environmentOf(options, base));
  await service.life.start();
  await service.http.listen({ host: '127.0.0.1', port: options.port });
  return async () => {
    service.mcp.endpoint.drain();
    await service.http.close();
    await service.life.stop();
  };
}
