import type { KnownBlock } from '@slack/types';
import type { WorkloadRef } from '../../../core/cluster/workload.js';
import type { Approval } from '../../../core/incident/approval.js';
import type { Incident } from '../../../core/incident/incident.js';
import type { Pages } from '../../../core/incident/page-links.js';
import type { Tell } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import type { Remediation } from '../../../core/remediation/remediation.js';
import type { Owner } from '../../../core/survival/field-survival.js';
import type { LinkTo } from '../card-link.js';
import { cardText } from './card-text.js';
import type { Size } from './message.js';

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
  { remediation, undoes }: { readonly remediation: Remediation; readonly undoes: boolean },
  language: Language,
  tell: Tell,
): Prose {
  const title = tell(remediation.title, language);
  return undoes ? cardText[language]['undo-of']({ title }) : title;
}
