import type { SandboxOptions, ScriptSandbox } from '#contract/house/sandbox';

/** Open a sandbox; its code is loaded only where there is one. */
export async function openSandbox(options: SandboxOptions): Promise<ScriptSandbox> {
  const { Sandbox } = await import('./sandbox.ts');
  return new Sandbox(options);
}
