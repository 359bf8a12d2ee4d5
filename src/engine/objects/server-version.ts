import * as z from 'zod';

/** `gitVersion` of an API server, as `/version` reports it. */
export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /**
   * What follows the three numbers: `-eks-3cfe0ce`, `-gke.1200`, `+k3s1`, `-rc.0`; '' for a release of
   * Kubernetes itself. A distribution may switch feature gates, so with a suffix the numbers only make a
   * default likely.
   */
  readonly suffix: string;
}

/** Characters of a version that are read. Real ones have about 30. */
const maxLength = 80;

/** `undefined` for text that is no version. */
export function parseServerVersion(text: string): ServerVersion | undefined {
  const [, major, minor, patch, suffix] =
    /^v(\d{1,4})\.(\d{1,4})\.(\d{1,4})((?:[-+][0-9A-Za-z.+-]*)?)$/.exec(text.slice(0, maxLength + 1)) ?? [];
  if (text.length > maxLength || major === undefined || suffix === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), suffix };
}

/** `v1.35.2-eks-3cfe0ce`, as the server wrote it. */
export function versionText({ major, minor, patch, suffix }: ServerVersion): string {
  return `v${major}.${minor}.${patch}${suffix}`;
}

const Answered = z.object({ gitVersion: z.string() });
const Printed = z.object({ serverVersion: Answered });

/** The version in an answer of `/version` (`kubectl get --raw /version`), or in `kubectl version -o json`. */
export function serverVersionIn(document: unknown): ServerVersion | undefined {
  const printed = Printed.safeParse(document).data?.serverVersion;
  const { gitVersion } = printed ?? Answered.safeParse(document).data ?? {};
  return gitVersion === undefined ? undefined : parseServerVersion(gitVersion);
}

/** Whether `version` is `major.minor.patch` or newer, its suffix aside. */
export function isAtLeast(version: ServerVersion, major: number, minor: number, patch = 0): boolean {
  const differences = [version.major - major, version.minor - minor, version.patch - patch];
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
}
