import { readFile } from 'node:fs/promises';
import { ConfigError } from '#contract/config/config';
import type { AlertCatalog } from './alert-rule.ts';
import { RuleFileError, readRules } from './rule-file.ts';

const shipped = 'alerts/default-alert-rules.yaml';
const longestFile = 1024 * 1024;

/** Gives the rules. */
export type ReadCatalog = () => Promise<AlertCatalog>;

/**
 * Read the rules that come with the server, or those of the operator.
 *
 * @throws ConfigError where those of the operator cannot be used
 */
export async function openCatalog(ownPath: string | undefined): Promise<ReadCatalog> {
  if (ownPath === undefined) return shippedCatalog();
  let catalog: AlertCatalog;
  try {
    catalog = readRules(await textOf(ownPath), ownPath);
  } catch (error) {
    throw new ConfigError([
      {
        variable: 'SERVICE_OBSERVABILITY_ALERT_RULES',
        expected: 'a file of rules as Prometheus takes them',
        received: `one that cannot be used (${said(error)})`,
      },
    ]);
  }
  return async () => catalog;
}

function shippedCatalog(): ReadCatalog {
  let read: Promise<AlertCatalog> | undefined;
  return () => {
    const file = new URL(`../../../../${shipped}`, import.meta.url);
    read ??= readFile(file, 'utf8').then((text) => readRules(text, shipped));
    return read;
  };
}

async function textOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  if (text.length > longestFile) {
    throw new RuleFileError(path, '', `is larger than ${longestFile} characters`);
  }
  return text;
}

function said(error: unknown): string {
  if (error instanceof RuleFileError) return error.message;
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
