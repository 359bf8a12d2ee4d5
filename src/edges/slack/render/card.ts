import type { KnownBlock } from '@slack/types';
import { conclusionOf, mainFindingOf } from '../../../doctor/findings/main-finding.js';
import { needsConfirmation } from '../../../doctor/fixes/remediation.js';
import { isSameChange } from '../../../doctor/fixes/requested-change.js';
import type { Approval } from '../../../doctor/incidents/approval.js';
import { showsGroup } from '../../../doctor/incidents/group-rows.js';
import type { CardPlace, GroupMember, Incident, Origin } from '../../../doctor/incidents/incident.js';
import { alertStatusOf } from '../../../doctor/incidents/incident-alerts.js';
import { assigneeOf } from '../../../doctor/incidents/incident-transitions.js';
import { causePage, linksOf, noPages } from '../../../doctor/incidents/page-links.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { ownerName } from '../../../engine/objects/inference-service.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { LinkTo } from '../card-link.js';
import { footer, paragraph, steps, title } from './blocks.js';
import { cardActions, fixLine } from './card-actions.js';
import { cardAlertsText } from './card-alerts-text.js';
import { awaitingBlocks, changeBlocks, settledBlocks } from './card-change.js';
import { type CardContext, type CardOptions, type CardParts, workloadName } from './card-context.js';
import { diagnosisBlocks, diagnosisTitle, titledOutcome } from './card-diagnosis.js';
import { leadingFix, pullRequestBlocks, pullRequestTitle } from './card-pull-request.js';
import { cardText } from './card-text.js';
import { changeRequestText } from './change-request-text.js';
import { groupCard, listButton } from './group-card.js';
import { groupText } from './group-text.js';
import { fittedToPhone, type Message, spoken } from './message.js';
import { emphasised } from './prose.js';

/**
 * The one message of an incident: a function of its record, rendered whole at each change and edited in
 * place. Always within Slack's limits and, as far as its sentences allow, the lines of a phone: names and
 * quotes give way. What does not fit is counted, not dropped.
 *
 * @param approval the approval people are deciding on, or the last one of this diagnosis
 */
export function renderCard(
  incident: Incident,
  approval: Approval | undefined,
  { tell, linkTo, pages, hasGitSource, isPrivate }: CardOptions,
): Message {
  return fittedToPhone((size, terseness) => {
    const given = { incident, approval, tell, linkTo, pages, hasGitSource, isPrivate };
    const context: CardContext = { ...given, size, terseness };
    const isGroup = showsGroup(incident);
    const { title: says, spoken: further, blocks } = isGroup ? groupCard(context) : partsOf(context);
    if (isGroup) {
      return { text: spoken([says, ...further]), blocks: [title(says, size), ...blocks] };
    }
    return {
      text: spoken([says, ...further, groupProse(context) ?? []]),
      blocks: [
        title(says, size),
        ...distrustedBlocks(context),
        ...requestedOf(context),
        ...blocks,
        ...pullRequestBlocks(context),
        ...cardActions(context),
        ...alertBlocks(context),
        ...groupBlocks(context),
        ...cardFooter(context),
      ],
    };
  });
}

/** The requested change stands first: somebody waits for its forecast. */
function requestedOf(context: CardContext): KnownBlock[] {
  const { incident, approval } = context;
  if (incident.successor !== undefined) return [];
  switch (incident.phase) {
    case 'diagnosed':
      return requestedBlocks(context, { withReviews: true });
    case 'awaiting':
      return requestedBlocks(context, { withReviews: approval === undefined });
    default:
      return [];
  }
}

/** A forged or altered record that names this incident, whatever else the card shows. */
function distrustedBlocks({ incident, tell, size }: CardContext): KnownBlock[] {
  const { distrusted, language } = incident;
  return distrusted === undefined ? [] : [paragraph(tell(distrusted.because, language), size)];
}

function partsOf(context: CardContext): CardParts {
  const { incident } = context;
  if (incident.successor !== undefined) return succeededBlocks(context);
  switch (incident.phase) {
    case 'diagnosing':
      return diagnosing(context);
    case 'diagnosed':
      return withPullRequestTitle(context, diagnosisBlocks(context));
    case 'awaiting':
      return awaitingBlocks(context);
    case 'applying':
    case 'verifying':
      return changeBlocks(context);
    case 'settled':
      return settledBlocks(context);
    case 'failed':
      return failed(context);
  }
}

/** While a pull request is under way its state is the title, and the cause stands below. */
function withPullRequestTitle({ incident, size }: CardContext, diagnosis: CardParts): CardParts {
  const title = pullRequestTitle(incident);
  if (title === undefined) return diagnosis;
  const below = emphasised(diagnosis.title);
  return {
    title,
    spoken: [diagnosis.title, ...diagnosis.spoken],
    blocks: [paragraph(below, size), ...diagnosis.blocks],
  };
}

function diagnosing({ incident, tell, size }: CardContext): CardParts {
  const text = cardText[incident.language];
  const workload = workloadName(incident);
  const { diagnosis } = incident;
  if (diagnosis === undefined) {
    const diagnosing = text.diagnosing({ workload, cluster: incident.workload.cluster });
    return { title: say`${word('⏳')} ${diagnosing}`, spoken: [], blocks: [] };
  }
  const before = sentences(
    text['last-known']({ at: diagnosis.takenAt }),
    diagnosisTitle({ incident, tell }, diagnosis),
  );
  return {
    title: say`${word('⏳')} ${text['diagnosing-again']({ workload })}`,
    spoken: [],
    blocks: [paragraph(before, size)],
  };
}

function failed({ incident, tell, size }: CardContext): CardParts {
  const text = cardText[incident.language];
  const because = incident.failure === undefined ? [] : tell(incident.failure, incident.language);
  return {
    title: say`${word('⚪')} ${text.failed({ workload: workloadName(incident) })}`,
    spoken: [because],
    blocks: [
      ...(because.length > 0 ? [paragraph(because, size)] : []),
      paragraph(text['nothing-changed'](), size),
    ],
  };
}

/**
 * Who works on it, the cause by its id, under which the docs describe it, the object that people own above
 * the workload, why the card was made, and further links.
 */
function cardFooter({ incident, pages = noPages, size }: CardContext): KnownBlock[] {
  const text = cardText[incident.language];
  const { diagnosis, origin, phase } = incident;
  const main = diagnosis && mainFindingOf(diagnosis).main;
  const isDiagnosed = phase !== 'failed' && phase !== 'diagnosing' && diagnosis !== undefined;
  // The facts of a diagnosis name the cluster, and so does the title of the first one.
  const statesCluster = isDiagnosed || (phase === 'diagnosing' && diagnosis === undefined);
  const assignee = assigneeOf(incident);
  const parts = [
    ...(assignee === undefined ? [] : [text.assignee(assignee)]),
    ...(statesCluster ? [] : [text['on-cluster']({ cluster: incident.workload.cluster })]),
    ...(isDiagnosed && main !== undefined ? [[code(main.cause)]] : []),
    ...(diagnosis?.ownedBy === undefined ? [] : [[code(ownerName(diagnosis.ownedBy))]]),
    ...requester(origin, incident, isDiagnosed),
    ...(incident.occurrences > 1 && incident.alerts === undefined
      ? [text.occurrences({ times: incident.occurrences })]
      : []),
  ];
  const further = linksOf(incident, pages, incident.language);
  const page = main === undefined ? undefined : causePage(pages, main.cause);
  const addresses = new Map([
    ...(page === undefined || main === undefined ? [] : [[main.cause, page] as const]),
    ...further.map(({ name, url }) => [name, url] as const),
  ]);
  const all = [...parts, ...further.map(({ name }) => [code(name)])];
  return all.length === 0 ? [] : [footer(all, size, addresses)];
}

/** Who asked, or why the card exists although nobody did. */
function requester(
  { via, by, assistant, refusal }: Origin,
  { createdAt, alerts, language }: Incident,
  isDiagnosed: boolean,
): readonly Prose[] {
  const text = cardText[language];
  if (via === 'sentinel') return [refusal === undefined ? text.unasked() : text['unasked-since'](refusal)];
  if (!isDiagnosed) return [text.requested({ via, by, assistant, at: createdAt })];
  if (by !== undefined || assistant !== undefined) return [text['requested-by']({ by, assistant })];
  // What its alerts state now has a line of its own.
  return via === 'alert' && alerts === undefined ? [text['by-alert']()] : [];
}

/**
 * The change that somebody asked for: what speaks against it first, then its title and impact with a Review
 * button.
 *
 * @param withReviews false while people decide on one remediation already
 */
function requestedBlocks(context: CardContext, { withReviews }: { withReviews: boolean }): KnownBlock[] {
  const { incident, tell, size } = context;
  const { requested, diagnosis, language } = incident;
  const forecast = diagnosis?.requested;
  if (requested === undefined || forecast === undefined) return [];
  const text = changeRequestText[language];
  const heading = paragraph(text.heading(requested), size);
  const isTitled = diagnosis !== undefined && titledOutcome(incident, diagnosis) !== undefined;
  if (forecast.type === 'impossible') {
    const because = tell(forecast.because, language);
    const says = isTitled ? because : text.impossible({ change: requested.change.kind, because });
    return [heading, paragraph(says, size)];
  }
  const { remediation, verdict } = forecast;
  const warnings = [...(isTitled || verdict === undefined ? [] : [verdict]), ...forecast.warnings];
  // The recommended fix has the button of this change already.
  const { fix } = leadingFix(context);
  if (withReviews && fix !== undefined && isSameChange(fix, remediation)) {
    return [paragraph(text['heading-recommended'](requested), size)];
  }
  return [
    heading,
    ...steps(
      warnings.map((warning) => tell(warning, language)),
      size,
      (count) => cardText[language].more({ count }),
      'bullet',
    ),
    ...(withReviews ? [fixLine({ incident, tell, size }, remediation)] : []),
    ...(withReviews && needsConfirmation(remediation) ? [paragraph(text.warned(), size)] : []),
  ];
}

/** What the alerts of the incident say now, and whether the check agrees. */
function alertBlocks({ incident, size }: CardContext): KnownBlock[] {
  const says = alertProse(incident);
  return says === undefined ? [] : [paragraph(says, size)];
}

function alertProse(incident: Incident): Prose | undefined {
  const { alerts: told = [], occurrences: times, language, phase, diagnosis } = incident;
  const text = cardAlertsText[language];
  const alerts = [...new Set(told.map(({ name }) => name))];
  switch (alertStatusOf(incident)) {
    case undefined:
      return undefined;
    case 'firing': {
      const firing = told.filter(({ status }) => status === 'firing').length;
      return firing === told.length
        ? text.firing({ alerts, times })
        : text['partly-resolved']({ alerts: told.map(({ name }) => name), firing, times });
    }
    case 'resolved':
      if (phase === 'diagnosing') return text.checking({ alerts });
      if (phase === 'failed' || diagnosis === undefined) return text['not-checked']({ alerts });
      if (phase !== 'diagnosed' && phase !== 'settled') return undefined;
      switch (conclusionOf(diagnosis)) {
        case 'nothing':
          return text.closed({ alerts });
        case 'found':
          return text['still-there']({ alerts });
        case 'unchecked':
          return text['not-checked']({ alerts });
      }
  }
}

/** The card of an incident that another one has taken over. */
function succeededBlocks({ incident, size }: CardContext): CardParts {
  const text = cardAlertsText[incident.language];
  return {
    title: say`${word('⚪')} ${text.succeeded({ workload: workloadName(incident) })}`,
    spoken: [],
    blocks: [paragraph(text['succeeded-by'](), size)],
  };
}

/** Names that are shown. The others are counted. */
const maxNames = 5;

/** Which other workloads share the root, on the card of one workload. */
function groupProse({ incident, size }: Pick<CardContext, 'incident' | 'size'>): Prose | undefined {
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
function groupBlocks(context: CardContext): KnownBlock[] {
  const { incident, size, linkTo } = context;
  const says = groupProse(context);
  if (says === undefined) return [];
  const links = linkTo === undefined ? new Map() : groupLinks(incident, linkTo);
  return [paragraph(says, size, { links }), ...listButton(incident)];
}

function groupLinks({ group, channel }: Incident, linkTo: LinkTo): ReadonlyMap<string, string> {
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
