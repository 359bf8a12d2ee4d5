import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say } from '../../../engine/language/prose.js';

/**
 * What is held or missing, as a thing: `nvidia.com/gpu` is a name, `podAntiAffinity` is none that people use.
 */
export function resourceWords(language: Language, resource: string): Prose {
  const words = Object.hasOwn(special[language], resource) ? special[language][resource] : undefined;
  return words ?? say`${code(resource)}`;
}

const special: { readonly [Each in Language]: Readonly<Record<string, Prose>> } = {
  en: {
    pods: say`pod slots`,
    hostPort: say`a host port`,
    ReadWriteOncePod: say`a volume claim`,
    csiVolumeLimit: say`volume attachments`,
    podAntiAffinity: say`a node that its anti-affinity allows`,
    topologySpread: say`a node that its topology spread allows`,
    deviceClaim: say`a device`,
  },
  ko: {
    pods: say`파드 슬롯`,
    hostPort: say`호스트 포트`,
    ReadWriteOncePod: say`볼륨 클레임`,
    csiVolumeLimit: say`볼륨 연결`,
    podAntiAffinity: say`안티어피니티가 허용하는 노드`,
    topologySpread: say`분산 제약이 허용하는 노드`,
    deviceClaim: say`장치`,
  },
};
