import { describe, expect, it } from 'vitest';
import type { Owner, Verdict } from '#src/engine/owners/field-drift.js';
import type { OwnerObjects } from '#src/engine/owners/owner-objects.js';
import { type PlannedChange, predictDrift, worstFirst } from '#src/engine/owners/predict-drift.js';
import {
  affinity,
  application,
  container,
  defaulted,
  deployment,
  entry,
  helm,
  helmRelease,
  kustomization,
  kustomized,
  lastApplied,
  type ObjectOptions,
  planOf,
  recreate,
  released,
  requiredAffinity,
  selfHeal,
  tracked,
  typeOnly,
  wholeStrategy,
  withoutStrategy,
} from './builders.js';

function survive(object: ObjectOptions, owners: OwnerObjects = {}, plan: PlannedChange = planOf()) {
  const [worst] = worstFirst(predictDrift({ workload: deployment(object), plan, owners }));
  if (worst === undefined) throw new Error('no field');
  return worst;
}

type While = Extract<Verdict, { type: 'stays' }>['while'];
const stays = (since?: While): Verdict => ({ type: 'stays', ...(since && { while: since }) });
const atOnce: Verdict = { type: 'reverted-at-once' };
const nextSync: Verdict = { type: 'reverted-at-next', event: 'sync' };
const nextUpgrade: Verdict = { type: 'reverted-at-next', event: 'upgrade' };
const nextApply: Verdict = { type: 'reverted-at-next', event: 'apply' };
const within = (seconds: number): Verdict => ({ type: 'reverted-within', seconds });
const unknown = (because: Extract<Verdict, { type: 'unknown' }>['because']): Verdict => ({
  type: 'unknown',
  because,
});

const update = entry('argocd-controller', 'Update', defaulted);
const declaredByArgo = entry('argocd-controller', 'Apply', wholeStrategy);
const declaredByFlux = entry('kustomize-controller', 'Apply', wholeStrategy);
const undeclaredByFlux = entry('kustomize-controller', 'Apply', withoutStrategy);
const declaredByHelm = entry('helm', 'Apply', wholeStrategy);
const one = { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
const ignoreUs = { group: 'apps', kind: 'Deployment', managedFieldsManagers: ['rollout-doctor'] };
const exclude = planOf([{ path: requiredAffinity, after: {} }]);
const setImage = planOf([{ path: 'spec.template.spec.containers[app].image', before: 'a:2', after: 'a:1' }]);
const restart = planOf([
  { path: 'spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]', after: '<now>' },
]);
const resume = planOf([{ path: 'spec.paused', before: true, after: false }]);
const byFlux = { labels: kustomized, managedFields: [declaredByFlux] };
const besideFlux = { labels: kustomized, managedFields: [undeclaredByFlux] };
const byHelmRelease = { labels: released, managedFields: [entry('helm-controller', 'Apply', wholeStrategy)] };
const byHelm3 = { ...helm, managedFields: [entry('helm', 'Update', defaulted)] };
const typeByArgo = { annotations: tracked, managedFields: [entry('argocd-controller', 'Apply', typeOnly)] };
const trackedWith = (spec: object): ObjectOptions => ({ annotations: { ...tracked, ...lastApplied(spec) } });
const updated = (spec: object): ObjectOptions => ({ ...trackedWith(spec), managedFields: [update] });
const ownedBy = (...ownerReferences: readonly object[]): ObjectOptions => ({ ownerReferences });
const healing = application(selfHeal);
const ignoringAlso = (...ignoreDifferences: readonly object[]) =>
  application({ ...selfHeal, ignoreDifferences });
const syncing = application({ syncPolicy: { automated: {} } });
const disabled = application({ syncPolicy: { automated: { enabled: false, selfHeal: true } } });
const replacing = application({ syncPolicy: { syncOptions: ['Replace=true'] } });
const pointer = (path: string) => ({ group: 'apps', kind: 'Deployment', jsonPointers: [path] });
const byJq = { group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec | select(.x == 1)'] };
const drift = (mode: string) => helmRelease({ driftDetection: { mode } });
const ignoringDrift = (target: object) => kustomization({ ignore: [{ paths: ['/spec/strategy'], target }] });
const byFluxIn = (fields: object) => ({
  labels: kustomized,
  managedFields: [entry('kustomize-controller', 'Apply', fields)],
});
const byHelm4 = { ...helm, managedFields: [declaredByHelm] };
const besideHelm4 = { ...helm, managedFields: [entry('helm', 'Apply', withoutStrategy)] };
const byKubectl = { managedFields: [entry('kubectl', 'Apply', wholeStrategy)] };
const appliedBy = (spec: object): ObjectOptions => ({ annotations: lastApplied(spec) });
const onlyTracked = { annotations: tracked };
const typeAlone = { strategy: { type: 'RollingUpdate' } };
const toRecreate = planOf(recreate);
const lessSurge = planOf([{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 1, after: 0 }]);
const scaledDown = planOf([{ path: 'spec.replicas', before: 1, after: 0 }], 'ReplicaSet');
const shop = { kind: 'Shop', name: 'main', uid: 'x', controller: true };
const operatorReverts: Verdict = { type: 'operator-reverts' };
const conflictsAt = (event: 'upgrade' | 'apply'): Verdict => ({ type: 'next-upgrade-conflicts', event });
const healed = { annotations: { ...tracked }, managedFields: [declaredByArgo] };

const ignored = application({
  syncPolicy: { automated: { selfHeal: true }, syncOptions: ['RespectIgnoreDifferences=true'] },
  ignoreDifferences: [ignoreUs],
});

const operator = (apiVersion: string, kind: string) => ({ ...shop, apiVersion, kind });
const inferenceService = operator('serving.kserve.io/v1beta1', 'InferenceService');
const llmService = operator('serving.kserve.io/v1alpha2', 'LLMInferenceService');
const dynamoComponent = operator('nvidia.com/v1beta1', 'DynamoComponentDeployment');
const vllmRuntime = operator('production-stack.vllm.ai/v1alpha1', 'VLLMRuntime');

const trackedElsewhere = { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:other/inference' };
const notReconciled = { 'argocd.argoproj.io/skip-reconcile': 'true' };
const notReconciledByFlux = { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' };
const createdOnly = { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' };
const operatedByArgo = { ...healed, ownerReferences: [inferenceService] };
const replaced = {
  annotations: { ...tracked, ...lastApplied({}), 'argocd.argoproj.io/sync-options': 'Replace=true' },
  managedFields: [update],
};

/** What happens, the object, the verdict, the objects of its owners, and the change. */
type Row = [
  what: string,
  object: ObjectOptions,
  verdict: Verdict,
  owners?: OwnerObjects | undefined,
  plan?: PlannedChange,
];

/** One test a row; rows without owners have these. */
function expectVerdicts(usual: OwnerObjects, rows: readonly Row[]): void {
  it.each<Row>([...rows])('%s', (_, object, verdict, owners = usual, plan) => {
    expect(survive(object, owners, plan).verdict).toEqual(verdict);
  });
}

describe('the worst verdict of a change that Argo CD', () => {
  expectVerdicts(healing, [
    ['does not declare, with self-heal (case 1)', updated({}), stays()],
    ['declares, with self-heal (case 2)', updated(one), atOnce],
    ['declares, without self-heal (case 3)', updated(one), nextSync, syncing],
    ['declares, and syncs by hand', healed, nextSync, application({})],
    ['declares, with disabled automation', healed, nextSync, disabled],
    ['clears by a client-side apply of the type alone (case 4)', updated(typeAlone), atOnce],
    ['declares by a server-side apply (case 5)', healed, atOnce],
    ['leaves by a server-side apply of the type alone (case 6)', typeByArgo, stays()],
    ['puts back by a server-side apply of the type alone (case 7)', typeByArgo, atOnce, healing, toRecreate],
    ['ignores and respects as a difference (case 8)', healed, stays('difference-ignored'), ignored],
    ['ignores, and clears by a client-side apply of the type alone', trackedWith(typeAlone), atOnce, ignored],
    [
      'ignores as ours, of which a resumed rollout has none',
      trackedWith({ paused: true }),
      atOnce,
      ignored,
      resume,
    ],
    [
      'ignores as ours, where Recreate contradicts the percentages that it sends',
      healed,
      unknown('ignore-rule'),
      ignored,
      toRecreate,
    ],
    ['replaces, where nothing shows what Git declares', onlyTracked, nextSync, replacing],
    [
      'replaces, where a resumed rollout may be what Git declares',
      onlyTracked,
      unknown('no-evidence'),
      replacing,
      resume,
    ],
    ['ignores as a difference and still syncs (case 9)', healed, nextSync, ignoringAlso(ignoreUs)],
    ['ignores by a pointer above the field', healed, nextSync, ignoringAlso(pointer('/spec/strategy'))],
    ['ignores not, by a pointer beside the field', healed, atOnce, ignoringAlso(pointer('/spec/replicas'))],
    ['ignores for another object', healed, atOnce, ignoringAlso({ ...ignoreUs, name: 'other' })],
    ['ignores by an expression of jq', healed, unknown('ignore-rule'), ignoringAlso(byJq)],
    ['tracks under the id of another object (case 10)', { annotations: trackedElsewhere }, stays()],
    ['does not process', healed, stays('suspended'), application(selfHeal, notReconciled)],
    ['declares in an Application that could not be read', healed, unknown('owner-unread'), {}],
    [
      'declares in an Application that does not exist',
      healed,
      unknown('owner-missing'),
      { application: { type: 'missing' } },
    ],
    ['replaces with the whole object (case 32)', replaced, nextSync],
    ['has marked without any entry of it', onlyTracked, unknown('no-evidence')],
    ['also sees under an operator: the worst of both counts', operatedByArgo, operatorReverts],
    ['does not see, since a ReplicaSet is scaled (case 26)', healed, stays(), healing, scaledDown],
  ]);
});

describe('the worst verdict of a change that Flux', () => {
  const marked = (managedFields: readonly object[], annotations = {}, labels = {}): ObjectOptions => ({
    labels: { ...kustomized, ...labels },
    annotations,
    managedFields,
  });
  expectVerdicts(kustomization(), [
    ['does not declare (case 12)', besideFlux, stays()],
    ['declares (case 13)', byFlux, within(600)],
    ['declares, where its interval could not be read', byFlux, { type: 'reverted-within' }, {}],
    [
      'skips with its object (case 15)',
      marked([declaredByFlux], notReconciledByFlux),
      stays('reconcile-disabled'),
    ],
    [
      'declares for an object that it creates only',
      marked([declaredByFlux], {}, createdOnly),
      stays('not-applied'),
    ],
    ['declares, and is suspended', byFlux, stays('suspended'), kustomization({ suspend: true })],
    [
      'ignores by its path',
      byFlux,
      stays('drift-ignored'),
      ignoringDrift({ kind: 'Deployment', name: 'inference' }),
    ],
    ['ignores by the path of another object', byFlux, within(600), ignoringDrift({ kind: 'StatefulSet' })],
    ['may ignore, by an expression', byFlux, unknown('ignore-rule'), ignoringDrift({ name: 'inf.*' })],
    [
      'declares in a HelmRelease without correction of drift (case 16)',
      byHelmRelease,
      nextUpgrade,
      helmRelease(),
    ],
    ['corrects as drift of a HelmRelease (case 17)', byHelmRelease, within(300), drift('enabled')],
    ['reports as drift of a HelmRelease only', byHelmRelease, nextUpgrade, drift('warn')],
    ['declares in a HelmRelease that could not be read', byHelmRelease, unknown('owner-unread'), {}],
    ['declares as node affinity (case 27)', byFluxIn(affinity), within(600), undefined, exclude],
    ['does not declare as node affinity (case 28)', besideFlux, stays(), undefined, exclude],
    [
      'does not declare beside other annotations of the template (case 29)',
      byFluxIn({ 'f:template': { 'f:metadata': { 'f:annotations': { 'f:team': {} } } } }),
      stays(),
      undefined,
      restart,
    ],
    ['declares as the image that a roll back sets (case 30)', besideFlux, within(600), undefined, setImage],
    [
      'declares in an entry of another API version',
      marked([{ ...declaredByFlux, apiVersion: 'apps/v1beta1' }]),
      unknown('other-version'),
    ],
  ]);
});

describe('the worst verdict of a change where', () => {
  const oldest = entry('before-first-apply', 'Update', defaulted);
  const written = (manager: string) => ({ managedFields: [entry(manager, 'Update', defaulted)] });
  const byHand = entry('kubectl-patch', 'Update', wholeStrategy);
  expectVerdicts({}, [
    ['Helm 4 declares it (case 18)', byHelm4, conflictsAt('upgrade')],
    ['Helm 4 does not declare it', besideHelm4, stays()],
    ['Helm 3 wrote the default value (case 20)', byHelm3, unknown('default-value')],
    ['Helm 3 wrote another value (case 22)', byHelm3, nextUpgrade, {}, lessSurge],
    ['kubectl apply declares it (case 23)', appliedBy(one), nextApply],
    ['kubectl apply does not declare it', appliedBy({}), stays()],
    ['kubectl apply declares the value that it sets', appliedBy({ paused: false }), stays(), {}, resume],
    ['a server-side kubectl apply declares it (case 24)', byKubectl, conflictsAt('apply')],
    ['an operator that restores all fields owns it (case 25)', ownedBy(inferenceService), operatorReverts],
    [
      'an operator of another group owns it, whose kind has the same name',
      ownedBy({ ...inferenceService, apiVersion: 'example.com/v1' }),
      unknown('operator'),
    ],
    [
      'the operator of Dynamo owns it, and marks the generation that it has written',
      { ownerReferences: [dynamoComponent], annotations: { 'nvidia.com/last-applied-generation': '1' } },
      operatorReverts,
    ],
    [
      'an operator of Dynamo owns it that does not see what others write',
      ownedBy(dynamoComponent),
      unknown('operator'),
    ],
    ['an LLMInferenceService owns it, and puts the strategy back', ownedBy(llmService), operatorReverts],
    [
      'an LLMInferenceService owns it, and puts the image back',
      ownedBy(llmService),
      operatorReverts,
      {},
      setImage,
    ],
    [
      'an LLMInferenceService owns it, whose next write removes a restart',
      ownedBy(llmService),
      { type: 'unknown', because: 'operator' },
      {},
      restart,
    ],
    ['a VLLMRuntime owns it, of which the strategy is not compared', ownedBy(vllmRuntime), stays()],
    ['a VLLMRuntime owns it, and compares the affinity', ownedBy(vllmRuntime), operatorReverts, {}, exclude],
    ['a VLLMRuntime owns it, of which a restart is not compared', ownedBy(vllmRuntime), stays(), {}, restart],
    ['an unknown operator owns it', ownedBy(shop), unknown('operator')],
    ['older entries were merged (case 31)', written('ancient-changes'), unknown('merged-managers')],
    [
      'the field is older than managedFields, and Helm wrote since',
      { ...helm, managedFields: [oldest, entry('helm', 'Update', container)] },
      unknown('merged-managers'),
    ],
    ['only kubectl create wrote the object (case 34)', written('kubectl-create'), stays()],
    ['the object has no marks at all', {}, stays()],
    [
      'an entry is of a subresource, which does not count',
      { ...helm, managedFields: [{ ...declaredByHelm, subresource: 'scale' }] },
      unknown('no-evidence'),
    ],
    [
      'somebody took the field from Helm by hand',
      { ...helm, managedFields: [entry('helm', 'Apply', withoutStrategy), byHand] },
      unknown('taken-by-another'),
    ],
    [
      'a tool that this program does not know declares it',
      { managedFields: [entry('fleetagent', 'Apply', wholeStrategy)] },
      unknown('other-manager'),
    ],
  ]);
});

/** The verdict on each field, by its last step. */
function verdictsOf(object: ObjectOptions, plan: PlannedChange): Readonly<Record<string, Verdict['type']>> {
  const fields = predictDrift({ workload: deployment(object), plan, owners: {} });
  return Object.fromEntries(
    fields.map(({ path, verdict }) => [path.slice(path.lastIndexOf('.') + 1), verdict.type]),
  );
}

describe('the verdict on each field, as the real tools left it', () => {
  const paused = { 'f:paused': {} };
  const pausedByHelm = { ...helm, managedFields: [entry('helm', 'Apply', paused)] };
  const pausedByKubectl = { managedFields: [entry('kubectl', 'Apply', paused)] };
  const pausesAgain = { paused: 'reverted-at-next' } as const;
  const applied = (strategy: object): ObjectOptions => ({ annotations: lastApplied({ strategy }) });
  const typeByKubectl: ObjectOptions = { managedFields: [entry('kubectl', 'Apply', typeOnly)] };

  it.each<[string, ObjectOptions, PlannedChange, Readonly<Record<string, Verdict['type']>>]>([
    ['Helm 4 pauses again what was resumed, without a conflict', pausedByHelm, resume, pausesAgain],
    ['a server-side kubectl apply pauses it again as well', pausedByKubectl, resume, pausesAgain],
    [
      'a client-side apply of maxSurge alone leaves maxUnavailable',
      applied({ rollingUpdate: { maxSurge: 1 } }),
      planOf(),
      { maxSurge: 'reverted-at-next', maxUnavailable: 'stays' },
    ],
    [
      'a client-side apply of the type alone restores both defaults',
      applied({ type: 'RollingUpdate' }),
      planOf(),
      { maxSurge: 'reverted-at-next', maxUnavailable: 'reverted-at-next' },
    ],
    [
      'a server-side apply of the type alone conflicts with Recreate in every field',
      typeByKubectl,
      planOf(recreate),
      { type: 'next-upgrade-conflicts', maxSurge: 'next-upgrade-conflicts' },
    ],
    [
      'a server-side apply of maxSurge alone conflicts in maxSurge alone',
      {
        managedFields: [
          entry('kubectl', 'Apply', { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {} } } }),
        ],
      },
      planOf(),
      { maxSurge: 'next-upgrade-conflicts', maxUnavailable: 'stays' },
    ],
  ])('%s', (_, object, plan, verdicts) => {
    expect(verdictsOf(object, plan)).toEqual(verdicts);
  });
});

describe('the owner that decides', () => {
  it.each<[string, ObjectOptions, Owner | undefined]>([
    [
      'an Application in another namespace (case 11)',
      {
        annotations: { 'argocd.argoproj.io/tracking-id': 'team-a_shop:apps/Deployment:ml/inference' },
        managedFields: [declaredByArgo],
      },
      { by: 'Argo CD', kind: 'Application', namespace: 'team-a', name: 'shop' },
    ],
    [
      'an Application by its label, where Argo CD wrote the object',
      { labels: { 'app.kubernetes.io/instance': 'shop' }, managedFields: [declaredByArgo] },
      { by: 'Argo CD', kind: 'Application', namespace: '', name: 'shop' },
    ],
    [
      'Flux rather than the Helm that it runs',
      { ...helm, labels: { ...helm.labels, ...released } },
      { by: 'Flux', kind: 'HelmRelease', namespace: 'flux-system', name: 'shop' },
    ],
    [
      'unknown managers by their names',
      { managedFields: [entry('fleetagent', 'Apply', wholeStrategy)] },
      { by: 'other', kind: '', namespace: '', name: 'fleetagent' },
    ],
    ['nobody', {}, undefined],
  ])('is %s', (_, object, owner) => {
    expect(survive(object).owner).toEqual(owner);
  });
});

describe('the evidence of a verdict', () => {
  it('names the entry and the object of the owner that was read', () => {
    expect(survive(healed, healing).restsOn).toEqual([
      { type: 'managed-fields', manager: 'argocd-controller', operation: 'Apply' },
      { type: 'owner-object', kind: 'Application', namespace: 'argocd', name: 'shop' },
    ]);
  });

  it('names why the object of the owner was not read', () => {
    const owners: OwnerObjects = { application: { type: 'unread', because: 'forbidden' } };

    expect(survive(healed, owners).restsOn).toContainEqual({
      type: 'owner-unread',
      kind: 'Application',
      because: 'forbidden',
    });
  });

  it('names the marks of a tool that has no entry of its own', () => {
    expect(survive({ labels: kustomized }, kustomization()).restsOn).toEqual([
      { type: 'marks' },
      { type: 'owner-object', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
    ]);
  });
});
