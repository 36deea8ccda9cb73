import type { CallContext } from '#contract/caller';
import type { PersonCredential } from '#contract/connect/person-credentials';
import { ToolError } from '#contract/errors';
import type { Tool, ToolDefinition, ToolResult } from '#contract/tool';
import type { Credential } from '../credentials/credential.ts';
import { isOptional, maySpend } from '../optional-credential.ts';
import { askToConnect, type Connecting } from './ask-to-connect.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface PersonalParts extends Connecting {
  /** The call with the operator's credential, or without one. */
  readonly shared: Tool['call'];
  /** What the operator has set. */
  readonly sharedState: () => Credential['state'];
  /** The call with the credential of a person. */
  readonly own: (credential: PersonCredential) => Promise<Tool['call']>;
}

/**
 * A tool that acts with the account of the person for whom it is called, where they have connected
 * one; else with the operator's credential, and where there is none, asks them to connect theirs.
 */
export function personalTool(definition: ToolDefinition, parts: PersonalParts): Tool {
  const { credentials, provider, shared, sharedState, own } = parts;
  const { readOnlyHint } = definition.annotations;
  const mayUse = ({ caller }: CallContext) => !isOptional(provider) || maySpend(caller, provider);
  // What anybody may read, one may read without an account.
  const needsOwn = () => sharedState() === 'missing' || (sharedState() === 'none' && !readOnlyHint);

  /** The credential to use; nothing where it is the operator's. */
  async function choose(context: CallContext): Promise<PersonCredential | undefined> {
    const found = await credentials.find(context.caller, provider.id);
    // Another account must not take the place of one that was refused: it is somebody else's.
    if (found === 'broken') return asked(context, 'refused');
    if (found || !needsOwn()) return found;
    return askToConnect(parts, context, 'absent');
  }

  async function asked(context: CallContext, why: 'refused' | 'absent'): Promise<PersonCredential> {
    const connected = await askToConnect(parts, context, why);
    if (connected) return connected;
    const message = `${provider.title} does not take the account any more that was connected; start the server to connect it again`;
    throw new ToolError('connection_required', message, { provider: provider.id });
  }

  async function withShared(args: Arguments, context: CallContext): Promise<ToolResult> {
    try {
      return await shared(args, context);
    } catch (error) {
      if (!isUnauthorized(error) || sharedState() === 'set') throw error;
      const connected = await askToConnect(parts, context, 'absent');
      if (!connected) throw error;
      return withOwn(connected, args, context);
    }
  }

  async function withOwn(
    credential: PersonCredential,
    args: Arguments,
    context: CallContext,
  ): Promise<ToolResult> {
    try {
      return await (await own(credential))(args, context);
    } catch (error) {
      if (!isUnauthorized(error)) throw ofPerson(error, context);
      // The vendor has done nothing: with another token, the same may be asked once more.
      const found = await credentials.renew(context.caller, provider.id, credential);
      if (!found) throw ofPerson(error, context);
      const renewed = found === 'broken' ? await asked(context, 'refused') : found;
      try {
        return await (await own(renewed))(args, context);
      } catch (again) {
        throw ofPerson(again, context);
      }
    }
  }

  /** The same error, where it is about the account of the person with the page where they change it. */
  function ofPerson(error: unknown, { caller }: CallContext): unknown {
    if (!(error instanceof ToolError)) return error;
    if (error.code !== 'unauthorized' && error.code !== 'forbidden') return error;
    const connectUrl = credentials.place(caller, provider.id)?.url;
    return new ToolError(error.code, error.message, { ...error.detail, connectUrl }, error);
  }

  return {
    definition,
    async ask(_, context) {
      if (mayUse(context)) await choose(context);
    },
    async call(args, context) {
      if (!mayUse(context)) return shared(args, context);
      const credential = await choose(context);
      return credential ? withOwn(credential, args, context) : withShared(args, context);
    },
  };
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'unauthorized';
}
