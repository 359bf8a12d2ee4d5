import { thingWords } from '../../diagnosis/causes/surge-deadlock/need-words.js';
import type { Party, Wait } from '../../diagnosis/wait-cycle.js';
import type { SameSentences } from '../../language/catalogue.js';
import { code, type Prose, say, word } from '../../language/prose.js';
import { counted } from '../../language/words.js';

type Thing<Kind extends Wait['for']> = Extract<Wait, { readonly for: Kind }>;

/** Words in an image: captions of its boxes, and labels of its arrows. */
const en = {
  'new-pod': () => say`New pod`,
  'old-pod': () => say`Old pod`,
  'unmade-pod': () => say`New pod, not created`,
  others: ({ more }: Pick<Party, 'more'>) => say`and ${counted(more, 'more', 'more')}`,
  workload: ({ workload }: { readonly workload: string }) => say`of ${code(workload)}`,
  resource: ({ resource, amount }: Thing<'resource'>): Prose =>
    amount === '' ? say`${code(resource)}` : thingWords('en', resource, amount),
  place: () => say`room on the node`,
  quota: ({ quota }: Thing<'quota'>) => say`of quota ${code(quota)}`,
  group: ({ missing }: Thing<'group'>) => say`${counted(missing, 'more pod', 'more pods')} of its group`,
  volume: () => say`Volume`,
  lease: () => say`Lease`,
  lock: () => say`Lock`,
  'on-node': ({ node }: { readonly node: string }) => say`on ${code(node)}`,
  needs: () => say`${word('needs')}`,
  held: () => say`${word('held by')}`,
  kept: () => say`kept until ready`,
};

const ko: SameSentences<typeof en> = {
  'new-pod': () => say`새 파드`,
  'old-pod': () => say`이전 파드`,
  'unmade-pod': () => say`새 파드(미생성)`,
  others: ({ more }) => say`외 ${more}개`,
  workload: ({ workload }) => say`${code(workload)} 소속`,
  resource: ({ resource, amount }) =>
    amount === '' ? say`${code(resource)}` : thingWords('ko', resource, amount),
  place: () => say`노드의 자리`,
  quota: ({ quota }) => say`쿼터 ${code(quota)}`,
  group: ({ missing }) => say`그룹의 파드 ${missing}개 더`,
  volume: () => say`볼륨`,
  lease: () => say`리스`,
  lock: () => say`락`,
  'on-node': ({ node }) => say`${code(node)} 노드`,
  needs: () => say`필요`,
  held: () => say`점유`,
  kept: () => say`준비될 때까지 유지`,
};

export const drawingText = { en, ko };
