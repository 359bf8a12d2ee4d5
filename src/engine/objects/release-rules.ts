import * as z from 'zod';

/**
 * How an assigned pod counts while a container of it is resized
 * (`component-helpers resource/helpers.go: AggregateContainerRequests`).
 *
 * - `largest-of-each-container`: up to 1.36, each container counts with the most of what it wants, was
 *   allocated and runs with, and the pod with their sum.
 * - `largest-sum`: since 1.37, the pod counts with the largest of these three sums. An amount that moves from
 *   one container to another counts once.
 */
export type ResizeRule = 'largest-of-each-container' | 'largest-sum';

/**
 * What releases of Kubernetes do differently, as far as an answer depends on it. Each difference was seen on
 * the releases before and after it (docs/control-plane-tests.md). What an object or an answer of the API
 * server shows is not here: a field that older servers drop, a kind that they do not serve.
 */
interface ReleaseRules {
  readonly resizedPods: ResizeRule;
  /**
   * Whether a refusal states what DynamicResources did with claims (`no new claims to deallocate`), or which
   * node preemption frees (`found a potential placement …`). `undefined`: the version was not read.
   */
  readonly refusalStates: 'deallocation' | 'preempted-node' | undefined;
  /**
   * The gate MaxUnavailableStatefulSet by default: on in 1.35.0 to 1.35.3 and from 1.37
   * (`pkg/features/kube_features.go` of each). `undefined` before 1.24, when there was none.
   */
  readonly maxUnavailableGate: 'on' | 'off' | undefined;
  /**
   * Whether a CSIDriver may keep pods off nodes that it does not serve, and a DeviceTaintRule may taint
   * devices. Where one of them was not read, a node that fits is not known to fit.
   */
  readonly driversAndRulesRefuse: boolean;
  /** With that gate on, in parallel: whether unavailable pods of the old revision are deleted first. */
  readonly deletesUnavailableFirst: boolean;
}

/** Without a version: the rules that cost most to be wrong about, and no words that a release may lack. */
export function releaseRules(version: ServerVersion | undefined): ReleaseRules {
  const since = (minor: number, patch = 0): boolean =>
    version !== undefined && isAtLeast(version, 1, minor, patch);
  const isGateOn = since(37) || (since(35) && !since(35, 4));
  return {
    resizedPods: since(37) ? 'largest-sum' : 'largest-of-each-container',
    refusalStates: version === undefined ? undefined : since(37) ? 'preempted-node' : 'deallocation',
    maxUnavailableGate: since(24) ? (isGateOn ? 'on' : 'off') : undefined,
    driversAndRulesRefuse: version === undefined || since(37),
    deletesUnavailableFirst: since(37),
  };
}

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
