/** What the words of a refused mount mean, whatever driver writes them. */
export interface MountWords {
  /** An object of the API that the driver looks for and that does not exist. */
  readonly object: MissingCustomObject | undefined;
  /** The node has a mount of a server that no longer knows it. */
  readonly isStale: boolean;
  /** The node has the device mounted or in use already. */
  readonly isInUse: boolean;
  /** The part of the driver that serves this volume and does not run beside it. */
  readonly provider: string | undefined;
}

export type MissingCustomObject = { readonly kind: string; readonly group: string; readonly name: string };

/** `KIND.GROUP "NAME" not found` of the API server (`apimachinery pkg/api/errors: NewNotFound`). */
const notFound =
  /\b([A-Za-z][A-Za-z0-9]{1,62})\.((?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}[a-z0-9]{2,63}) "([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)" not found\b/;

/** ESTALE and ENOTCONN: of a share whose server restarted, and of a program that mounted in its place. */
const stale = /\bstale (?:nfs )?file handle\b|\btransport endpoint is not connected\b/i;

/** EBUSY, and what file system checks and `mount` state of a device that is mounted. */
const inUse =
  /\b(?:is|already) mounted\b|\bmount ?point (?:is )?busy\b|\b(?:target|device|resource) (?:is )?busy\b/i;

const absentProvider = /\bprovider "([\w.-]{1,60})":? .{0,24}\bnot found\b/i;

export function mountWordsIn(message: string): MountWords {
  const [, kind, group, name] = notFound.exec(message) ?? [];
  const object =
    kind === undefined || group === undefined || name === undefined ? undefined : { kind, group, name };
  return {
    object,
    isStale: stale.test(message),
    isInUse: inUse.test(message),
    provider: absentProvider.exec(message)?.[1],
  };
}
