import { expect } from 'vitest';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { visibleApproval, visibleIncident } from '#src/doctor/incidents/visible-incident.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { fullSight, type Sight, sightOfPerson } from '#src/doctor/policy/view.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderPicture } from '#src/edges/slack/render/picture.js';
import { renderPostMortem } from '#src/edges/slack/render/post-mortem.js';
import { renderProof } from '#src/edges/slack/render/proof.js';
import { renderReview } from '#src/edges/slack/render/review.js';
import { type ClusterIndex, indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildApproval, buildChange, buildIncident, buildReview } from '../../support/slack-builders.js';
import type { Property } from '../property.js';
import { engine, snapshotOf, tell } from '../recorded.js';

const canary = 'zcanarylogline';
const elsewhere = 'zcanaryspace';

/** Everything people could be shown of an incident, as it leaves for Slack. */
function shownTo(sight: Sight, diagnosis: Diagnosis): string {
  // As it is read from the record.
  const stored = Diagnosis.parse(JSON.parse(JSON.stringify(diagnosis)));
  return (['en', 'ko'] as const)
    .flatMap((language) => {
      const { workload } = stored;
      const whole: Incident = buildIncident({
        ...{ phase: 'diagnosed', language, workload, look: 2, diagnosis: stored },
        beforeFix: { look: 1, diagnosis: stored },
        change: buildChange({ verdict: 'recovered' }),
      });
      const incident = visibleIncident(whole, sight);
      const remediations = stored.findings.flatMap((finding) => finding.remediations);
      return [
        renderCard(incident, undefined, { tell }),
        renderProof(incident, { language, tell }),
        renderPostMortem(incident, { language, tell, names: new Map() }),
        renderPicture(incident),
        ...remediations.map((remediation) => {
          const approval = visibleApproval(buildApproval({ remediation, workload }), whole, sight);
          return renderReview(buildReview({ incident, approval }), {
            language,
            tell,
            place: { channel: 'C1', threadTs: undefined },
          });
        }),
      ];
    })
    .map((message) => JSON.stringify(message))
    .join('\n');
}

function sightOf(view: object): Sight {
  const policy = Policy.parse({ grants: [], view: [{ users: ['U1'], ...view }] });
  return sightOfPerson(policy, { ids: ['U1'], kind: 'member', groups: [] });
}

/** The program did not run: the runtime wrote the message (kubernetes `pkg/kubelet/kuberuntime`). */
const startError = 'StartError';

/** What programs in containers wrote ends in the canary: every log line, and every termination message. */
function withCanaryLogs(snapshot: Snapshot): Snapshot {
  const { objects } = snapshot.index;
  const marked = (state: {
    readonly terminated?: { readonly message: string; readonly reason: string } | undefined;
  }) =>
    state.terminated === undefined || state.terminated.reason === startError
      ? state
      : { ...state, terminated: { ...state.terminated, message: `${state.terminated.message} ${canary}` } };
  const Pod = objects.Pod.map((pod) => ({
    ...pod,
    status: {
      ...pod.status,
      ...Object.fromEntries(
        (['containerStatuses', 'initContainerStatuses'] as const).map((list) => [
          list,
          pod.status[list].map((status) => ({
            ...status,
            state: marked(status.state),
            lastState: marked(status.lastState),
          })),
        ]),
      ),
    },
  })) as ClusterIndex['objects']['Pod'];
  return {
    ...snapshot,
    index: indexObjects(clusterObjects({ ...objects, Pod }), snapshot.index.podsReadOn),
    logs: snapshot.logs.map((log) => ({ ...log, lines: log.lines.map((line) => `${line} ${canary}`) })),
  };
}

/**
 * Every object of other namespaces gets a canary's name, with its owners, wherever the snapshot mentions it.
 */
function withCanaryNames(snapshot: Snapshot): Snapshot {
  const own = snapshot.workload.metadata.namespace;
  const foreign = new Set<string>();
  for (const objects of Object.values(snapshot.index.objects)) {
    for (const { metadata } of objects as readonly Named[]) {
      if (metadata.namespace !== '' && metadata.namespace !== own) foreign.add(metadata.namespace);
    }
  }
  const renamed = (name: string) => (name.startsWith('zcanary') ? name : `zcanary${name}`);
  const objects = Object.fromEntries(
    Object.entries(snapshot.index.objects).map(([kind, all]) => [
      kind,
      (all as readonly Named[]).map((object) => {
        const { metadata } = object;
        if (!foreign.has(metadata.namespace)) return object;
        return {
          ...object,
          metadata: {
            ...metadata,
            name: renamed(metadata.name),
            namespace: elsewhere,
            ownerReferences: metadata.ownerReferences.map((owner) => ({
              ...owner,
              name: owner.kind === 'Node' ? owner.name : renamed(owner.name),
            })),
          },
        };
      }),
    ]),
  ) as unknown as ClusterIndex['objects'];
  return { ...snapshot, index: indexObjects(clusterObjects(objects), snapshot.index.podsReadOn) };
}

interface Named {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly ownerReferences: readonly { readonly kind: string; readonly name: string }[];
  };
}

/** A property of what a person with less sight is shown of a recording in which `canary` marks what is hidden. */
function hidden(
  name: string,
  marked: (snapshot: Snapshot) => Snapshot,
  mark: string,
  sights: (diagnosis: Diagnosis) => { readonly less: Sight; readonly enough: Sight },
  /** Stands in place of what is hidden. */
  notice: string,
): Property {
  /** In this process: the four first show that the property can fail. */
  let shownWhole = 0;
  return {
    name,
    async check(recorded, saw) {
      const diagnosis = engine.diagnose(marked(await snapshotOf(recorded)));
      if (!JSON.stringify(diagnosis).includes(mark)) return;
      const { less, enough } = sights(diagnosis);
      const shown = shownTo(less, diagnosis);
      expect(shown).not.toContain(mark);
      saw('diagnosis');
      if (shownWhole === 4) return;
      const whole = shownTo(enough, diagnosis);
      if (!whole.includes(mark)) return;
      shownWhole += 1;
      saw('shown with the permission');
      expect(shown).toContain(notice);
      expect(whole).not.toContain(notice);
    },
    whole(seen) {
      expect(seen.get('diagnosis')).toBeGreaterThan(20);
      expect(seen.get('shown with the permission')).toBeGreaterThanOrEqual(4);
    },
  };
}

/** What a person may not see is in nothing that leaves for Slack. */
export const hiddenFromReaders: readonly Property[] = [
  hidden(
    'shows no log lines to a person who may not see them',
    withCanaryLogs,
    canary,
    () => ({
      less: sightOf({ namespaces: ['*'] }),
      enough: sightOf({ namespaces: ['*'], logs: true }),
    }),
    'Log lines are hidden here',
  ),
  hidden(
    'shows no names of other namespaces to a person who may not see them',
    withCanaryNames,
    'zcanary',
    ({ workload }) => ({
      less: sightOf({ namespaces: [workload.namespace], logs: true }),
      enough: fullSight,
    }),
    '[hidden]',
  ),
];
