import { authMode } from '#contract/config/auth-mode';
import type { AdmissionParts } from '#contract/surface/admission-parts';
import { bindRoutesLater } from '#contract/surface/surface';
import { bindJobsLater } from '#contract/surface/surface-jobs';
import type { SurfaceCommand, SurfaceModule } from '#contract/surface/surface-module';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import { identityJobs } from '../../../generated/surfaces/identity/jobs.ts';
import { identityRoutes } from '../../../generated/surfaces/identity/routes.ts';
import { createAddresses } from './addresses.ts';
import { createChallenges } from './authenticate/challenges.ts';
import { presentedToken } from './authenticate/presented.ts';
import type { IdentityNeeds } from './create-identity.ts';
import type { Rooms } from './open-rooms.ts';
import { chooseClaimAuth } from './people/claim-auth.ts';
import { signInPath } from './people/sign-in-path.ts';

/**
 * Who calls, and what they may do. Its rooms are a third of the modules of this server: where
 * nobody has to bring a token, they are opened for the first who uses one of them.
 */
export const surface: SurfaceModule<IdentityConfig, IdentityNeeds> = {
  async create(house, config) {
    let rooms: Rooms | undefined;
    let opening: Promise<Rooms> | undefined;
    const open = (): Promise<Rooms> => {
      opening ??= import('./open-rooms.ts').then(({ openRooms }) => {
        rooms = openRooms(house, config);
        return rooms;
      });
      return opening;
    };
    const claimAuth = chooseClaimAuth(config, house);
    const isRequired = authMode(config.auth, house.address.isLoopback) === 'required';
    const isShared = house.tenants.all.length > 1;
    if (isRequired || isShared || isSetUp(config)) await open();

    const authenticate: NonNullable<AdmissionParts['authenticate']> = (arrival, needs) => {
      if (rooms) return rooms.authenticate(arrival, needs);
      if (arrival.isLocal || !presentedToken(arrival)) return undefined;
      return open().then(async (opened) => {
        const caller = await opened.authenticate(arrival, needs);
        if (!caller) throw new Error('whoever shows a token is known or refused');
        return caller;
      });
    };
    const { refuse } = createChallenges(createAddresses(house.address));
    const command =
      (name: keyof Rooms['commands']): SurfaceCommand =>
      async (words, options) =>
        (await open()).commands[name](words, options);
    return {
      routes: bindRoutesLater(identityRoutes, async (tenant) => (await open()).handlersOf(tenant)),
      jobs: bindJobsLater(identityJobs, async () => (await open()).jobs),
      commands: {
        ...{ token: command('token'), agents: command('agents') },
        ...{ keys: command('keys'), tenants: command('tenants') },
      },
      people: {
        visitor: async (http) => (await open()).people.visitor(http),
        signInPath(path, tenant) {
          if (rooms) return rooms.people.signInPath(path, tenant);
          return claimAuth() === 'none' ? undefined : signInPath(path);
        },
        standing: async (asker, person) => (await open()).people.standing(asker, person),
        // Where nobody has to bring a token, the operator can decide.
        nobodyDecides: (caller) => rooms?.people.nobodyDecides(caller),
      },
      signer: {
        sign: async (tenant, payload, head) => (await open()).signer.sign(tenant, payload, head),
        keys: async (tenant) => (await open()).signer.keys(tenant),
      },
      admission: {
        authenticate,
        refuse: (refused) => (rooms?.refuse ?? refuse)(refused),
        // Whoever can be given anything has shown a token.
        grantable: (caller) => rooms?.grantable(caller) ?? nothing,
      },
    };
  },
};

const nothing: ReadonlySet<string> = new Set();

/** Whether the operator has chosen what may contradict itself, and has to be looked at right away. */
function isSetUp({ auth: _, userCodeStyle: __, ...chosen }: IdentityConfig): boolean {
  return Object.values(chosen).some((value) => typeof value === 'string');
}
