import type { BoundedServer } from '../edges/http/http-server.js';
import type { McpCaller } from '../edges/mcp/mcp-route.js';
import { createSlackCallers } from '../edges/mcp/slack-caller.js';
import type { ToolAnswers } from '../edges/mcp/tool-server.js';
import { isOwnInstallation, type SlackIdentityLookup } from '../edges/slack/slack-identity.js';
import { createSlackSignature, mayBeSigned } from '../edges/slack/slack-server.js';
import { startWebhookServer } from '../edges/webhooks/webhook-server.js';
import type { ReceiveAlert } from '../service/alerts/receive-alert.js';
import { languageOfChannel } from '../settings/config.js';
import type { Container } from './container.js';

/** What comes in beside Slack, where any of it is configured: alert webhooks, and calls of assistants. */
export async function startWebhooks(
  {
    alerts,
    clock,
    config,
    digest,
    log,
    metrics,
    seenBefore,
  }: Pick<Container, 'alerts' | 'clock' | 'config' | 'digest' | 'log' | 'metrics' | 'seenBefore'>,
  receive: ReceiveAlert,
  identity: SlackIdentityLookup,
  answersFor: (caller: McpCaller) => ToolAnswers,
): Promise<BoundedServer | undefined> {
  const { settings, secrets, tokens, slackbotSecret } = config.alerts;
  const { webhooks, assistants } = settings;
  const hasTools = assistants.length > 0 || slackbotSecret !== undefined;
  if (webhooks.length === 0 && !hasTools) return undefined;
  /** Loaded only where an assistant may call, since the protocol is a large package. */
  const toolRoute = async () => {
    const { createMcpRoute, mcpPath } = await import('../edges/mcp/mcp-route.js');
    const route = createMcpRoute({
      assistants,
      tokens,
      answersFor,
      log,
      ...(slackbotSecret !== undefined && {
        slackbot: {
          channel: settings.slackbot?.channel,
          mayBeSigned,
          callerOf: createSlackCallers({
            isSigned: createSlackSignature(slackbotSecret),
            seenBefore,
            isOwn: async (claimed) => isOwnInstallation(await identity.identity(), claimed),
          }),
        },
      }),
    });
    return { path: mcpPath, route };
  };
  const server = await startWebhookServer({
    clock,
    digest,
    log,
    metrics,
    receive,
    port: config.alertsPort,
    settings,
    secrets,
    language: config.channelLanguage,
    languageOfChannel: (channel) => languageOfChannel(config, channel),
    isFull: () => alerts.isFull(),
    ...(hasTools && { furtherRoute: await toolRoute() }),
  });
  const names = {
    webhooks: webhooks.map(({ name }) => name),
    assistants: assistants.map(({ name }) => name),
  };
  log.info({ port: server.port, ...names }, 'alerts are received');
  return server;
}
