import { basename } from 'node:path';
import type { CauseId } from '../../../src/core/diagnosis/cause-id.js';
import { type Scenario, scenarios } from '../../scenario/expectation.js';
import { causesWanted } from '../../scenario/judge.js';

/** Causes about pods that have a place and do not run there, or not for long. */
const crashFamily: ReadonlySet<string> = new Set<CauseId>([
  'application-crash',
  'bad-command',
  'config-missing',
  'crash-loop-after-rollout',
  'crash-loop-on-node',
  'evicted',
  'image-pull-failure',
  'init-container-stuck',
  'kubelet-rejected',
  'liveness-probe-kill',
  'mount-failure',
  'node-not-ready',
  'node-out-of-memory',
  'out-of-memory',
  'preempted',
  'process-exits-zero',
  'readiness-failing',
  'sandbox-failure',
  'startup-probe-kill',
  'termination-grace-exceeded',
]);

/** Every recorded crash, and the healthy controls that resemble one. */
export const crashRecordings: readonly Scenario[] = scenarios().filter(({ folder, expect }) => {
  const wanted = causesWanted(expect) ?? [];
  return basename(folder).startsWith('healthy-') || wanted.some((cause) => crashFamily.has(cause));
});
