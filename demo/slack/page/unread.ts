import { useEffect, useRef, useState } from 'react';
import type { Slack } from './slack-store.js';

/** Messages that came while the reader looked elsewhere, by channel. */
export function useUnread(slack: Slack, selected: string): ReadonlyMap<string, number> {
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(new Map());
  const me = useRef(slack.me);
  const newest = (channel: string) =>
    slack.all.reduce(
      (latest, message) => (message.channel === channel ? Math.max(latest, Number(message.ts)) : latest),
      0,
    );
  const newestHere = newest(selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when something new is seen or somebody else is played
  useEffect(() => {
    if (me.current !== slack.me || seen.size === 0) {
      me.current = slack.me;
      setSeen(
        new Map([...slack.channels.map(({ id }) => [id, newest(id)] as const), [selected, newestHere]]),
      );
    } else {
      setSeen((former) => new Map(former).set(selected, newestHere));
    }
  }, [slack.me, selected, newestHere]);
  const counts = new Map<string, number>();
  for (const { channel, ts, user, threadTs } of slack.all) {
    const isNew = channel !== selected && user !== slack.me && threadTs === undefined;
    if (isNew && Number(ts) > (seen.get(channel) ?? 0)) counts.set(channel, (counts.get(channel) ?? 0) + 1);
  }
  return counts;
}
