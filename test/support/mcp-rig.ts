import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { seedInference } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, type StackOptions, startStack } from '../../demo/stack.js';

export const tokens = {
  oncall: 'o'.repeat(40),
  shop: 's'.repeat(40),
  group: 'g'.repeat(40),
  nobody: 'n'.repeat(40),
};
export type Caller = keyof typeof tokens;

/** The signing secret of the app. */
export const slackSecret = 'signing-secret-of-the-app';

const alerts = `
assistants:
  - { name: oncall, token: { env: ONCALL_TOKEN }, user: U0ROBIN, channel: C0MLONCALL }
  - { name: shop, token: { env: SHOP_TOKEN }, user: U0SAM, channel: C0MLONCALL }
  - { name: group, token: { env: GROUP_TOKEN }, group: ml-oncall, channel: C0MLONCALL }
  - { name: nobody, token: { env: NOBODY_TOKEN }, user: U0NOBODY }
slackbot: { secret: { env: SLACKBOT_SECRET }, channel: C0MLONCALL }
`;
const policy = `
grants:
  - { users: [U0ROBIN], namespaces: ["*"], actions: "*" }
view:
  - { users: [U0ROBIN], namespaces: ["*"], logs: true }
  - { users: [U0SAM], namespaces: [shop] }
  - { groups: [ml-oncall], namespaces: [ml] }
channels:
  - { channels: [C0MLONCALL], namespaces: ["*"], logs: true }
`;

export interface McpRig {
  readonly stack: Stack;
  readonly url: URL;
  withClient<Result>(caller: Caller, use: (client: Client) => Promise<Result>): Promise<Result>;
  call(caller: Caller, name: string, given?: Record<string, unknown>): Promise<Called>;
  send(headers: Record<string, string>, body: string, method?: string): Promise<Response>;
}

export type Called = Awaited<ReturnType<Client['callTool']>>;

/** App, worker and a cluster with one deadlocked workload, and assistants that may call the tools. */
export async function startMcpRig({
  seed = seedInference,
  ...options
}: Pick<StackOptions, 'seed' | 'startPart'> = {}): Promise<McpRig> {
  let port = 0;
  const stack = await startStack({
    ...options,
    seed,
    alerts,
    policy,
    env: {
      ONCALL_TOKEN: tokens.oncall,
      SHOP_TOKEN: tokens.shop,
      GROUP_TOKEN: tokens.group,
      NOBODY_TOKEN: tokens.nobody,
      SLACKBOT_SECRET: slackSecret,
      ALERTS_PORT: '0',
    },
    onLog(_, line) {
      if (line.includes('alerts are received')) port = JSON.parse(line).port;
    },
  });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);

  const withClient = <Result>(caller: Caller, use: (client: Client) => Promise<Result>) =>
    withAssistant(url, tokens[caller], use);

  return {
    stack,
    url,
    withClient,
    call: (caller, name, given = {}) =>
      withClient(caller, (client) => client.callTool({ name, arguments: given })),
    send: (headers, body, method = 'POST') =>
      fetch(url, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        ...(method === 'POST' && { body }),
      }),
  };
}

/** Connects an assistant to the tools at the address, for as long as it uses them. */
export async function withAssistant<Result>(
  url: URL,
  token: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

export function textOf({ content }: Called): string {
  return content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
}
