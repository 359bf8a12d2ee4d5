import type { Detected, Examination, Rule } from '../rule.js';
import type { PodCause } from './ailment.js';
import { type Sickness, sicknessesOf } from './sickness.js';

/**
 * The two halves of a rule that looks at one failure at a time: the worst failure of the cause, and those of other
 * containers. Of each container only the worst failure makes a finding; its finding names the pods of other revisions.
 * Two containers that fail for the same reason, such as one missing Secret, are one finding.
 */
export function detectEach(
  cause: PodCause,
  findingOf: (examination: Examination, sickness: Sickness) => Detected | undefined,
): Pick<Rule, 'detect' | 'detectFurther' | 'shows'> {
  const all = (examination: Examination): readonly Detected[] => {
    const containers = new Set<string>();
    const summaries = new Set<string>();
    return sicknessesOf(examination.snapshot).flatMap((sickness) => {
      if (sickness.cause !== cause || containers.has(sickness.container)) return [];
      containers.add(sickness.container);
      const finding = findingOf(examination, sickness);
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
