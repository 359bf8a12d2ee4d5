import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say } from '../../../engine/language/prose.js';

/** What the new pod waits for, as the object of "needs". The form of `amount` depends on the resource. */
export function needWords(language: Language, resource: string, amount: string): Prose {
  const words = ownWords(special[language], resource);
  if (words !== undefined) return words(amount);
  return language === 'en'
    ? say`${code(amount)} ${code(resource)}`
    : say`${code(resource)} ${code(amount)}${counterOf(resource, amount)}`;
}

/** The same as a thing that a pod uses: `nvidia.com/gpu`, "host port 8080/TCP". */
export function thingWords(language: Language, resource: string, amount: string): Prose {
  const words = ownWords(things[language], resource) ?? ownWords(special[language], resource);
  return words === undefined ? say`${code(resource)}` : words(amount);
}

/** Devices are counted; amounts of memory and CPU have units. */
function counterOf(resource: string, amount: string): Prose {
  return resource.includes('/') && /^\d+$/.test(amount) ? say`개` : [];
}

type Words = Readonly<Record<string, (amount: string) => Prose>>;

/** A resource may have the name of something that all objects have. */
function ownWords(words: Words, resource: string): Words[string] | undefined {
  return Object.hasOwn(words, resource) ? words[resource] : undefined;
}

const special: { readonly [Each in Language]: Words } = {
  en: {
    pods: () => say`one more pod slot on a node`,
    hostPort: (amount) => say`host port ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`exclusive use of the volume claim ${code(amount)} (ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`one more volume attachment of ${code(amount)}`,
    podAntiAffinity: (amount) => say`a ${code(amount)} without the pods that its anti-affinity excludes`,
    topologySpread: (amount) => say`a node that satisfies the topology spread over ${code(amount)}`,
    deviceClaim: (amount) => say`a free device of class ${code(amount)}`,
  },
  ko: {
    pods: () => say`노드의 파드 슬롯 1개`,
    hostPort: (amount) => say`호스트 포트 ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`볼륨 클레임 ${code(amount)} 단독 사용(ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`${code(amount)} 볼륨 연결 1개`,
    podAntiAffinity: (amount) => say`안티어피니티에 걸리는 파드가 없는 ${code(amount)} 도메인`,
    topologySpread: (amount) => say`${code(amount)} 분산 제약에 맞는 노드`,
    deviceClaim: (amount) => say`${code(amount)} 클래스의 빈 장치`,
  },
};

/** Where the thing in use has other words than the need. */
const things: typeof special = {
  en: {
    pods: () => say`the last pod slot`,
    ReadWriteOncePod: (amount) => say`the volume claim ${code(amount)} (ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`the last volume attachment of ${code(amount)}`,
    podAntiAffinity: (amount) => say`the ${code(amount)} that its anti-affinity allows`,
    topologySpread: (amount) => say`the place that the topology spread over ${code(amount)} allows`,
    deviceClaim: (amount) => say`the device of class ${code(amount)}`,
  },
  ko: {
    pods: () => say`마지막 파드 슬롯`,
    ReadWriteOncePod: (amount) => say`볼륨 클레임 ${code(amount)}(ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`${code(amount)} 볼륨의 마지막 연결`,
    podAntiAffinity: (amount) => say`안티어피니티가 허용하는 ${code(amount)} 도메인`,
    topologySpread: (amount) => say`${code(amount)} 분산 제약이 허용하는 자리`,
    deviceClaim: (amount) => say`${code(amount)} 클래스의 장치`,
  },
};
