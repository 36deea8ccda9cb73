import type { ProviderAuth } from '#contract/provider';

export const bearer = {
  type: 'bearer',
  env: ['ACME_TOKEN', 'ALIAS'],
  required: true,
} as const satisfies ProviderAuth;

export const key = {
  type: 'api_key',
  in: 'header',
  name: 'X-Key',
  format: 'Key {token}',
  env: ['ACME_KEY'],
  required: true,
} as const satisfies ProviderAuth;
