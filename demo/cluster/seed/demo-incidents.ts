import type { Language } from '#src/engine/language/language.js';
import type { LocalCluster } from '../local-cluster.js';
import { apiOnABadNode } from './api-on-a-bad-node.js';
import { type IncidentSeed, seedIncidents } from './incident-seed.js';
import { inferenceGpu } from './inference-gpu.js';
import { queryService } from './query-service.js';
import { checkoutAfterARollout, workerWithoutAnImage } from './shop-incidents.js';
import { transcoderInGit } from './transcoder-in-git.js';

type InLanguages = Readonly<Record<Language, string>>;

export interface DemoIncident extends IncidentSeed {
  readonly title: InLanguages;
  /** What one sees of it, in a sentence of the welcome message. */
  readonly summary: InLanguages;
}

/** What `npm run demo` shows, in the order to try it. */
export const demoIncidents: readonly DemoIncident[] = [
  {
    ...inferenceGpu,
    title: { en: 'GPU deadlock', ko: 'GPU 교착 상태' },
    summary: {
      en: 'The new pod waits for the GPU that the old pod holds.',
      ko: '새 파드가 이전 파드가 쓰는 GPU를 기다립니다.',
    },
  },
  {
    ...apiOnABadNode,
    title: { en: 'One bad node', ko: '문제가 있는 노드 하나' },
    summary: {
      en: 'Pods crash on one node and run on the others.',
      ko: '한 노드에서만 파드에 크래시가 발생합니다.',
    },
  },
  {
    ...checkoutAfterARollout,
    title: { en: 'Bad release', ko: '잘못된 릴리스' },
    summary: {
      en: 'The new version crashes while the previous one runs.',
      ko: '이전 버전은 실행 중이지만 새 버전은 크래시가 반복됩니다.',
    },
  },
  {
    ...workerWithoutAnImage,
    title: { en: 'Image typo', ko: '이미지 태그 오타' },
    summary: { en: 'The image tag does not exist.', ko: '이미지 태그가 존재하지 않습니다.' },
  },
  {
    ...transcoderInGit,
    title: { en: 'Owned by Git', ko: 'Git에서 관리' },
    summary: {
      en: 'Flux applies this workload from Git. The fix is a pull request.',
      ko: 'Flux가 Git에서 적용하는 워크로드입니다. 풀 리퀘스트로 고칩니다.',
    },
  },
];

/** @param nameSeed another one gives the pods other names and uids */
export async function seedDemo(cluster: LocalCluster, nameSeed?: number): Promise<void> {
  await seedIncidents(cluster, [...demoIncidents, queryService], nameSeed);
}

/** What to type for an incident. */
export function commandFor({ workload }: IncidentSeed): string {
  return `/rollout-doctor ${workload}`;
}
