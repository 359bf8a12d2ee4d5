import type { Language } from '../language/language.js';
import type { Pod } from '../objects/pod.js';
import type { Container } from '../objects/pod-spec.js';
import type { LimitRange } from '../objects/policy.js';
import { defaultSimulationBudget, type SimulationLimit } from './simulation.js';

/**
 * The pod with the requests and limits that the namespace's LimitRanges give to containers without any, as
 * admission does before it counts quota (`plugin/pkg/admission/limitranger: mergePodResourceRequirements`).
 */
export function withLimitRangeDefaults(pod: Pod, limitRanges: readonly LimitRange[]): Pod {
  const items = limitRanges
    .filter(({ metadata }) => metadata.namespace === pod.metadata.namespace)
    .flatMap(({ spec }) => spec.limits)
    .filter(({ type }) => type === 'Container');
  if (items.length === 0) return pod;
  const limits = Object.assign({}, ...items.map((item) => item.default));
  const requests = Object.assign({}, ...items.map((item) => ({ ...item.default, ...item.defaultRequest })));
  const filled = (container: Container): Container => ({
    ...container,
    resources: {
      ...container.resources,
      limits: { ...limits, ...container.resources.limits },
      requests: { ...requests, ...container.resources.limits, ...container.resources.requests },
    },
  });
  const { containers, initContainers } = pod.spec;
  return {
    ...pod,
    spec: { ...pod.spec, containers: containers.map(filled), initContainers: initContainers.map(filled) },
  };
}

/** A limit that a simulation reached, as a statement holds it. */
export type LimitValues = {
  readonly limit: SimulationLimit;
  /** How much the limit allows, where it is a number that means something to a reader. */
  readonly most?: number | undefined;
};

export function limitValues(limit: SimulationLimit | undefined): LimitValues {
  switch (limit) {
    case 'pods':
      return { limit, most: defaultSimulationBudget.maxPods };
    case 'revisions':
      return { limit, most: defaultSimulationBudget.maxRevisions };
    case 'steps':
      return { limit, most: defaultSimulationBudget.maxSteps };
    default:
      return { limit: limit ?? 'work' };
  }
}

/** Why a simulation stopped, to follow "because". */
export function limitWords({ limit, most }: LimitValues, language: Language): string {
  return limitText[language][limit](most ?? 0);
}

type Words = Readonly<Record<SimulationLimit, (most: number) => string>>;

const en: Words = {
  pods: (most) => `it would hold more than ${most} pods`,
  revisions: (most) => `the workload has more than ${most} revisions`,
  steps: (most) => `the rollout takes more than ${most} steps`,
  work: () => 'it would take more work than one simulation may use',
  syncs: () => 'the controllers did not come to rest',
  claims: (most) => `the StatefulSet needs more than ${most} volume claims`,
  diagnosis: () => 'the work limit of this diagnosis was reached',
};

const ko: Words = {
  pods: (most) => `파드가 ${most}개를 넘어`,
  revisions: (most) => `워크로드의 리비전이 ${most}개를 넘어`,
  steps: (most) => `롤아웃이 ${most}단계를 넘어`,
  work: () => '시뮬레이션 한 번에 허용된 작업량을 넘어',
  syncs: () => '컨트롤러 동작이 끝나지 않아',
  claims: (most) => `StatefulSet에 필요한 볼륨 클레임이 ${most}개를 넘어`,
  diagnosis: () => '이 진단의 작업량 한도에 도달하여',
};

const limitText: Readonly<Record<Language, Words>> = { en, ko };
