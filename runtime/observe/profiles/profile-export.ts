import type { Logger } from 'pino';
import type { Fate } from '../otlp/batches.ts';
import type { ProfileSettings } from './profile-settings.ts';
import type { Profiles } from './profiles.ts';

/** Sends profiles of the server's own work. The inspector is loaded when the server starts, not before. */
export class ProfileExport {
  readonly #settings: ProfileSettings;
  readonly #fate: Fate;
  readonly #log: Pick<Logger, 'warn'>;
  #profiles: Profiles | undefined;

  constructor(settings: ProfileSettings, fate: Fate, log: Pick<Logger, 'warn'>) {
    this.#settings = settings;
    this.#fate = fate;
    this.#log = log;
  }

  async start(): Promise<void> {
    const { Profiles } = await import('./profiles.ts');
    const profiles = new Profiles(this.#settings, this.#fate);
    try {
      await profiles.open();
      this.#profiles = profiles;
    } catch (err) {
      // A Node.js without the inspector serves as well.
      this.#log.warn({ err }, 'this server cannot be profiled');
    }
  }

  async stop(): Promise<void> {
    const profiles = this.#profiles;
    this.#profiles = undefined;
    await profiles?.close();
  }
}
