import { parseSwitch } from '#contract/config/switch';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Located } from '../texts/report.ts';
import { type ConfigModel, type ConfigSwitch, defaultText } from './config-model.ts';

/** Check what the JSON Schema of `config.yaml` cannot say, in all files together. */
export function checkConfigs(
  configs: readonly { readonly model: ConfigModel; readonly file: Located }[],
): Diagnostic[] {
  const earlier: ConfigSwitch[] = [];
  return configs.flatMap(({ model, file }) =>
    model.sections
      .flatMap(({ switches }) => switches)
      .flatMap((choice) => {
        const problems = [...twice(choice, earlier), ...badDefault(choice)];
        earlier.push(choice);
        return problems.map(({ code, pointer, message }) =>
          diagnose(code, { ...file.locate(pointer), pointer }, message),
        );
      }),
  );
}

interface Problem {
  readonly code: 'CONF001' | 'CONF002';
  readonly pointer: string;
  readonly message: string;
}

function twice(choice: ConfigSwitch, earlier: readonly ConfigSwitch[]): Problem[] {
  const { env } = choice.entry;
  const same = earlier.find(
    ({ property, entry }) => property === choice.property || entry.env === env,
  );
  if (!same) return [];
  const message =
    same.entry.env === env
      ? `${env} is already listed`
      : `${env} and ${same.entry.env} both become the property "${choice.property}"`;
  return [{ code: 'CONF001', pointer: `${choice.pointer}/name`, message }];
}

/** The reader of the configuration decides, so that a default is what an operator could write. */
function badDefault({ entry, pointer }: ConfigSwitch): Problem[] {
  const text = defaultText(entry);
  if (entry.type === 'secret' || text === undefined || text === '') return [];
  const parsed = parseSwitch(entry, text);
  if ('value' in parsed) return [];
  const message = `the default of ${entry.env} is ${JSON.stringify(text)}, but ${parsed.expected} is expected`;
  return [{ code: 'CONF002', pointer: `${pointer}/default`, message }];
}
