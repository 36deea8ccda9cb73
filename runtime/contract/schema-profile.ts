/**
 * The forms in which tools show their schemas: `exact` as they are checked, `anthropic` without
 * combinations at the root, `openai-strict` for its strict mode, `sdk-v1` as the v1 SDKs read them.
 */
export const schemaProfiles = ['exact', 'anthropic', 'openai-strict', 'sdk-v1'] as const;

export type SchemaProfile = (typeof schemaProfiles)[number];
