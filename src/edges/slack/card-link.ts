import type { MessageRef } from '../../doctor/incidents/delivery.js';

/** Address of a message in the workspace; undefined while the workspace's own address is not known. */
export type LinkTo = (message: MessageRef, threadTs: string | undefined) => string | undefined;

/**
 * Makes the addresses that `chat.getPermalink` would give, without a call for each.
 *
 * @param workspaceUrl `https://name.slack.com/` as `auth.test` tells it
 */
export function linkToMessages(workspaceUrl: () => string | undefined): LinkTo {
  return ({ channel, ts }, threadTs) => {
    const base = originOf(workspaceUrl());
    if (base === undefined || !isId(channel) || !isTs(ts)) return undefined;
    const address = `${base}/archives/${channel}/p${ts.replace('.', '')}`;
    if (threadTs === undefined || threadTs === ts || !isTs(threadTs)) return address;
    return `${address}?thread_ts=${threadTs}&cid=${channel}`;
  };
}

function originOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

function isId(text: string): boolean {
  return /^[A-Z0-9]{2,30}$/.test(text);
}

function isTs(text: string): boolean {
  return /^\d{1,12}\.\d{6}$/.test(text);
}
