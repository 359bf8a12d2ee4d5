import { describe, expect, it } from 'vitest';
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
import { createEngine, createTell } from '#src/service/create-engine.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';
import { buildApproval, buildChange, buildIncident, buildReview } from '../../support/slack-builders.js';

const engine = createEngine();
const tell = createTell();
const canary = 'zcanarylogline';
const elsewhere = 'zcanaryspace';
const recorded = await Promise.all(
  scenarios().map(async (scenario) => [scenario.expect.id, await snapshotOf(scenario)] as const),
);

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

/** The first four that show this text to somebody who may see all of it. */
function shownFirst(
  diagnoses: readonly (readonly [string, Diagnosis])[],
  sight: Sight,
  text: string,
): readonly Diagnosis[] {
  const shown: Diagnosis[] = [];
  for (const [, diagnosis] of diagnoses) {
    if (shown.length < 4 && shownTo(sight, diagnosis).includes(text)) shown.push(diagnosis);
  }
  expect(shown).toHaveLength(4);
  return shown;
}

describe("log lines outside a reader's permissions", () => {
  const noLogs = sightOf({ namespaces: ['*'] });
  const withLogs = sightOf({ namespaces: ['*'], logs: true });
  const diagnoses = recorded
    .map(([id, snapshot]) => [id, engine.diagnose(withCanaryLogs(snapshot))] as const)
    .filter(([, diagnosis]) => JSON.stringify(diagnosis).includes(canary));

  it.each(diagnoses)('are hidden in everything that is shown of %s', (_, diagnosis) => {
    expect(shownTo(noLogs, diagnosis)).not.toContain(canary);
  });

  it('are shown to readers with the permission, so that the tests above can fail', () => {
    const [first] = shownFirst(diagnoses, withLogs, canary);
    expect(first && shownTo(noLogs, first)).toContain('Log lines are hidden here');
    expect(first && shownTo(withLogs, first)).not.toContain('Log lines are hidden here');
  });
});

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

describe("names from namespaces outside a reader's permissions", () => {
  const diagnoses = recorded
    .map(([id, snapshot]) => [id, engine.diagnose(withCanaryNames(snapshot))] as const)
    .filter(([, diagnosis]) => JSON.stringify(diagnosis).includes('zcanary'));
  const ownOnly = ({ workload }: Diagnosis) => sightOf({ namespaces: [workload.namespace], logs: true });

  it.each(diagnoses)('are hidden in everything that is shown of %s', (_, diagnosis) => {
    expect(shownTo(ownOnly(diagnosis), diagnosis)).not.toContain('zcanary');
  });

  it('are shown to readers with the permission, so that the test above can fail', () => {
    const [first] = shownFirst(diagnoses, fullSight, 'zcanary');
    expect(first && shownTo(ownOnly(first), first)).toContain('[hidden]');
  });
});
