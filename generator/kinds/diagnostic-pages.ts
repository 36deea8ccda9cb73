import type { Kind } from './kind/kind.ts';

/** What the generator says of all kinds, explained. */
export const diagnosticPages: Kind<never> = {
  name: 'diagnostics',
  where: [],
  plan: () => ({ diagnostics: [] }),
  async docs() {
    const { emitErrorPages } = await import('../emit/docs/docs-errors.ts');
    return emitErrorPages();
  },
};
