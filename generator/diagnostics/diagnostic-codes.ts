import { descriptionCodes } from './codes/description-codes.ts';
import { houseCodes } from './codes/house-codes.ts';
import { providerCodes } from './codes/provider-codes.ts';

/** Every code that the generator reports, with what the documentation says about it. */
export const diagnosticCodes = { ...descriptionCodes, ...providerCodes, ...houseCodes } as const;

export type DiagnosticCode = keyof typeof diagnosticCodes;
