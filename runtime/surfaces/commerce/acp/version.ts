import { ServiceError } from '#contract/errors';

/** The versions of ACP whose shapes are served, the oldest first. */
export const acpVersions = ['2026-04-17'] as const;

/**
 * Look at what version a client speaks (ACP, header API-Version).
 *
 * @throws ServiceError 400 with the versions that are served
 */
export function requireVersion(version: string | undefined): void {
  if (acpVersions.some((known) => known === version)) return;
  const code = version === undefined ? 'missing_api_version' : 'unsupported_api_version';
  const message = `API-Version must be ${acpVersions.join(' or ')}`;
  throw new ServiceError(code, 400, message, { detail: { supported_versions: acpVersions } });
}
