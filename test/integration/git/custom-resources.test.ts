import { describe, expect, it, onTestFinished } from 'vitest';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { createGitHubHost } from '#src/edges/git-hosts/github-host.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { createGitEditor } from '#src/service/git/edit-in-git.js';
import { startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '../../support/scenarios/snapshot-of.js';

const repository = 'acme/deploy';

/** The change of the strategy that a recorded deadlock is offered, as an edit of a tree with these files. */
async function editOf(
  id: string,
  files: (name: string, namespace: string) => Readonly<Record<string, string>>,
) {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/${id}`));
  if (scenario === undefined) throw new Error(`${id} is not recorded`);
  const snapshot = await snapshotOf(scenario);
  const { findings } = await diagnosisOf(scenario);
  const remediation = findings[0]?.remediations.find(({ kind }) => kind === 'patch-strategy');
  if (remediation === undefined) throw new Error(`${id} is offered no strategy`);
  const plan = planRemediation(remediation, snapshot);
  if (plan.type === 'refusal') throw new Error(JSON.stringify(plan));
  const { kind, metadata } = snapshot.workload;
  const { name, namespace } = metadata;
  return editedIn(files(name, namespace), plan, { cluster: 'prod', kind, namespace, name });
}

async function editedIn(files: Readonly<Record<string, string>>, plan: Plan, workload: WorkloadRef) {
  const git = await startLocalGitHost({ repositories: { [repository]: files } });
  onTestFinished(() => git.close());
  const host = createGitHubHost({ ...git.app, timeoutMs: 10_000 });
  return createGitEditor(host).editSources({ repository, branch: 'main', path: 'prod' }, { plan, workload });
}

const rollout = (name: string, namespace: string): string => `# canary
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  replicas: 1
  strategy:
    canary:   # without a router
      maxSurge: 1
      maxUnavailable: 0
      steps:
        - setWeight: 20
        - pause: {}
`;

const leaderWorkerSet = (name: string, namespace: string): string => `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  replicas: 2
  rolloutStrategy:
    rollingUpdateConfiguration:
      maxSurge: 1 # one group more
      maxUnavailable: 0
`;

describe('the manifest of a custom resource', () => {
  it('of Argo Rollouts is edited at its bounds only', async () => {
    const edited = await editOf('argo-rollouts/canary-without-steps', (name, namespace) => ({
      'prod/rollout.yaml': rollout(name, namespace),
    }));
    expect(edited).toMatchObject({
      type: 'edited',
      edit: {
        file: 'prod/rollout.yaml',
        diff: expect.arrayContaining([
          '-      maxSurge: 1',
          '+      maxSurge: 0',
          '+      maxUnavailable: 1',
        ]),
      },
    });
    expect(edited.type === 'edited' && edited.text).toContain('canary:   # without a router');
    expect(edited.type === 'edited' && edited.text).toContain('        - pause: {}\n');
  });

  it('of Argo Rollouts gets the exclusion of a node in its pod template, also in an overlay', async () => {
    const scenario = scenarios().find(({ folder }) => folder.endsWith('/argo-rollouts/healthy'));
    if (scenario === undefined) throw new Error('not recorded');
    const snapshot = await snapshotOf(scenario);
    const [excluded] = snapshot.index.objects.Node;
    const nodes = [excluded?.metadata.name ?? ''];
    const asked = forecastRequested({ kind: 'exclude-nodes', nodes }, snapshot);
    if (asked.type === 'impossible') throw new Error(JSON.stringify(asked.because));
    const plan = planRemediation(asked.remediation, snapshot);
    if (plan.type === 'refusal') throw new Error(JSON.stringify(plan));
    const { kind, metadata } = snapshot.workload;
    const { name, namespace } = metadata;
    const manifest = `${rollout(name, namespace)}  template:
    spec:
      containers: [{name: app, image: registry.example/app:1}]
`;
    const trees = [
      { 'prod/rollout.yaml': manifest },
      {
        'prod/kustomization.yaml': 'resources: [../base]\n',
        'test/kustomization.yaml': 'resources: [../base]\n',
        'base/kustomization.yaml': 'resources: [rollout.yaml]\n',
        'base/rollout.yaml': manifest,
      },
    ];
    for (const files of trees) {
      const edited = await editedIn(files, plan, { cluster: 'prod', kind, namespace, name });
      const affinity = { nodeAffinity: expect.anything() };
      expect(edited).toMatchObject({
        type: 'edited',
        manifest: { raw: { spec: { template: { spec: { affinity, containers: [{ name: 'app' }] } } } } },
      });
    }
  });

  it('of a LeaderWorkerSet is edited at its bounds only', async () => {
    const edited = await editOf('leader-worker-sets/two-groups', (name, namespace) => ({
      'prod/set.yaml': leaderWorkerSet(name, namespace),
    }));
    expect(edited).toMatchObject({ type: 'edited', edit: { file: 'prod/set.yaml' } });
    expect(edited.type === 'edited' && edited.text).toContain('maxSurge: 0 # one group more\n');
  });

  it('is patched in the overlay that declares it', async () => {
    const edited = await editOf('argo-rollouts/canary-without-steps', (name, namespace) => ({
      'prod/kustomization.yaml': 'resources: [rollout.yaml]\npatches:\n  - path: bounds.yaml\n',
      'prod/rollout.yaml': rollout(name, namespace),
      'prod/bounds.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: ${name}, namespace: ${namespace}}
spec: {strategy: {canary: {maxSurge: 2}}}
`,
    }));
    expect(edited).toMatchObject({ type: 'edited', edit: { file: 'prod/bounds.yaml' } });
    expect(edited.type === 'edited' && edited.manifest.raw).toMatchObject({
      spec: {
        strategy: { canary: { maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 20 }, { pause: {} }] } },
      },
    });
  });

  it('of another group with the same kind and name is not taken for it', async () => {
    const edited = await editOf('argo-rollouts/canary-without-steps', (name, namespace) => ({
      'prod/rollout.yaml': rollout(name, namespace).replace('argoproj.io/v1alpha1', 'rollouts.example/v1'),
    }));
    expect(edited).toMatchObject({ type: 'refused', reason: 'not-declared' });
  });
});
