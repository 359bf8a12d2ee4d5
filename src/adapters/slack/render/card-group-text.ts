import type { SharedRoot } from '../../../core/incident/shared-root.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, type Prose, say, sentences } from '../../../core/language/prose.js';
import { counted, names } from '../../../core/language/words.js';

export type CardGroupShapes = {
  /** On the leading card; names are `namespace/name`. */
  readonly others: {
    readonly root: SharedRoot;
    readonly sick: readonly string[];
    readonly well: readonly string[];
    readonly shown: number;
  };
  /** On the card of another one. */
  readonly same: { readonly root: SharedRoot; readonly lead: string };
};

/** What cards say of other workloads that are sick of the same node or quota. */
export const cardGroupText: Catalogue<CardGroupShapes> = {
  en: {
    others: ({ root, sick, well, shown }) =>
      sick.length === 0
        ? say`The same ${english(root)} troubles no other workload any more: ${names('en', well, shown)}.`
        : sentences(
            say`The same ${english(root)} troubles ${counted(sick.length, 'other workload', 'other workloads')}: ${names('en', sick, shown)}.`,
            well.length === 0 ? [] : say`No longer: ${names('en', well, shown)}.`,
          ),
    same: ({ root, lead }) => say`The same ${english(root)} troubles ${code(lead)}.`,
  },
  ko: {
    others: ({ root, sick, well, shown }) =>
      sick.length === 0
        ? say`같은 ${korean(root)} 때문에 문제를 겪는 다른 워크로드는 이제 없습니다: ${names('ko', well, shown)}.`
        : sentences(
            say`같은 ${korean(root)} 때문에 다른 워크로드 ${sick.length}개도 문제를 겪고 있습니다: ${names('ko', sick, shown)}.`,
            well.length === 0 ? [] : say`해소됨: ${names('ko', well, shown)}.`,
          ),
    same: ({ root, lead }) => say`같은 ${korean(root)} 때문에 ${code(lead)}에도 문제가 있습니다.`,
  },
};

function english({ kind, name }: SharedRoot): Prose {
  return kind === 'Node' ? say`node ${code(name)}` : say`quota ${code(name)}`;
}

function korean({ kind, name }: SharedRoot): Prose {
  return kind === 'Node' ? say`노드 ${code(name)}` : say`쿼터 ${code(name)}`;
}
