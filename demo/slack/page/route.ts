/** What the address bar names. */
export interface Route {
  readonly channel: string | undefined;
  readonly ts: string | undefined;
  readonly threadTs: string | undefined;
  readonly as: string | undefined;
}

/** Reads `/archives/<channel>/p<ts without dot>?thread_ts=…&as=…`. */
export function currentRoute({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Route {
  const [, channel, packed] = /^\/archives\/(\w+)(?:\/p(\d{7,}))?$/.exec(pathname) ?? [];
  const query = new URLSearchParams(search);
  return {
    channel,
    ts: packed === undefined ? undefined : `${packed.slice(0, -6)}.${packed.slice(-6)}`,
    threadTs: query.get('thread_ts') ?? undefined,
    as: query.get('as') ?? undefined,
  };
}
