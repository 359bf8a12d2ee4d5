import type { Language } from '../../language/language.js';
import { code, type Prose, say } from '../../language/prose.js';

/** What is held or missing, as a thing: `nvidia.com/gpu` is a name, `podAntiAffinity` is none that people use. */
export function resourceWords(language: Language, resource: string): Prose {
  return special[language][resource] ?? say`${code(resource)}`;
}

const special: { readonly [Each in Language]: Readonly<Record<string, Prose>> } = {
  en: {
    pods: say`the pod slots`,
    hostPort: say`the host port`,
    ReadWriteOncePod: say`the volume claim`,
    csiVolumeLimit: say`the volume attachments`,
    podAntiAffinity: say`the places that anti-affinity leaves`,
    topologySpread: say`the places that the spread leaves`,
    deviceClaim: say`the devices`,
  },
  ko: {
    pods: say`파드 자리`,
    hostPort: say`호스트 포트`,
    ReadWriteOncePod: say`볼륨 클레임`,
    csiVolumeLimit: say`볼륨 연결`,
    podAntiAffinity: say`안티어피니티가 허용하는 자리`,
    topologySpread: say`분산 규칙이 허용하는 자리`,
    deviceClaim: say`장치`,
  },
};
