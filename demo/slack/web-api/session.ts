import { z } from 'zod';
import { type Method, method } from './method.js';

const authTest = method({
  name: 'auth.test',
  args: z.looseObject({}),
  run: (_args, desk) => ({
    url: `${desk.origin()}/`,
    team: 'Local Slack',
    team_id: desk.workspace.teamId,
    user: desk.app.name,
    user_id: desk.app.botUserId,
    bot_id: desk.app.botId,
    app_id: desk.app.appId,
    is_enterprise_install: false,
  }),
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

export const sessionMethods: readonly Method[] = [authTest, apiTest, connectionsOpen];
