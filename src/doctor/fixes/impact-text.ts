import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say, word } from '../../engine/language/prose.js';
import { counted, countedPods, duration, joined, manySeconds } from '../../engine/language/words.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import type { Impact, OfferedRemediation, Prediction } from './offered-fields.js';

const en = {
  about: ({ length }: { length: Prose }) => say`about ${length}`,
  'no-downtime': () => say`no downtime`,
  gap: ({ seconds }: { seconds: number | undefined }) =>
    seconds === undefined ? say`downtime of unknown length` : say`${about('en', seconds)} of downtime`,
  reduced: (values: { seconds: number | undefined; ready: number | undefined; of: number | undefined }) =>
    say`${values.seconds === undefined ? word('temporarily') : say`${about('en', values.seconds)} with`} ${
      values.ready === undefined || values.of === undefined
        ? word('fewer pods ready')
        : say`${countedPods(values.ready, values.of)} ready`
    }`,
  stops: ({ pods }: { pods: number }) => say`stops ${counted(pods, 'pod', 'pods')}`,
  'stops-none': () => say`stops no pod`,
  'drift-none': () => say`no drift from Git`,
  'drift-strategy': () => say`the strategy will differ from the manifest`,
  'drift-template': () => say`starts a new revision, and the pod template will differ from the manifest`,
  'drift-replicas': () => say`changes the number of replicas`,
  others: ({ objects }: { objects: readonly ObjectRef[] }) => say`also affects ${refs('en', objects)}`,
  'others-counted': ({ count }: { count: number }) => say`also affects ${count} other workloads`,
  'competitors-counted': ({ count }: { count: number }) =>
    say`${counted(count, 'waiting pod', 'waiting pods')} could take the freed resources`,
  'ends-complete': () => say`the rollout then completes`,
  /** No simulation knows whether a program starts. */
  'ends-complete-if-ready': () => say`the rollout then completes if its new pods become ready`,
  'ends-progressing': () => say`the rollout then continues`,
  'ends-contested': () => say`the rollout then completes only if no other pod takes the freed resources`,
  'ends-stuck': () => say`the rollout then gets stuck`,
  'ends-unknown': () => say`the rollout afterwards could not be simulated`,
  competitors: ({ objects }: { objects: readonly ObjectRef[] }) =>
    say`${refs('en', objects)} could take the freed resources`,
};

const ko: typeof en = {
  about: ({ length }) => say`약 ${length}`,
  'no-downtime': () => say`무중단`,
  gap: ({ seconds }) =>
    seconds === undefined ? say`서비스 중단(시간은 알 수 없음)` : say`${about('ko', seconds)} 중단`,
  reduced: ({ seconds, ready, of }) =>
    say`${seconds === undefined ? word('일시적으로') : say`${about('ko', seconds)} 동안`} ${
      ready === undefined || of === undefined
        ? word('준비된 파드가 줄어듦')
        : say`파드 ${of}개 중 ${ready}개만 Ready`
    }`,
  stops: ({ pods }) => say`파드 ${pods}개 중지`,
  'stops-none': () => say`중지되는 파드 없음`,
  'drift-none': () => say`Git과의 차이 없음`,
  'drift-strategy': () => say`배포 전략이 매니페스트와 달라짐`,
  'drift-template': () => say`새 리비전이 시작되고 파드 템플릿이 매니페스트와 달라짐`,
  'drift-replicas': () => say`복제본 수가 바뀜`,
  others: ({ objects }) => say`${refs('ko', objects)}에도 영향`,
  'others-counted': ({ count }) => say`다른 워크로드 ${count}개에도 영향`,
  'competitors-counted': ({ count }) => say`대기 중인 파드 ${count}개가 비워진 리소스를 사용할 수 있음`,
  'ends-complete': () => say`이후 롤아웃이 완료됨`,
  'ends-complete-if-ready': () => say`새 파드가 준비되면 롤아웃이 완료됨`,
  'ends-progressing': () => say`이후 롤아웃이 다시 진행됨`,
  'ends-contested': () => say`다른 파드가 비워진 리소스를 사용하지 않을 때만 롤아웃이 완료됨`,
  'ends-stuck': () => say`이후 롤아웃이 멈춤`,
  'ends-unknown': () => say`이후 롤아웃의 동작은 시뮬레이션할 수 없었음`,
  competitors: ({ objects }) => say`비워진 리소스를 사용할 수 있는 대상: ${refs('ko', objects)}`,
};

const impactText = { en, ko };

/**
 * The impact in a list of remediations, as fragments: competitors, downtime, side effects. Several objects
 * are counted.
 *
 * @param maxNamed of more competitors than these only the count is stated
 */
export function impactInShort(
  impact: Impact,
  prediction: Prediction,
  language: Language,
  maxNamed = 1,
): readonly Prose[] {
  const text = impactText[language];
  const { competitors } = prediction;
  const { others } = impact.blastRadius;
  return [
    ...(competitors.length > maxNamed
      ? [text['competitors-counted']({ count: competitors.length })]
      : competitors.map((each) => text.competitors({ objects: [each] }))),
    downtime(impact, language),
    ...(others.length > 1
      ? [text['others-counted']({ count: others.length })]
      : others.map((each) => text.others({ objects: [each] }))),
    ...(prediction.ends === 'stuck' ? [text['ends-stuck']()] : []),
    ...(prediction.ends === 'unknown' ? [text['ends-unknown']()] : []),
  ];
}

/** The impact of a change that Git declares: the cluster does not differ from the manifest. */
export function declaredImpact(impact: Impact): Impact {
  return { ...impact, drift: 'none' };
}

type WithImpact = Pick<OfferedRemediation, 'kind' | 'price' | 'prediction'>;

/** Their effects state where the update comes to rest, which need not be its end. */
const endsByEffects: ReadonlySet<string> = new Set(['abort-rollout', 'promote-rollout', 'retry-rollout']);

/** The full impact, for the person who approves. Fragments. */
export function impactInFull({ kind, price, prediction }: WithImpact, language: Language): readonly Prose[] {
  const text = impactText[language];
  const { pods, others } = price.blastRadius;
  return [
    downtime(price, language),
    pods > 0 ? text.stops({ pods }) : text['stops-none'](),
    text[`drift-${price.drift}`](),
    ...(others.length > 0 ? [text.others({ objects: others })] : []),
    ...(prediction.ends === 'complete' && endsByEffects.has(kind)
      ? []
      : [outcomeWords({ kind, price, prediction }, language)]),
    ...(prediction.competitors.length > 0 ? [text.competitors({ objects: prediction.competitors })] : []),
  ];
}

/** The impact of an undo, as fragments. Drift is left out, because an undo restores the previous values. */
export function undoImpactInFull(
  { kind, price, prediction }: WithImpact,
  language: Language,
): readonly Prose[] {
  const text = impactText[language];
  const { pods } = price.blastRadius;
  // A paused rollout has no end, and where no pod stops there is none to see.
  const hasEnd = kind !== 'resume-rollout' && (pods > 0 || prediction.ends !== 'complete');
  return [
    downtime(price, language),
    pods > 0 ? text.stops({ pods }) : text['stops-none'](),
    ...(hasEnd ? [outcomeWords({ kind, price, prediction }, language)] : []),
  ];
}

/** A rollback may need no pod but those that are ready already; every other change waits for new ones. */
function outcomeWords({ kind, prediction: { ends, placements } }: WithImpact, language: Language): Prose {
  const text = impactText[language];
  const isWaiting = kind !== 'undo-rollout' || placements.length > 0;
  return ends === 'complete' && isWaiting ? text['ends-complete-if-ready']() : text[`ends-${ends}`]();
}

/** Only the effect on users: `about 40 s of downtime`. */
export function downtime(
  { downtime: { kind, seconds, readyAtLeast, replicas } }: Impact,
  language: Language,
): Prose {
  const text = impactText[language];
  switch (kind) {
    case 'none':
      return text['no-downtime']();
    case 'gap':
      return text.gap({ seconds });
    case 'reduced':
      return text.reduced({ seconds, ready: readyAtLeast, of: replicas });
  }
}

/** An estimate; a length without an upper bound is none. */
function about(language: Language, seconds: number): Prose {
  const length = duration(language, seconds);
  return seconds >= manySeconds ? length : impactText[language].about({ length });
}

function refs(language: Language, objects: readonly ObjectRef[]): Prose {
  return joined(
    language,
    objects.map(({ namespace, name }) => code(namespace === '' ? name : `${namespace}/${name}`)),
  );
}
