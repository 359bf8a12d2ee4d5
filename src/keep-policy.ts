import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { describeProblems } from './config.js';
import type { CurrentPolicy, Policy } from './core/authorization/policy.js';
import { loadPolicy } from './load-policy.js';

/** The kubelet brings a changed ConfigMap to a pod within about a minute. */
const everyMs = 10_000;

export interface KeptPolicy {
  readonly current: CurrentPolicy;
  /** Whether the file holds a policy now; the last good one counts while it does not. */
  isReadable(): boolean;
  close(): void;
}

/**
 * Reads POLICY_FILE again and again, so that a changed policy counts without a restart. A file that is missing or wrong
 * changes nothing: the last good policy counts, and the log names each fault once.
 *
 * @param path of the file; without one the policy never changes
 * @param loaded the policy that was read at the start
 */
export function keepPolicy(path: string | undefined, loaded: Policy, log: Logger): KeptPolicy {
  let policy = loaded;
  let fault: string | undefined;
  const read = (): void => {
    const found = loadPolicy(path);
    if ('problems' in found) {
      const problems = describeProblems(found.problems, 'en');
      if (problems !== fault)
        log.error({ problems }, 'the policy file has a fault; the last good policy counts');
      fault = problems;
      return;
    }
    if (fault !== undefined) log.info('the policy file is readable again');
    fault = undefined;
    if (isDeepStrictEqual(found, policy)) return;
    policy = found;
    log.info({ grants: found.grants.length }, 'the policy has changed');
  };
  const timer = path === undefined ? undefined : setInterval(read, everyMs).unref();
  return {
    current: () => policy,
    isReadable: () => fault === undefined,
    close: () => clearInterval(timer),
  };
}
