import { describe, expect, it, onTestFinished } from 'vitest';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { planRemediation, type Remediation } from '#src/doctor/fixes/remediation.js';
import { GitSettings } from '#src/doctor/git-edits/git-settings.js';
import type { GitPlace } from '#src/doctor/git-edits/git-target.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { createGitHubHost } from '#src/edges/git-hosts/github-host.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { InferenceService } from '#src/engine/objects/inference-service.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createEngine } from '#src/service/create-engine.js';
import { createGitEditor } from '#src/service/git/edit-in-git.js';
import { createFindGitTarget } from '#src/service/git/find-git-target.js';
import { createGitWriter } from '#src/service/git/git-writer.js';
import { startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { buildApproval } from '../../support/records.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';

const repository = 'acme/deploy';
const place: GitPlace = { repository, branch: 'main', path: 'prod' };

interface Change {
  readonly snapshot: Snapshot;
  readonly remediation: Remediation;
  readonly plan: Plan;
}

async function recorded(id: string): Promise<Snapshot> {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/kserve/${id}`));
  if (scenario === undefined) throw new Error(`${id} is not recorded`);
  return snapshotOf(scenario);
}

function changeOf(snapshot: Snapshot, remediation: Remediation | undefined): Change {
  const plan = remediation && planRemediation(remediation, snapshot);
  if (remediation === undefined || plan === undefined || plan.type === 'refusal')
    throw new Error(JSON.stringify(plan));
  return { snapshot, remediation, plan };
}

/** The change of the strategy that a recorded deadlock is offered. */
async function strategyOf(id: string): Promise<Change> {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/kserve/${id}`));
  if (scenario === undefined) throw new Error(`${id} is not recorded`);
  const snapshot = { ...(await snapshotOf(scenario)), servedFields };
  const { findings } = createEngine().diagnose(snapshot);
  const fix = findings[0]?.remediations.find(({ kind }) => kind === 'patch-strategy');
  return changeOf(snapshot, fix);
}

/** Of releases of KServe after 0.20. */
const servedFields = [
  'LLMInferenceService spec.rolloutStrategy',
  'LLMInferenceService spec.prefill.rolloutStrategy',
];

async function openGit(files: Readonly<Record<string, string>>) {
  const git = await startLocalGitHost({ repositories: { [repository]: files } });
  onTestFinished(() => git.close());
  return createGitHubHost({ ...git.app, timeoutMs: 10_000 });
}

async function editOf({ plan, snapshot }: Change, files: Readonly<Record<string, string>>) {
  const { kind, metadata } = snapshot.workload;
  const { namespace, name } = metadata;
  const workload = { cluster: 'prod', kind, namespace, name };
  return createGitEditor(await openGit(files)).editSources(place, { plan, workload });
}

/** The edit as it is reviewed, with the check of the changed manifest on the recorded cluster. */
async function previewOf({ plan, snapshot }: Change, files: Readonly<Record<string, string>>) {
  const { kind, metadata } = snapshot.workload;
  const { namespace, name } = metadata;
  const engine = createEngine();
  const host = await openGit(files);
  const writer = createGitWriter({
    host,
    editor: createGitEditor(host),
    cluster: { snapshot: async () => ({ type: 'snapshot', snapshot }) },
    engine,
    isAllowed: () => true,
    digest: (text) => text,
    authority: undefined as never,
    sharedClock: undefined as never,
  });
  const workload = { cluster: 'prod', kind, namespace, name };
  return writer.preview({ ...buildApproval({ plan, workload }), gitTarget: place } as never);
}

const predictor = `# the model
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: llm, namespace: shop}
spec:
  predictor:   # one GPU
    minReplicas: 1
    containers:
      - name: kserve-container
        image: registry.example/vllm:2
        resources: {requests: {nvidia.com/gpu: "1"}, limits: {nvidia.com/gpu: "1"}}
`;
const inPlace = `    deploymentStrategy:
      type: RollingUpdate
      rollingUpdate:
        maxSurge: 0
        maxUnavailable: 1
`;
const withStrategy = predictor.replace('    minReplicas: 1\n', `${inPlace}    minReplicas: 1\n`);
/** The Deployment that KServe makes, which nobody applies. */
const child = `apiVersion: apps/v1
kind: Deployment
metadata: {name: llm-predictor, namespace: shop}
spec: {replicas: 1}
`;

describe('a fix of a workload of KServe as a pull request', () => {
  it('edits the strategy of the component in the manifest of the InferenceService, and checks its Deployment', async () => {
    const previewed = await previewOf(await strategyOf('deadlock-of-the-predictor'), {
      'prod/llm.yaml': predictor,
    });

    expect(previewed).toMatchObject({
      type: 'previewed',
      edit: { file: 'prod/llm.yaml' },
      check: { outcome: 'completes', workload: { kind: 'Deployment', name: 'llm-predictor' } },
    });
  });

  it('leaves every other line as it is', async () => {
    const edited = await editOf(await strategyOf('deadlock-of-the-predictor'), {
      'prod/llm.yaml': predictor,
    });

    expect(edited).toMatchObject({ type: 'edited', text: withStrategy });
  });

  it.each([
    [
      'deadlock-of-decode',
      'spec:\n  template: {}\n',
      '  rolloutStrategy:\n    maxSurge: 0\n    maxUnavailable: 1\n',
    ],
    [
      'deadlock-of-prefill',
      'spec:\n  prefill:\n    template: {}\n',
      '    rolloutStrategy:\n      maxSurge: 0\n      maxUnavailable: 1\n',
    ],
    [
      'deadlock-of-decode',
      'spec:\n  template: {}\n  rolloutStrategy: {maxSurge: 1, maxUnavailable: 0} # fast\n',
      undefined,
    ],
  ])('edits the bounds of the LLMInferenceService of %s', async (id, spec, added) => {
    const manifest = `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: {name: llm, namespace: shop}
${spec}`;
    const wanted =
      added === undefined
        ? manifest.replace('maxSurge: 1, maxUnavailable: 0', 'maxSurge: 0, maxUnavailable: 1')
        : manifest.replace(/( +)template: \{\}\n/u, (line) => `${added}${line}`);
    const previewed = await previewOf(await strategyOf(id), { 'prod/llm.yaml': manifest });
    const edited = await editOf(await strategyOf(id), { 'prod/llm.yaml': manifest });

    expect(edited).toMatchObject({ type: 'edited', text: wanted });
    expect(previewed).toMatchObject({ type: 'previewed', check: { outcome: 'completes' } });
  });

  it('excludes a node in the affinity of the component, and takes the exclusion out again', async () => {
    const snapshot = await recorded('healthy');
    const asked = forecastRequested({ kind: 'exclude-nodes', nodes: ['gpu-1'] }, snapshot);
    if (asked.type === 'impossible') throw new Error(JSON.stringify(asked.because));
    const change = changeOf(snapshot, asked.remediation);
    const previewed = await previewOf(change, { 'prod/llm.yaml': predictor });
    const edited = await editOf(change, { 'prod/llm.yaml': predictor });
    if (edited.type !== 'edited') throw new Error(JSON.stringify(edited));

    expect(previewed).toMatchObject({ type: 'previewed' });
    expect(edited.text).toContain('    affinity:\n      nodeAffinity:\n');
    const service = InferenceService.parse(edited.manifest.raw);
    const [present] = snapshot.index.objects.InferenceService;
    const metadata = present?.metadata ?? service.metadata;
    const index = {
      ...snapshot.index,
      objects: { ...snapshot.index.objects, InferenceService: [{ ...service, metadata }] },
    } as Snapshot['index'];
    const undo =
      change.plan.undo && planUndo(change.remediation.id, change.plan.undo, { ...snapshot, index });
    if (undo?.type !== 'plan') throw new Error(JSON.stringify(undo));
    const undone = await editOf({ ...change, plan: undo }, { 'prod/llm.yaml': edited.text });
    expect(undone).toMatchObject({ type: 'edited', text: predictor });
  });

  it('patches the overlay that declares the InferenceService', async () => {
    const edited = await editOf(await strategyOf('deadlock-of-the-predictor'), {
      'prod/kustomization.yaml': 'resources: [../base]\nnamespace: shop\n',
      'base/kustomization.yaml': 'resources: [llm.yaml]\n',
      'base/llm.yaml': predictor,
      'test/kustomization.yaml': 'resources: [../base]\nnamespace: test\n',
    });

    expect(edited).toMatchObject({
      type: 'edited',
      edit: { file: 'prod/kustomization.yaml' },
      manifest: { kind: 'InferenceService', name: 'llm' },
    });
  });

  it.each([
    ['only the Deployment is declared', { 'prod/llm.yaml': child }, 'not-declared'],
    [
      'an object of another group has the kind and the name',
      { 'prod/llm.yaml': predictor.replace('serving.kserve.io/v1beta1', 'models.example/v1') },
      'not-declared',
    ],
    ['two documents declare it', { 'prod/a.yaml': predictor, 'prod/b.yaml': predictor }, 'declared-twice'],
    ['the manifest has the values already', { 'prod/llm.yaml': withStrategy }, 'as-wanted'],
  ])('is refused where %s', async (_, files, reason) => {
    const edited = await editOf(await strategyOf('deadlock-of-the-predictor'), files);

    expect(edited).toMatchObject({ type: 'refused', reason });
    expect(JSON.stringify(edited)).toContain('"workload":"shop/llm"');
  });

  it('is refused where the manifest declares what would still deadlock', async () => {
    const previewed = await previewOf(await strategyOf('deadlock-of-the-predictor'), {
      'prod/llm.yaml': predictor.replaceAll('"1"', '"3"'),
    });

    expect(previewed).toMatchObject({ type: 'refused', because: { key: 'check-failed' } });
  });
});

describe('the place in Git of an InferenceService', () => {
  const settings = (sources: readonly object[]) =>
    GitSettings.parse({
      github: { appId: 1, privateKey: { env: 'KEY' } },
      repositories: [repository],
      sources,
    });

  it('is found in the settings by its own name', async () => {
    const { plan, snapshot } = await strategyOf('deadlock-of-the-predictor');
    const find = createFindGitTarget(settings([{ namespaces: ['shop'], workloads: ['llm'], ...place }]));

    expect(find(snapshot, plan)).toMatchObject({ type: 'found', target: place });
  });

  it('is that of the first source that names it or its Deployment', async () => {
    const { plan, snapshot } = await strategyOf('deadlock-of-the-predictor');
    const find = createFindGitTarget(
      settings([
        { namespaces: ['shop'], workloads: ['llm-*'], ...place },
        { namespaces: ['shop'], ...place, path: 'other' },
      ]),
    );

    expect(find(snapshot, plan)).toMatchObject({ type: 'found', target: place });
  });

  const applied = `main@sha1:${'a'.repeat(40)}`;
  const flux = { namespace: 'flux-system', name: 'models' };
  const kustomization = schemas.Kustomization.parse({
    metadata: flux,
    spec: { path: './prod', sourceRef: { kind: 'GitRepository', ...flux } },
    status: { lastAppliedRevision: applied },
  });
  const source = schemas.GitRepository.parse({
    metadata: flux,
    spec: { url: 'https://github.com/acme/deploy', ref: { branch: 'main' } },
  });
  const application = schemas.Application.parse({
    metadata: { namespace: 'argocd', name: 'models' },
    spec: {
      source: { repoURL: 'https://github.com/acme/deploy.git', path: 'prod', targetRevision: 'main' },
    },
    status: { sync: { status: 'Synced', revision: 'a'.repeat(40) } },
  });

  it.each([
    {
      owner: 'Kustomization',
      marks: {
        labels: {
          'kustomize.toolkit.fluxcd.io/name': 'models',
          'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
        },
      },
      added: { Kustomization: [kustomization], GitRepository: [source] },
    },
    {
      owner: 'Application',
      marks: {
        annotations: {
          'argocd.argoproj.io/tracking-id': 'argocd_models:serving.kserve.io/InferenceService:shop/llm',
        },
      },
      added: { Application: [application] },
    },
  ])('is that of the $owner which applies it, and not of its Deployment', async ({ marks, added }) => {
    const { plan, snapshot } = await strategyOf('deadlock-of-the-predictor');
    const marked = snapshot.index.objects.InferenceService.map((each) => ({
      ...each,
      metadata: { ...each.metadata, ...marks },
    }));
    const objects = { ...snapshot.index.objects, ...added, InferenceService: marked };
    const seen = { ...snapshot, index: { ...snapshot.index, objects } } as unknown as Snapshot;
    const find = createFindGitTarget(settings([]));

    expect(find(seen, plan)).toMatchObject({
      type: 'found',
      target: { repository, branch: 'main', path: 'prod' },
    });
    expect(find(snapshot, plan)).toMatchObject({ type: 'refused' });
  });
});
