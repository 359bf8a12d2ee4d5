import type { KnownBlock } from '@slack/types';
import type { CardPlace, GroupMember, Incident } from '../../../doctor/incidents/incident.js';
import type { Prose } from '../../../engine/language/prose.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { LinkTo } from '../card-link.js';
import { paragraph } from './blocks.js';
import type { CardContext } from './card-context.js';
import { listButton } from './group-card.js';
import { groupText } from './group-text.js';

/** Names that are shown. The others are counted. */
const maxNames = 5;

/** Which other workloads share the root, on the card of one workload. */
export function groupProse({ incident, size }: Pick<CardContext, 'incident' | 'size'>): Prose | undefined {
  const { group, language, workload } = incident;
  const text = groupText[language];
  if (group?.role === 'follows') {
    // The one that leads may be an earlier incident of the same workload.
    return isSame(group.workload, workload)
      ? undefined
      : text.same({ root: group.root, lead: nameOf(group.workload) });
  }
  if (group?.role !== 'leads') return undefined;
  const others = group.members.filter((member) => !isSame(member.workload, workload));
  if (others.length === 0) return undefined;
  const affected = namesOf(others, 'sick');
  const recovered = namesOf(others, 'well').filter((name) => !affected.includes(name));
  return text.others({ root: group.root, affected, recovered, shown: Math.min(maxNames, size.items) });
}

/** The same as a paragraph. Each name links to its card. */
export function groupBlocks(context: CardContext): KnownBlock[] {
  const { incident, size, linkTo } = context;
  const says = groupProse(context);
  if (says === undefined) return [];
  const links = linkTo === undefined ? new Map() : linksOf(incident, linkTo);
  return [paragraph(says, size, { links }), ...listButton(incident)];
}

function linksOf({ group, channel }: Incident, linkTo: LinkTo): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const add = (workload: WorkloadRef, card: CardPlace | undefined): void => {
    const url = card === undefined ? undefined : linkTo({ channel, ts: card.ts }, card.threadTs);
    if (url !== undefined) links.set(nameOf(workload), url);
  };
  if (group?.role === 'follows') add(group.workload, group.card);
  if (group?.role === 'leads') for (const { workload, card } of group.members) add(workload, card);
  return links;
}

function namesOf(members: readonly GroupMember[], state: GroupMember['state']): readonly string[] {
  return [
    ...new Set(members.filter((member) => member.state === state).map(({ workload }) => nameOf(workload))),
  ];
}

function nameOf({ namespace, name }: WorkloadRef): string {
  return `${namespace}/${name}`;
}

function isSame(left: WorkloadRef, right: WorkloadRef): boolean {
  return left.kind === right.kind && nameOf(left) === nameOf(right);
}
