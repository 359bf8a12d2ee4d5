import { z } from 'zod';
import type { Desk } from '../desk.js';
import { wirePerson } from '../workspace/wire.js';
import { ApiError, count, flag, type Method, method, page } from './method.js';

function shownOf({ include_locale }: { readonly include_locale: boolean }, { app }: Desk) {
  const includeEmail = app.manifest.oauth_config.scopes.bot.includes('users:read.email');
  return { includeLocale: include_locale, includeEmail };
}

const usersInfo = method({
  name: 'users.info',
  scopes: ['users:read'],
  args: z.looseObject({ user: z.string(), include_locale: flag.default(false) }),
  run(args, desk) {
    const person = desk.workspace.people.get(args.user);
    if (person === undefined) throw new ApiError('user_not_found');
    return { user: wirePerson(desk.workspace, person, shownOf(args, desk)) };
  },
});

const usersList = method({
  name: 'users.list',
  scopes: ['users:read'],
  args: z.looseObject({
    include_locale: flag.default(false),
    limit: count.default(100),
    cursor: z.string().optional(),
  }),
  run(args, desk) {
    const { items, response_metadata } = page([...desk.workspace.people.values()], args.limit, args.cursor);
    return {
      members: items.map((person) => wirePerson(desk.workspace, person, shownOf(args, desk))),
      cache_ts: Math.floor(desk.now() / 1000),
      response_metadata,
    };
  },
});

const groupsList = method({
  name: 'usergroups.list',
  scopes: ['usergroups:read'],
  args: z.looseObject({
    include_users: flag.default(false),
    include_count: flag.default(false),
    team_id: z.string().optional(),
  }),
  run(args, desk) {
    const { organization, userGroups } = desk.workspace;
    // An installation of an organization names the workspace; of one workspace the argument is ignored.
    if (organization !== undefined && args.team_id === undefined) throw new ApiError('missing_argument');
    if (organization?.workspaces.includes(args.team_id ?? '') === false) throw new ApiError('team_not_found');
    const groups = [...userGroups.values()].filter(
      ({ workspace }) => organization === undefined || workspace === args.team_id,
    );
    return {
      usergroups: groups.map((group) => ({
        id: group.id,
        team_id: group.workspace,
        is_usergroup: true,
        handle: group.handle,
        name: group.name,
        description: '',
        date_delete: 0,
        ...(args.include_users ? { users: group.members } : {}),
        ...(args.include_count ? { user_count: group.members.length } : {}),
      })),
    };
  },
});

const groupsUsersList = method({
  name: 'usergroups.users.list',
  scopes: ['usergroups:read'],
  args: z.looseObject({ usergroup: z.string() }),
  run(args, desk) {
    const group = desk.workspace.userGroups.get(args.usergroup);
    if (group === undefined) throw new ApiError('no_such_subteam');
    return { users: group.members };
  },
});

export const peopleMethods: readonly Method[] = [usersInfo, usersList, groupsList, groupsUsersList];
