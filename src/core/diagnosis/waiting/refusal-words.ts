import type { Language } from '../../language/language.js';
import { code, type Prose, say, word } from '../../language/prose.js';
import { joined, names } from '../../language/words.js';
import type { Refusal } from './refusal.js';

/** What speaks against one node, with the amounts, as the rest of a sentence "n-a: …". */
export function refusalsInFull(language: Language, refusals: readonly Refusal[]): Prose {
  return joined(
    language,
    refusals.map((each) => inFull[language](each)),
    6,
  );
}

/** The same for several nodes at once, without amounts. */
export function refusalsInShort(language: Language, refusals: readonly Refusal[]): Prose {
  return joined(
    language,
    refusals.map((each) => inShort[language](each)),
    6,
  );
}

/** `key=value:Effect` as kubectl writes it. */
function taintText({ key, value, effect }: { key: string; value: string; effect: string }): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

/** `key=value`, `key in (a, b)`, `!key`, as kubectl writes selectors. */
export function requirementText({
  key,
  operator,
  values,
}: {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}): string {
  const list = values.join(', ');
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${list}` : `${key} in (${list})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${list}` : `${key} notin (${list})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return `${key}>${list}`;
    case 'Lt':
      return `${key}<${list}`;
    default:
      return `${key} ${operator} ${list}`;
  }
}

const inFull: { readonly [Each in Language]: (refusal: Refusal) => Prose } = {
  en: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return refusal.found === undefined
          ? say`it lacks ${code(requirementText(refusal))}`
          : say`${code(requirementText(refusal))} is asked, it has ${code(`${refusal.key}=${refusal.found}`)}`;
      case 'resource':
        return refusal.tooSmall
          ? say`it has ${code(refusal.allocatable)} of ${code(refusal.resource)} in all, ${code(refusal.requested)} is asked`
          : say`${code(refusal.short)} of ${code(refusal.resource)} short (${code(refusal.free)} of ${code(refusal.allocatable)} free, ${code(refusal.requested)} asked)`;
      case 'spread':
        return say`it has ${refusal.matching} matching ${word(refusal.matching === 1 ? 'pod' : 'pods')} in its ${code(refusal.topologyKey)}, ${names('en', refusal.minimumDomains, 3)} has ${refusal.minimum}, and maxSkew is ${refusal.maxSkew}`;
      default:
        return inShort.en(refusal);
    }
  },
  ko: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return refusal.found === undefined
          ? say`${code(requirementText(refusal))} 없음`
          : say`${code(requirementText(refusal))} 필요, 실제 ${code(`${refusal.key}=${refusal.found}`)}`;
      case 'resource':
        return refusal.tooSmall
          ? say`${code(refusal.resource)} 전체 ${code(refusal.allocatable)}, 요청 ${code(refusal.requested)}`
          : say`${code(refusal.resource)} ${code(refusal.short)} 부족(${code(refusal.allocatable)} 중 ${code(refusal.free)} 남음, 요청 ${code(refusal.requested)})`;
      case 'spread':
        return say`${code(refusal.topologyKey)} 안의 해당 파드 ${refusal.matching}개, ${names('ko', refusal.minimumDomains, 3)}에는 ${refusal.minimum}개, maxSkew ${refusal.maxSkew}`;
      default:
        return inShort.ko(refusal);
    }
  },
};

const inShort: { readonly [Each in Language]: (refusal: Refusal) => Prose } = {
  en: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return say`no ${code(requirementText(refusal))}`;
      case 'affinity':
        return say`no term of the node affinity can match`;
      case 'name':
        return say`the pod names the node ${code(refusal.wanted)}`;
      case 'cordoned':
        return say`cordoned`;
      case 'taint':
        return say`the taint ${code(taintText(refusal))}, which the pod does not tolerate`;
      case 'resource':
        return refusal.tooSmall
          ? say`less ${code(refusal.resource)} in all than is asked`
          : say`too little free ${code(refusal.resource)}`;
      case 'port':
        return say`host port ${code(`${refusal.port}/${refusal.protocol}`)} is taken`;
      case 'wanted-pods':
        return say`none of the pods it must be beside in its ${code(refusal.topologyKey)}`;
      case 'avoided-pods':
        return say`a pod that its anti-affinity excludes in the same ${code(refusal.topologyKey)}`;
      case 'avoiding-pods':
        return say`a pod whose anti-affinity excludes it in the same ${code(refusal.topologyKey)}`;
      case 'spread':
        return say`the spread over ${code(refusal.topologyKey)} would exceed maxSkew`;
      case 'spread-label':
        return say`no label ${code(refusal.topologyKey)}, by which the pods are spread`;
      case 'volume':
        return say`the volume ${code(refusal.volume)} of ${code(refusal.claim)} cannot be used there`;
      case 'claim-in-use':
        return say`${code(refusal.claim)} (ReadWriteOncePod) is in use`;
      case 'disk-in-use':
        return say`the disk ${code(refusal.volume)} is in use there`;
      case 'volumes':
        return say`the limit of ${refusal.limit} volumes of ${code(refusal.driver)}`;
      case 'device':
        return say`no free device for ${code(refusal.claim)}`;
      case 'other':
        return say`${code(refusal.text)}`;
    }
  },
  ko: (refusal) => {
    switch (refusal.what) {
      case 'label':
        return say`${code(requirementText(refusal))} 없음`;
      case 'affinity':
        return say`노드 어피니티의 어떤 항목도 맞을 수 없음`;
      case 'name':
        return say`파드가 노드 ${code(refusal.wanted)}만 지정함`;
      case 'cordoned':
        return say`cordon됨`;
      case 'taint':
        return say`파드가 허용하지 않는 taint ${code(taintText(refusal))}`;
      case 'resource':
        return refusal.tooSmall
          ? say`${code(refusal.resource)} 전체 용량이 요청보다 작음`
          : say`남은 ${code(refusal.resource)} 부족`;
      case 'port':
        return say`호스트 포트 ${code(`${refusal.port}/${refusal.protocol}`)} 사용 중`;
      case 'wanted-pods':
        return say`같은 ${code(refusal.topologyKey)} 안에 함께 있어야 할 파드 없음`;
      case 'avoided-pods':
        return say`같은 ${code(refusal.topologyKey)} 안에 안티어피니티로 피해야 할 파드가 있음`;
      case 'avoiding-pods':
        return say`같은 ${code(refusal.topologyKey)} 안에 이 파드를 피하는 파드가 있음`;
      case 'spread':
        return say`${code(refusal.topologyKey)} 분산이 maxSkew를 넘음`;
      case 'spread-label':
        return say`분산 기준 레이블 ${code(refusal.topologyKey)} 없음`;
      case 'volume':
        return say`${code(refusal.claim)}의 볼륨 ${code(refusal.volume)} 사용 불가`;
      case 'claim-in-use':
        return say`${code(refusal.claim)}(ReadWriteOncePod) 사용 중`;
      case 'disk-in-use':
        return say`디스크 ${code(refusal.volume)} 사용 중`;
      case 'volumes':
        return say`${code(refusal.driver)} 볼륨 한도 ${refusal.limit}개`;
      case 'device':
        return say`${code(refusal.claim)}에 쓸 빈 장치 없음`;
      case 'other':
        return say`${code(refusal.text)}`;
    }
  },
};
