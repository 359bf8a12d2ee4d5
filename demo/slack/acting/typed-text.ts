import type { Workspace } from '../workspace/workspace.js';

/** `&`, `<` and `>` as Slack keeps them. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * `@dana`, `@ml-oncall` and `#incidents` as typed by people, in Slack's own spelling; ready mentions stay.
 */
export function withMentions(workspace: Workspace, text: string, labelled = false): string {
  return text.replace(
    /(^|[\s(])([@#])([a-z0-9][\w-]*)/gi,
    (whole, before: string, sign: string, name: string) => {
      const label = labelled ? `|${name}` : '';
      if (sign === '#') {
        const channel = [...workspace.channels.values()].find(
          (each) => each.name === name && each.kind !== 'im',
        );
        return channel === undefined ? whole : `${before}<#${channel.id}|${channel.name}>`;
      }
      const person = [...workspace.people.values()].find((each) => each.name === name);
      if (person !== undefined) return `${before}<@${person.id}${label}>`;
      const group = [...workspace.userGroups.values()].find((each) => each.handle === name);
      if (group !== undefined) return `${before}<!subteam^${group.id}${label}>`;
      return whole;
    },
  );
}
