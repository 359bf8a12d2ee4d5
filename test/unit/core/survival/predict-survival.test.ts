import { describe, expect, it } from 'vitest';
import type { Owner, Verdict } from '#src/core/survival/field-survival.js';
import type { OwnerObjects } from '#src/core/survival/owner-objects.js';
import { type PlannedChange, predictSurvival } from '#src/core/survival/predict-survival.js';
import { worstFirst } from '#src/core/survival/worst-verdict.js';
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
  const [worst] = worstFirst(predictSurvival({ workload: deployment(object), plan, owners }));
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

const inferenceService = {
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  name: 'llm',
  uid: 'x',
  controller: true,
};

const dynamoComponent = {
  ...inferenceService,
  apiVersion: 'nvidia.com/v1beta1',
  kind: 'DynamoComponentDeployment',
};
const vllmRuntime = {
  ...inferenceService,
  apiVersion: 'production-stack.vllm.ai/v1alpha1',
  kind: 'VLLMRuntime',
};

describe('the worst verdict of a change', () => {
  it.each<[string, ObjectOptions, Verdict, OwnerObjects?, PlannedChange?]>([
    ['Argo CD with self-heal does not declare the field (case 1)', updated({}), stays(), healing],
    ['Argo CD with self-heal declares it (case 2)', updated(one), atOnce, healing],
    ['Argo CD without self-heal declares it (case 3)', updated(one), nextSync, syncing],
    ['Argo CD that syncs by hand declares it', healed, nextSync, application({})],
    ['Argo CD with disabled automation declares it', healed, nextSync, disabled],
    [
      'a client-side apply of the type alone clears the rest of the strategy (case 4)',
      updated(typeAlone),
      atOnce,
      healing,
    ],
    ['a server-side apply of Argo CD declares it (case 5)', healed, atOnce, healing],
    ['a server-side apply of the type alone leaves the rest (case 6)', typeByArgo, stays(), healing],
    [
      'a server-side apply of the type alone puts the type back (case 7)',
      typeByArgo,
      atOnce,
      healing,
      toRecreate,
    ],
    ['Argo CD ignores and respects the difference (case 8)', healed, stays('difference-ignored'), ignored],
    [
      'Argo CD ignores our fields, and its client-side apply of the type alone clears them',
      trackedWith(typeAlone),
      atOnce,
      ignored,
    ],
    [
      'Argo CD ignores our fields, of which a resumed rollout has none',
      trackedWith({ paused: true }),
      atOnce,
      ignored,
      resume,
    ],
    [
      'Argo CD ignores our fields, and Recreate contradicts the percentages that it sends',
      healed,
      unknown('ignore-rule'),
      ignored,
      toRecreate,
    ],
    [
      'Argo CD replaces the object, of which nothing shows what Git declares',
      onlyTracked,
      nextSync,
      replacing,
    ],
    [
      'Argo CD replaces the object, and a resumed rollout may be what Git declares',
      onlyTracked,
      unknown('no-evidence'),
      replacing,
      resume,
    ],
    ['Argo CD ignores the difference and still syncs it (case 9)', healed, nextSync, ignoringAlso(ignoreUs)],
    ['a pointer above the field ignores it', healed, nextSync, ignoringAlso(pointer('/spec/strategy'))],
    [
      'a pointer beside the field does not ignore it',
      healed,
      atOnce,
      ignoringAlso(pointer('/spec/replicas')),
    ],
    [
      'a rule for another object does not ignore it',
      healed,
      atOnce,
      ignoringAlso({ ...ignoreUs, name: 'other' }),
    ],
    ['an expression of jq cannot be evaluated', healed, unknown('ignore-rule'), ignoringAlso(byJq)],
    [
      'the tracking id is of another object (case 10)',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:other/inference' } },
      stays(),
      healing,
    ],
    [
      'Argo CD processes nothing',
      healed,
      stays('suspended'),
      application(selfHeal, { 'argocd.argoproj.io/skip-reconcile': 'true' }),
    ],
    ['the Application could not be read', healed, unknown('owner-unread')],
    [
      'the Application does not exist',
      healed,
      unknown('owner-missing'),
      { application: { type: 'missing' } },
    ],
    [
      'Argo CD replaces the object (case 32)',
      {
        annotations: { ...tracked, ...lastApplied({}), 'argocd.argoproj.io/sync-options': 'Replace=true' },
        managedFields: [update],
      },
      nextSync,
      healing,
    ],
    ['Flux does not declare it (case 12)', besideFlux, stays(), kustomization()],
    ['Flux declares it (case 13)', byFlux, within(600), kustomization()],
    ['Flux declares it, and its interval could not be read', byFlux, { type: 'reverted-within' }],
    [
      'Flux skips the object (case 15)',
      {
        labels: kustomized,
        annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
        managedFields: [declaredByFlux],
      },
      stays('reconcile-disabled'),
      kustomization(),
    ],
    [
      'Flux creates the object only',
      {
        labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' },
        managedFields: [declaredByFlux],
      },
      stays('not-applied'),
      kustomization(),
    ],
    ['Flux is suspended', byFlux, stays('suspended'), kustomization({ suspend: true })],
    [
      'Flux ignores the path',
      byFlux,
      stays('drift-ignored'),
      ignoringDrift({ kind: 'Deployment', name: 'inference' }),
    ],
    ['Flux ignores the path of another object', byFlux, within(600), ignoringDrift({ kind: 'StatefulSet' })],
    [
      'Flux may ignore the path, by an expression',
      byFlux,
      unknown('ignore-rule'),
      ignoringDrift({ name: 'inf.*' }),
    ],
    [
      'the HelmRelease declares it and does not correct drift (case 16)',
      byHelmRelease,
      nextUpgrade,
      helmRelease(),
    ],
    ['the HelmRelease corrects drift (case 17)', byHelmRelease, within(300), drift('enabled')],
    ['the HelmRelease reports drift only', byHelmRelease, nextUpgrade, drift('warn')],
    ['the HelmRelease could not be read', byHelmRelease, unknown('owner-unread')],
    ['Helm 4 declares it (case 18)', byHelm4, conflictsAt('upgrade')],
    ['Helm 4 does not declare it', besideHelm4, stays()],
    ['Helm 3 wrote the default value (case 20)', byHelm3, unknown('default-value')],
    ['Helm 3 wrote another value (case 22)', byHelm3, nextUpgrade, {}, lessSurge],
    ['kubectl apply declares it (case 23)', appliedBy(one), nextApply],
    ['kubectl apply does not declare it', appliedBy({}), stays()],
    [
      'kubectl apply declares the value that the change sets',
      appliedBy({ paused: false }),
      stays(),
      {},
      resume,
    ],
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
    ['a VLLMRuntime owns it, of which the strategy is not compared', ownedBy(vllmRuntime), stays()],
    [
      'a VLLMRuntime owns it, of which the affinity is compared',
      ownedBy(vllmRuntime),
      operatorReverts,
      {},
      exclude,
    ],
    ['a VLLMRuntime owns it, of which a restart is not compared', ownedBy(vllmRuntime), stays(), {}, restart],
    ['an unknown operator owns it', ownedBy(shop), unknown('operator')],
    ['a ReplicaSet is scaled (case 26)', healed, stays(), healing, scaledDown],
    ['Flux declares the node affinity (case 27)', byFluxIn(affinity), within(600), kustomization(), exclude],
    ['Flux declares no node affinity (case 28)', besideFlux, stays(), kustomization(), exclude],
    [
      'Flux declares other annotations of the template (case 29)',
      {
        labels: kustomized,
        managedFields: [
          entry('kustomize-controller', 'Apply', {
            'f:template': { 'f:metadata': { 'f:annotations': { 'f:team': {} } } },
          }),
        ],
      },
      stays(),
      kustomization(),
      restart,
    ],
    [
      'a roll back sets an image that Flux declares (case 30)',
      besideFlux,
      within(600),
      kustomization(),
      setImage,
    ],
    [
      'older entries of managedFields were merged (case 31)',
      { managedFields: [entry('ancient-changes', 'Update', defaulted)] },
      unknown('merged-managers'),
    ],
    [
      'the field is older than managedFields, and Helm wrote since',
      {
        ...helm,
        managedFields: [entry('before-first-apply', 'Update', defaulted), entry('helm', 'Update', container)],
      },
      unknown('merged-managers'),
    ],
    [
      'only kubectl create wrote the object (case 34)',
      { managedFields: [entry('kubectl-create', 'Update', defaulted)] },
      stays(),
    ],
    ['the object has no marks at all', {}, stays()],
    ['marks of Argo CD without any entry of it', onlyTracked, unknown('no-evidence'), healing],
    [
      'an entry of another API version',
      { labels: kustomized, managedFields: [{ ...declaredByFlux, apiVersion: 'apps/v1beta1' }] },
      unknown('other-version'),
      kustomization(),
    ],
    [
      'an entry of a subresource does not count',
      { ...helm, managedFields: [{ ...declaredByHelm, subresource: 'scale' }] },
      unknown('no-evidence'),
    ],
    [
      'somebody took the field from Helm by hand',
      {
        ...helm,
        managedFields: [
          entry('helm', 'Apply', withoutStrategy),
          entry('kubectl-patch', 'Update', wholeStrategy),
        ],
      },
      unknown('taken-by-another'),
    ],
    [
      'a tool that this program does not know declares it',
      { managedFields: [entry('fleetagent', 'Apply', wholeStrategy)] },
      unknown('other-manager'),
    ],
    [
      'an operator above an object of Argo CD: the worst of both counts',
      { ...healed, ownerReferences: [inferenceService] },
      operatorReverts,
      healing,
    ],
  ])('%s', (_, object, verdict, owners, plan) => {
    expect(survive(object, owners, plan).verdict).toEqual(verdict);
  });
});

/** The verdict on each field, by its last step. */
function verdictsOf(object: ObjectOptions, plan: PlannedChange): Readonly<Record<string, Verdict['type']>> {
  const fields = predictSurvival({ workload: deployment(object), plan, owners: {} });
  return Object.fromEntries(
    fields.map(({ path, verdict }) => [path.slice(path.lastIndexOf('.') + 1), verdict.type]),
  );
}

describe('the verdict on each field, as the real tools left it', () => {
  const paused = { 'f:paused': {} };
  const applied = (strategy: object): ObjectOptions => ({ annotations: lastApplied({ strategy }) });
  const typeByKubectl: ObjectOptions = { managedFields: [entry('kubectl', 'Apply', typeOnly)] };

  it.each<[string, ObjectOptions, PlannedChange, Readonly<Record<string, Verdict['type']>>]>([
    [
      'Helm 4 pauses again what was resumed, without a conflict',
      { ...helm, managedFields: [entry('helm', 'Apply', paused)] },
      resume,
      { paused: 'reverted-at-next' },
    ],
    [
      'a server-side kubectl apply pauses again what was resumed, without a conflict',
      { managedFields: [entry('kubectl', 'Apply', paused)] },
      resume,
      { paused: 'reverted-at-next' },
    ],
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
