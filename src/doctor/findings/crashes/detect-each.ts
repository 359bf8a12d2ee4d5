import type { DetectedWith, Examination } from '../rule.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import type { PodCause } from './pod-failure.js';

/**
 * The detection functions of a rule about one failure group: the worst group of the cause, and those of other
 * containers. Each container gets one finding, for its worst group, which also names the pods of other
 * revisions. Two containers that fail for the same reason, such as one missing Secret, get one finding.
 */
export function detectEach<Facts>(
  cause: PodCause,
  findingOf: (examination: Examination, failureGroup: FailureGroup) => DetectedWith<Facts> | undefined,
) {
  const all = (examination: Examination): readonly DetectedWith<Facts>[] => {
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
    shows: 'pods-by-node' as const,
    detect: (examination: Examination) => all(examination)[0],
    detectFurther: (examination: Examination) => all(examination).slice(1),
  };
}
