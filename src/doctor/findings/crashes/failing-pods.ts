import type { Language } from '../../../engine/language/language.js';
import { type Prose, type Span, say, word } from '../../../engine/language/prose.js';
import type { DetectedWith, Examination } from '../rule.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import type { PodCause } from './pod-failure.js';

/** How many pods of one revision fail: what most causes state about the present. */
export interface FailingPods {
  readonly failing: number;
  readonly of: number;
  /** Pods of an earlier revision are ready beside them. */
  readonly areNew: boolean;
}

export function failingPodsOf({ podFailures, siblings, isBesideEarlier }: FailureGroup): FailingPods {
  const failing = podFailures.length;
  return { failing, of: Math.max(failing, siblings.length), areNew: isBesideEarlier };
}

const en = {
  only: ({ areNew }: FailingPods) => (areNew ? say`1 new pod` : say`1 pod`),
  some: ({ failing, of, areNew }: FailingPods) =>
    areNew ? say`${failing} of ${of} new pods` : say`${failing} of ${of} pods`,
};
const ko: typeof en = {
  only: ({ areNew }) => (areNew ? say`새 파드 1개` : say`파드 1개`),
  some: ({ failing, of, areNew }) =>
    areNew ? say`새 파드 ${of}개 중 ${failing}개` : say`파드 ${of}개 중 ${failing}개`,
};
const text = { en, ko };

/**
 * "1 of 2 pods", or "1 pod" where it has no other; "new pods" beside ready ones of an earlier revision, whose
 * number the card states too.
 */
export function failingPods(language: Language, pods: FailingPods): Prose {
  return text[language][pods.of === 1 ? 'only' : 'some'](pods);
}

/** The verb behind these pods in English: `1 of 2 pods is`, `2 of 2 pods are`. */
export function verbOf({ failing }: FailingPods, one: string, many: string): Span {
  return word(failing === 1 ? one : many);
}

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
