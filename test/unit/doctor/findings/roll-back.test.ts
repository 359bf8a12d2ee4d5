import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import type { Origin } from '#src/doctor/findings/cause-id.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import { withRollBack } from '#src/doctor/findings/roll-back.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Deployment } from '#src/engine/objects/workload.js';
import { buildFinding } from '../../../support/diagnosis.js';
import { node } from '../../../support/placement-builders.js';
import { buildSnapshot, examined } from '../../../support/remediation-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  buildTemplate,
  type DeploymentFields,
} from '../../../support/rollout-builders.js';

const crashLoop = (name: string) => ({
  containerStatuses: [
    {
      name,
      ready: false,
      restartCount: 9,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: ago(30) } },
    },
  ],
});

function podOf(revision: number, fields: object): Pod {
  return buildPod({
    name: `web-${revision}-a`,
    owner: { name: `web-${revision}`, uid: `web-${revision}-uid` },
    labels: { 'pod-template-hash': `web-${revision}` },
    ...fields,
  });
}

const crashing = podOf(2, { ready: false, restarts: 9, status: crashLoop('app') });
const completed = (secondsAgo: number) => ({
  conditions: [
    {
      type: 'Progressing',
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      lastUpdateTime: ago(secondsAgo),
    },
  ],
});

/** Not available since so long before the moment of the test; the former revision was made an hour ago. */
const unavailable = (secondsAgo: number) => ({
  conditions: [{ type: 'Available', status: 'False', lastTransitionTime: ago(secondsAgo) }],
});

interface Case {
  readonly title: string;
  readonly finding?: Partial<Finding>;
  readonly deployment?: DeploymentFields;
  /** In place of the template with another image. */
  readonly formerTemplate?: Readonly<Record<string, unknown>>;
  readonly hasFormer?: boolean;
  /** When the former revision was made. */
  readonly formerSecondsAgo?: number;
  readonly pods?: readonly Pod[];
  /** `offered`, or the key of the reason against it; absent: no word about it. */
  readonly answer: string | undefined;
}

/** One replica whose rollout to revision 2 replaced the only pod, which crashes; no pod is ready. */
function answerTo({
  finding,
  deployment,
  formerTemplate,
  hasFormer = true,
  formerSecondsAgo = 86_400,
  pods = [crashing],
}: Case) {
  const workload: Deployment = buildDeployment({ recreate: true, ...deployment });
  const former = buildReplicaSet({ revision: 1, replicas: 0 });
  const template = { ...former.spec.template, ...(formerTemplate && { raw: formerTemplate }) };
  const kept = {
    ...former,
    metadata: { ...former.metadata, creationTimestamp: ago(formerSecondsAgo) },
    spec: { ...former.spec, template },
  };
  const snapshot = buildSnapshot(workload, {
    ReplicaSet: [...(hasFormer ? [kept] : []), buildReplicaSet({ revision: 2, replicas: 1 })],
    Pod: [...pods],
    Node: [node('n-a')],
  });
  const given = buildFinding({
    cause: 'application-crash',
    severity: 'critical',
    container: 'app',
    remediations: [],
    withheld: [],
    ...finding,
  });
  const answered = withRollBack(examined(snapshot), given, originOf(given));
  if (answered.remediations.some(({ kind }) => kind === 'undo-rollout')) return 'offered';
  return answered.withheld.find(({ kind }) => kind === 'undo-rollout')?.because.key;
}

function originOf({ cause }: Finding): Origin {
  const found = causes.find(({ id }) => id === cause);
  if (found === undefined) throw new Error(`no rule for ${cause}`);
  return found.origin;
}

describe('a rollback', () => {
  it.each<Case>([
    { title: 'is recommended when every pod crashes under Recreate and no pod is ready', answer: 'offered' },
    {
      title: 'is recommended when an init container runs out of memory and no pod is ready',
      finding: { cause: 'out-of-memory', container: 'setup' },
      deployment: {},
      formerTemplate: buildTemplate('web:1', { initContainers: [{ name: 'setup', image: 'setup:1' }] }),
      answer: 'offered',
    },
    {
      title: 'is offered when the pods were ready for a moment before they crashed',
      deployment: { status: completed(300) },
      answer: 'offered',
    },
    {
      title: 'is not recommended when the revision worked for hours',
      deployment: { status: completed(7200) },
      answer: 'withheld-completed',
    },
    {
      title: 'is not recommended to a revision of which no pod was ever available',
      deployment: { status: unavailable(3599) },
      formerSecondsAgo: 3600,
      answer: 'withheld-never-available',
    },
    {
      title: 'is recommended to a revision that was available before the update',
      deployment: { status: unavailable(300) },
      formerSecondsAgo: 3600,
      answer: 'offered',
    },
    {
      title: 'is recommended where some pods of several may have been ready',
      deployment: { status: unavailable(3599), replicas: 2 },
      formerSecondsAgo: 3600,
      answer: 'offered',
    },
    {
      title: 'is not recommended without an earlier revision',
      hasFormer: false,
      answer: 'withheld-none-kept',
    },
    {
      title: 'is not recommended when the earlier revision has the same container',
      formerTemplate: { ...buildTemplate('web:2'), metadata: { annotations: { restartedAt: 'then' } } },
      answer: 'withheld-same',
    },
    {
      title: 'is not recommended for a volume that the earlier revision mounts too',
      finding: { cause: 'mount-failure' },
      answer: 'withheld-same-volumes',
    },
    {
      title: 'is not recommended when pods of the earlier revision fail too',
      pods: [crashing, podOf(1, { ready: false, restarts: 9, status: crashLoop('app') })],
      answer: 'withheld-former-fails',
    },
    {
      title: 'is not recommended when all pods of the current revision are ready',
      pods: [podOf(2, {})],
      answer: 'withheld-current-ready',
    },
    {
      title: 'is not recommended for a failure that any revision would have',
      finding: { cause: 'node-not-ready', container: undefined },
      answer: 'withheld-surroundings',
    },
    {
      title: 'is not recommended while the Deployment is paused',
      deployment: { paused: true },
      answer: 'withheld-paused',
    },
    { title: 'is no matter for a note', finding: { severity: 'info' }, answer: undefined },
    {
      title: 'is not discussed for a first revision whose node fails',
      finding: { cause: 'node-not-ready' },
      hasFormer: false,
      answer: undefined,
    },
  ])('$title', (one) => {
    expect(answerTo(one)).toBe(one.answer);
  });

  it('keeps the answer of the finding', () => {
    const own = { kind: 'undo-rollout', because: { catalogue: 'x', key: 'own', values: {} } } as const;
    expect(answerTo({ title: '', finding: { withheld: [own] }, answer: 'own' })).toBe('own');
  });
});
