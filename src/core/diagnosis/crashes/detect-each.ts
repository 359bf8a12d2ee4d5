import type { Detected, Examination, Rule } from '../rule.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import type { PodCause } from './pod-failure.js';

/**
 * The detection functions of a rule about one failure group: the worst group of the cause, and those of other
 * containers. Each container gets one finding, for its worst group, which also names the pods of other revisions. Two
 * containers that fail for the same reason, such as one missing Secret, get one finding.
 */
export function detectEach(
  cause: PodCause,
  findingOf: (examination: Examination, failureGroup: FailureGroup) => Detected | undefined,
): Pick<Rule, 'detect' | 'detectFurther' | 'shows'> {
  const all = (examination: Examination): readonly Detected[] => {
    const containers = new Set<string>();
    const summaries = new Set<string>();
    return groupFailures(examination.snapshot).flatMap((failureGroup) => {
      if (failureGroup.cause !== cause || containers.has(failureGroup.container)) return [];
      containers.add(failureGroup.container);
      const finding = findingOf(examination, failureGroup);
      const summary = JSON.stringify(finding?.summary);
      if (finding === undefined || summaries.has(summary)) return [];
      summaries.add(summary);
      return [finding];
    });
  };
  return {
    shows: 'pods-by-node',
    detect: (examination) => all(examination)[0],
    detectFurther: (examination) => all(examination).slice(1),
  };
}
