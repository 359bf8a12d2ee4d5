import type { SharedRoot } from '../../../core/incident/shared-root.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, type Prose, say, sentences } from '../../../core/language/prose.js';
import { counted, names } from '../../../core/language/words.js';

export type CardGroupShapes = {
  /** On the leading card; names are `namespace/name`. */
  readonly others: {
    readonly root: SharedRoot;
    readonly affected: readonly string[];
    readonly recovered: readonly string[];
    readonly shown: number;
  };
  /** On the card of another one. */
  readonly same: { readonly root: SharedRoot; readonly lead: string };
};

/** Other workloads that are affected by the same node or quota. */
export const cardGroupText: Catalogue<CardGroupShapes> = {
  en: {
    others: ({ root, affected, recovered, shown }) =>
      affected.length === 0
        ? say`The same ${english(root)} no longer affects other workloads: ${names('en', recovered, shown)}.`
        : sentences(
            say`The same ${english(root)} also affects ${counted(affected.length, 'other workload', 'other workloads')}: ${names('en', affected, shown)}.`,
            recovered.length === 0 ? [] : say`No longer affected: ${names('en', recovered, shown)}.`,
          ),
    same: ({ root, lead }) => say`The same ${english(root)} also affects ${code(lead)}.`,
  },
  ko: {
    others: ({ root, affected, recovered, shown }) =>
      affected.length === 0
        ? say`같은 ${korean(root)}의 영향을 받던 다른 워크로드는 모두 해소되었습니다: ${names('ko', recovered, shown)}.`
        : sentences(
            say`같은 ${korean(root)} 문제가 다른 워크로드 ${affected.length}개에도 영향을 줍니다: ${names('ko', affected, shown)}.`,
            recovered.length === 0 ? [] : say`해소됨: ${names('ko', recovered, shown)}.`,
          ),
    same: ({ root, lead }) => say`같은 ${korean(root)} 문제가 ${code(lead)}에도 영향을 줍니다.`,
  },
};

function english({ kind, name }: SharedRoot): Prose {
  return kind === 'Node' ? say`node ${code(name)}` : say`quota ${code(name)}`;
}

function korean({ kind, name }: SharedRoot): Prose {
  return kind === 'Node' ? say`노드 ${code(name)}` : say`쿼터 ${code(name)}`;
}
