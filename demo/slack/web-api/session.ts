import { z } from 'zod';
import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import { count, type Method, method, page } from './method.js';

const authTest = method({
  name: 'auth.test',
  args: z.looseObject({}),
  run: (_args, desk) => ({
    url: `${desk.origin()}/`,
    ...installedIn(desk),
    user: desk.app.name,
    user_id: desk.app.botUserId,
    bot_id: desk.app.botId,
    app_id: desk.app.appId,
  }),
});

/**
 * An installation of an organization is of no workspace (docs.slack.dev/enterprise/organization-ready-apps).
 */
function installedIn({ workspace: { organization, teamId } }: Desk): Json {
  if (organization === undefined)
    return { team: 'Local Slack', team_id: teamId, is_enterprise_install: false };
  const { id, name } = organization;
  return { team: name, team_id: id, enterprise_id: id, is_enterprise_install: true };
}

const teamsList = method({
  name: 'auth.teams.list',
  args: z.looseObject({ limit: count.default(100), cursor: z.string().optional() }),
  run({ limit, cursor }, { workspace: { organization, teamId } }) {
    const { items, response_metadata } = page(organization?.workspaces ?? [teamId], limit, cursor);
    return { teams: items.map((id) => ({ id, name: id })), response_metadata };
  },
});

const apiTest = method({
  name: 'api.test',
  args: z.looseObject({}),
  run: (args) => ({ args }),
});

const connectionsOpen = method({
  name: 'apps.connections.open',
  token: 'app',
  args: z.looseObject({}),
  run: (_args, desk) => ({ url: `${desk.origin().replace(/^http/, 'ws')}${desk.openSocket()}` }),
});

export const sessionMethods: readonly Method[] = [authTest, teamsList, apiTest, connectionsOpen];
