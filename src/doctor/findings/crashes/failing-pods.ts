import type { Language } from '../../../engine/language/language.js';
import { type Prose, say } from '../../../engine/language/prose.js';
import type { FailureGroup } from './failure-group.js';

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

/** "1 of 2 pods"; "new pods" beside ready ones of an earlier revision, whose number the card states too. */
export function failingPods(language: Language, { failing, of, areNew }: FailingPods): Prose {
  if (language === 'ko')
    return areNew ? say`새 파드 ${of}개 중 ${failing}개` : say`파드 ${of}개 중 ${failing}개`;
  return areNew ? say`${failing} of ${of} new pods` : say`${failing} of ${of} pods`;
}
