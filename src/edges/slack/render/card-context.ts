import type { KnownBlock } from '@slack/types';
import type { Remediation } from '../../../doctor/fixes/remediation.js';
import type { Approval } from '../../../doctor/incidents/approval.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Pages } from '../../../doctor/incidents/page-links.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { Owner } from '../../../engine/owners/field-drift.js';
import type { LinkTo } from '../card-link.js';
import { cardText } from './card-text.js';
import type { Size, Terseness } from './message.js';

export interface CardOptions {
  readonly tell: Tell;
  /** Addresses of other cards; without it their names have to do. */
  readonly linkTo?: LinkTo | undefined;
  /** Pages about an incident; none when absent. */
  readonly pages?: Pages | undefined;
  /** Shown to one person only, who may share it. */
  readonly isPrivate?: boolean | undefined;
  /** Whether the settings or one of its owners may name the repository that declares the workload. */
  readonly hasGitSource?: ((workload: WorkloadRef, owners: readonly Owner[]) => boolean) | undefined;
}

/** What the renderings of one card share. */
export interface CardContext {
  readonly incident: Incident;
  readonly approval: Approval | undefined;
  readonly tell: Tell;
  readonly linkTo?: LinkTo | undefined;
  readonly pages?: Pages | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly hasGitSource?: CardOptions['hasGitSource'];
  readonly size: Size;
  readonly terseness?: Terseness | undefined;
}

/** The parts of a card: its title, and what follows. */
export interface CardParts {
  /** A symbol, and the state in words. */
  readonly title: Prose;
  /** Further sentences for those who only hear the notification. */
  readonly spoken: readonly Prose[];
  readonly blocks: readonly KnownBlock[];
}

/** `namespace/name`, as people write it. */
export function workloadName({ workload }: Pick<Incident, 'workload'>): string {
  return `${workload.namespace}/${workload.name}`;
}

/** What a change is called: the remediation's title, or that it is undone. */
export function titleOf(
  { remediation, undoes }: { remediation: Remediation; undoes: boolean },
  language: Language,
  tell: Tell,
): Prose {
  const title = tell(remediation.title, language);
  return undoes ? cardText[language]['undo-of']({ title }) : title;
}
