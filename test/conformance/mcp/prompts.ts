import type { Prompt, PromptArgument, PromptMessage } from '#contract/prompt';
import type { ContentBlock } from '#contract/tool';
import { answersTo, fieldOf, form } from './answers.ts';
import { png } from './samples.ts';

type Get = Prompt['get'];

function promptOf(name: string, args: readonly PromptArgument[], get: Get): Prompt {
  const description = `The prompt ${name}`;
  return { definition: { name, description, access: ['mcp.tools'], arguments: args }, get };
}

/** A prompt without arguments that says the same every time. */
export function fixedPrompt(name: string, text: string): Prompt {
  return promptOf(name, [], async () => ({ messages: [user({ type: 'text', text })] }));
}

const user = (content: ContentBlock): PromptMessage => ({ role: 'user', content });

const required = (name: string): PromptArgument => ({
  name,
  description: `The argument ${name}`,
  required: true,
});

const withArguments: Prompt = {
  ...promptOf(
    'test_prompt_with_arguments',
    [required('arg1'), required('arg2')],
    async ({ arg1, arg2 }) => {
      const text = `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
      return { messages: [user({ type: 'text', text })] };
    },
  ),
  complete: async (_argument, value) =>
    ['test', 'testing', 'other'].filter((word) => word.startsWith(value)),
};

const withResource = promptOf(
  'test_prompt_with_embedded_resource',
  [required('resourceUri')],
  async ({ resourceUri = '' }) => {
    const text = 'Embedded resource content for testing.';
    return {
      messages: [
        user({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text } }),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    };
  },
);

const withImage = promptOf('test_prompt_with_image', [], async () => ({
  messages: [
    user({ type: 'image', data: png, mimeType: 'image/png' }),
    user({ type: 'text', text: 'Please analyze the image above.' }),
  ],
}));

const asking = promptOf('test_input_required_result_prompt', [], async (_args, context) => {
  const question = form('What context should the prompt use?', 'context');
  const { user_context } = answersTo({ user_context: question }, context);
  const text = `Use this context: ${fieldOf(user_context, 'context')}`;
  return { messages: [user({ type: 'text', text })] };
});

export const prompts: readonly Prompt[] = [
  fixedPrompt('test_simple_prompt', 'This is a simple prompt for testing.'),
  withArguments,
  withResource,
  withImage,
  asking,
];
