import type { Policy } from './core/authorization/policy.js';
import { type KeepFileOptions, type KeptFile, keepFile } from './keep-file.js';
import { loadPolicy } from './load-policy.js';

export type KeptPolicy = KeptFile<Policy>;

export interface KeepPolicyOptions extends Pick<KeepFileOptions<Policy>, 'clock' | 'loaded' | 'log'> {
  /** Of POLICY_FILE; without one the policy never changes. */
  readonly path: string | undefined;
}

/** The policy that counts now. */
export function keepPolicy({ path, ...rest }: KeepPolicyOptions): KeptPolicy {
  return keepFile({
    ...rest,
    load: path === undefined ? undefined : () => loadPolicy(path),
    messages: {
      fault: 'the policy file has a fault; the last good policy counts',
      readable: 'the policy file is readable again',
      changed: 'the policy has changed',
    },
    fieldsOf: ({ grants }) => ({ grants: grants.length }),
  });
}
