import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { describeProblems } from './config.js';
import type { CurrentPolicy, Policy } from './core/authorization/policy.js';
import { loadPolicy } from './load-policy.js';
import type { Clock } from './usecases/records/process-ports.js';

/** The kubelet brings a changed ConfigMap to a pod within about a minute. */
const everyMs = 5_000;

export interface KeptPolicy {
  readonly current: CurrentPolicy;
  /** When the policy that counts was read. */
  readAt(): Date;
  /** Since when the file holds no policy; the last good one counts. Undefined while the file holds one. */
  faultSince(): Date | undefined;
  /** Calls back with each changed policy, once it counts. */
  onChange(listener: (policy: Policy) => void): void;
  close(): void;
}

export interface KeepPolicyOptions {
  /** Of the file; without one the policy never changes. */
  readonly path: string | undefined;
  /** The policy that was read at the start. */
  readonly loaded: Policy;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Reads POLICY_FILE again and again, so that a changed policy counts without a restart. A file that is missing or wrong
 * changes nothing: the last good policy counts, and the log names each fault once.
 *
 * What a reading finds counts when the next reading finds the same. The beginning of a file that is being written can be
 * a policy too: all grants, and not yet the demands that follow them.
 */
export function keepPolicy({ path, loaded, clock, log }: KeepPolicyOptions): KeptPolicy {
  let policy = loaded;
  let readAt = clock.now();
  let previous: ReturnType<typeof loadPolicy> = loaded;
  let fault: { readonly problems: string; readonly since: Date } | undefined;
  const listeners: ((policy: Policy) => void)[] = [];
  const read = (): void => {
    const found = loadPolicy(path);
    const isSteady = isDeepStrictEqual(found, previous);
    previous = found;
    if (!isSteady) return;
    if ('problems' in found) {
      const problems = describeProblems(found.problems, 'en');
      if (problems !== fault?.problems)
        log.error({ problems }, 'the policy file has a fault; the last good policy counts');
      fault = { problems, since: fault?.since ?? clock.now() };
      return;
    }
    if (fault !== undefined) log.info('the policy file is readable again');
    fault = undefined;
    if (isDeepStrictEqual(found, policy)) return;
    policy = found;
    readAt = clock.now();
    log.info({ grants: found.grants.length }, 'the policy has changed');
    for (const listener of listeners) listener(found);
  };
  const timer = path === undefined ? undefined : setInterval(read, everyMs).unref();
  return {
    current: () => policy,
    readAt: () => readAt,
    faultSince: () => fault?.since,
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}
