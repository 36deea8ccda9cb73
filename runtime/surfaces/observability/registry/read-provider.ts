import { Ajv2020 } from 'ajv/dist/2020.js';
import { observabilityTools } from '../../../../generated/surfaces/observability/tools.ts';
import type { NewProvider } from '../../../../generated/surfaces/observability/types.ts';
import { validationFailed } from '../errors.ts';

/**
 * Read what somebody has typed at the terminal, by the schema of the tool that does the same.
 *
 * @throws ServiceError `validation_failed`
 */
export function readProvider(text: string): NewProvider {
  const value = parsed(text);
  const tool = observabilityTools.find(({ name }) => name === 'observability_register_provider');
  const validate = new Ajv2020({ strict: false }).compile<NewProvider>(tool?.input ?? false);
  if (validate(value)) return value;
  throw validationFailed(
    (validate.errors ?? []).map(({ instancePath, message = 'is wrong' }) => ({
      field: instancePath.slice(1).replaceAll('/', '.') || 'JSON',
      reason: message,
    })),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationFailed([{ field: 'JSON', reason: 'is none' }]);
  }
}
