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

function survive(
  object: ObjectOptions,
  { owners = {}, plan = planOf() }: { readonly owners?: OwnerObjects; readonly plan?: PlannedChange } = {},
) {
  const fields = predictSurvival({ workload: deployment(object), plan, owners });
  const worst = worstFirst(fields)[0];
  if (worst === undefined) throw new Error('no field');
  return worst;
}

const stays: Verdict = { type: 'stays' };
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
const healed = { annotations: { ...tracked }, managedFields: [declaredByArgo] };

const ignoring = {
  syncPolicy: { automated: { selfHeal: true }, syncOptions: ['RespectIgnoreDifferences=true'] },
  ignoreDifferences: [ignoreUs],
};

interface Expected {
  readonly object: ObjectOptions;
  readonly owners?: OwnerObjects;
  readonly plan?: PlannedChange;
  readonly verdict: Verdict;
}

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
  it.each<[string, Expected]>([
    [
      'Argo CD with self-heal does not declare the field (case 1)',
      {
        object: { annotations: { ...tracked, ...lastApplied({}) }, managedFields: [update] },
        owners: application(selfHeal),
        verdict: stays,
      },
    ],
    [
      'Argo CD with self-heal declares it (case 2)',
      {
        object: { annotations: { ...tracked, ...lastApplied(one) }, managedFields: [update] },
        owners: application(selfHeal),
        verdict: atOnce,
      },
    ],
    [
      'Argo CD without self-heal declares it (case 3)',
      {
        object: { annotations: { ...tracked, ...lastApplied(one) }, managedFields: [update] },
        owners: application({ syncPolicy: { automated: {} } }),
        verdict: nextSync,
      },
    ],
    [
      'Argo CD that syncs by hand declares it',
      { object: healed, owners: application({}), verdict: nextSync },
    ],
    [
      'Argo CD with disabled automation declares it',
      {
        object: healed,
        owners: application({ syncPolicy: { automated: { enabled: false, selfHeal: true } } }),
        verdict: nextSync,
      },
    ],
    [
      'a client-side apply of the type alone clears the rest of the strategy (case 4)',
      {
        object: {
          annotations: { ...tracked, ...lastApplied({ strategy: { type: 'RollingUpdate' } }) },
          managedFields: [update],
        },
        owners: application(selfHeal),
        verdict: atOnce,
      },
    ],
    [
      'a server-side apply of Argo CD declares it (case 5)',
      { object: healed, owners: application(selfHeal), verdict: atOnce },
    ],
    [
      'a server-side apply of the type alone leaves the rest (case 6)',
      {
        object: { annotations: tracked, managedFields: [entry('argocd-controller', 'Apply', typeOnly)] },
        owners: application(selfHeal),
        verdict: stays,
      },
    ],
    [
      'a server-side apply of the type alone puts the type back (case 7)',
      {
        object: { annotations: tracked, managedFields: [entry('argocd-controller', 'Apply', typeOnly)] },
        owners: application(selfHeal),
        plan: planOf(recreate),
        verdict: atOnce,
      },
    ],
    [
      'Argo CD ignores and respects the difference (case 8)',
      {
        object: healed,
        owners: application({
          syncPolicy: { automated: { selfHeal: true }, syncOptions: ['RespectIgnoreDifferences=true'] },
          ignoreDifferences: [ignoreUs],
        }),
        verdict: { type: 'stays', while: 'difference-ignored' },
      },
    ],
    [
      'Argo CD ignores our fields, and its client-side apply of the type alone clears them',
      {
        object: { annotations: { ...tracked, ...lastApplied({ strategy: { type: 'RollingUpdate' } }) } },
        owners: application(ignoring),
        verdict: atOnce,
      },
    ],
    [
      'Argo CD ignores our fields, of which a resumed rollout has none',
      {
        object: { annotations: { ...tracked, ...lastApplied({ paused: true }) } },
        owners: application(ignoring),
        plan: planOf([{ path: 'spec.paused', before: true, after: false }]),
        verdict: atOnce,
      },
    ],
    [
      'Argo CD ignores our fields, and Recreate contradicts the percentages that it sends',
      {
        object: healed,
        owners: application(ignoring),
        plan: planOf(recreate),
        verdict: unknown('ignore-rule'),
      },
    ],
    [
      'Argo CD replaces the object, of which nothing shows what Git declares',
      {
        object: { annotations: tracked },
        owners: application({ syncPolicy: { syncOptions: ['Replace=true'] } }),
        verdict: nextSync,
      },
    ],
    [
      'Argo CD replaces the object, and a resumed rollout may be what Git declares',
      {
        object: { annotations: tracked },
        owners: application({ syncPolicy: { syncOptions: ['Replace=true'] } }),
        plan: planOf([{ path: 'spec.paused', before: true, after: false }]),
        verdict: unknown('no-evidence'),
      },
    ],
    [
      'Argo CD ignores the difference and still syncs it (case 9)',
      {
        object: healed,
        owners: application({ ...selfHeal, ignoreDifferences: [ignoreUs] }),
        verdict: nextSync,
      },
    ],
    [
      'a pointer above the field ignores it',
      {
        object: healed,
        owners: application({
          ...selfHeal,
          ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/strategy'] }],
        }),
        verdict: nextSync,
      },
    ],
    [
      'a pointer beside the field does not ignore it',
      {
        object: healed,
        owners: application({
          ...selfHeal,
          ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
        }),
        verdict: atOnce,
      },
    ],
    [
      'a rule for another object does not ignore it',
      {
        object: healed,
        owners: application({ ...selfHeal, ignoreDifferences: [{ ...ignoreUs, name: 'other' }] }),
        verdict: atOnce,
      },
    ],
    [
      'an expression of jq cannot be evaluated',
      {
        object: healed,
        owners: application({
          ...selfHeal,
          ignoreDifferences: [
            { group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec | select(.x == 1)'] },
          ],
        }),
        verdict: unknown('ignore-rule'),
      },
    ],
    [
      'the tracking id is of another object (case 10)',
      {
        object: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:other/inference' } },
        owners: application(selfHeal),
        verdict: stays,
      },
    ],
    [
      'Argo CD processes nothing',
      {
        object: healed,
        owners: application(selfHeal, { 'argocd.argoproj.io/skip-reconcile': 'true' }),
        verdict: { type: 'stays', while: 'suspended' },
      },
    ],
    ['the Application could not be read', { object: healed, verdict: unknown('owner-unread') }],
    [
      'the Application does not exist',
      { object: healed, owners: { application: { type: 'missing' } }, verdict: unknown('owner-missing') },
    ],
    [
      'Argo CD replaces the object (case 32)',
      {
        object: {
          annotations: { ...tracked, ...lastApplied({}), 'argocd.argoproj.io/sync-options': 'Replace=true' },
          managedFields: [update],
        },
        owners: application(selfHeal),
        verdict: nextSync,
      },
    ],
    [
      'Flux does not declare it (case 12)',
      {
        object: { labels: kustomized, managedFields: [undeclaredByFlux] },
        owners: kustomization(),
        verdict: stays,
      },
    ],
    [
      'Flux declares it (case 13)',
      {
        object: { labels: kustomized, managedFields: [declaredByFlux] },
        owners: kustomization(),
        verdict: within(600),
      },
    ],
    [
      'Flux declares it, and its interval could not be read',
      {
        object: { labels: kustomized, managedFields: [declaredByFlux] },
        verdict: { type: 'reverted-within' },
      },
    ],
    [
      'Flux skips the object (case 15)',
      {
        object: {
          labels: kustomized,
          annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
          managedFields: [declaredByFlux],
        },
        owners: kustomization(),
        verdict: { type: 'stays', while: 'reconcile-disabled' },
      },
    ],
    [
      'Flux creates the object only',
      {
        object: {
          labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' },
          managedFields: [declaredByFlux],
        },
        owners: kustomization(),
        verdict: { type: 'stays', while: 'not-applied' },
      },
    ],
    [
      'Flux is suspended',
      {
        object: { labels: kustomized, managedFields: [declaredByFlux] },
        owners: kustomization({ suspend: true }),
        verdict: { type: 'stays', while: 'suspended' },
      },
    ],
    [
      'Flux ignores the path',
      {
        object: { labels: kustomized, managedFields: [declaredByFlux] },
        owners: kustomization({
          ignore: [{ paths: ['/spec/strategy'], target: { kind: 'Deployment', name: 'inference' } }],
        }),
        verdict: { type: 'stays', while: 'drift-ignored' },
      },
    ],
    [
      'Flux ignores the path of another object',
      {
        object: { labels: kustomized, managedFields: [declaredByFlux] },
        owners: kustomization({ ignore: [{ paths: ['/spec/strategy'], target: { kind: 'StatefulSet' } }] }),
        verdict: within(600),
      },
    ],
    [
      'Flux may ignore the path, by an expression',
      {
        object: { labels: kustomized, managedFields: [declaredByFlux] },
        owners: kustomization({ ignore: [{ paths: ['/spec/strategy'], target: { name: 'inf.*' } }] }),
        verdict: unknown('ignore-rule'),
      },
    ],
    [
      'the HelmRelease declares it and does not correct drift (case 16)',
      {
        object: { labels: released, managedFields: [entry('helm-controller', 'Apply', wholeStrategy)] },
        owners: helmRelease(),
        verdict: nextUpgrade,
      },
    ],
    [
      'the HelmRelease corrects drift (case 17)',
      {
        object: { labels: released, managedFields: [entry('helm-controller', 'Apply', wholeStrategy)] },
        owners: helmRelease({ driftDetection: { mode: 'enabled' } }),
        verdict: within(300),
      },
    ],
    [
      'the HelmRelease reports drift only',
      {
        object: { labels: released, managedFields: [entry('helm-controller', 'Apply', wholeStrategy)] },
        owners: helmRelease({ driftDetection: { mode: 'warn' } }),
        verdict: nextUpgrade,
      },
    ],
    [
      'the HelmRelease could not be read',
      {
        object: { labels: released, managedFields: [entry('helm-controller', 'Apply', wholeStrategy)] },
        verdict: unknown('owner-unread'),
      },
    ],
    [
      'Helm 4 declares it (case 18)',
      {
        object: { ...helm, managedFields: [declaredByHelm] },
        verdict: { type: 'next-upgrade-conflicts', event: 'upgrade' },
      },
    ],
    [
      'Helm 4 does not declare it',
      { object: { ...helm, managedFields: [entry('helm', 'Apply', withoutStrategy)] }, verdict: stays },
    ],
    [
      'Helm 3 wrote the default value (case 20)',
      {
        object: { ...helm, managedFields: [entry('helm', 'Update', defaulted)] },
        verdict: unknown('default-value'),
      },
    ],
    [
      'Helm 3 wrote another value (case 22)',
      {
        object: { ...helm, managedFields: [entry('helm', 'Update', defaulted)] },
        plan: planOf([{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 1, after: 0 }]),
        verdict: nextUpgrade,
      },
    ],
    [
      'kubectl apply declares it (case 23)',
      { object: { annotations: lastApplied(one) }, verdict: nextApply },
    ],
    ['kubectl apply does not declare it', { object: { annotations: lastApplied({}) }, verdict: stays }],
    [
      'kubectl apply declares the value that the change sets',
      {
        object: { annotations: lastApplied({ paused: false }) },
        plan: planOf([{ path: 'spec.paused', before: true, after: false }]),
        verdict: stays,
      },
    ],
    [
      'a server-side kubectl apply declares it (case 24)',
      {
        object: { managedFields: [entry('kubectl', 'Apply', wholeStrategy)] },
        verdict: { type: 'next-upgrade-conflicts', event: 'apply' },
      },
    ],
    [
      'an operator that restores all fields owns it (case 25)',
      { object: { ownerReferences: [inferenceService] }, verdict: { type: 'operator-reverts' } },
    ],
    [
      'an operator of another group owns it, whose kind has the same name',
      {
        object: { ownerReferences: [{ ...inferenceService, apiVersion: 'example.com/v1' }] },
        verdict: unknown('operator'),
      },
    ],
    [
      'the operator of Dynamo owns it, and marks the generation that it has written',
      {
        object: {
          ownerReferences: [dynamoComponent],
          annotations: { 'nvidia.com/last-applied-generation': '1' },
        },
        verdict: { type: 'operator-reverts' },
      },
    ],
    [
      'an operator of Dynamo owns it that does not see what others write',
      { object: { ownerReferences: [dynamoComponent] }, verdict: unknown('operator') },
    ],
    [
      'a VLLMRuntime owns it, of which the strategy is not compared',
      { object: { ownerReferences: [vllmRuntime] }, verdict: stays },
    ],
    [
      'a VLLMRuntime owns it, of which the affinity is compared',
      { object: { ownerReferences: [vllmRuntime] }, plan: exclude, verdict: { type: 'operator-reverts' } },
    ],
    [
      'a VLLMRuntime owns it, of which a restart is not compared',
      { object: { ownerReferences: [vllmRuntime] }, plan: restart, verdict: stays },
    ],
    [
      'an unknown operator owns it',
      {
        object: { ownerReferences: [{ kind: 'Shop', name: 'main', uid: 'x', controller: true }] },
        verdict: unknown('operator'),
      },
    ],
    [
      'a ReplicaSet is scaled (case 26)',
      {
        object: healed,
        owners: application(selfHeal),
        plan: planOf([{ path: 'spec.replicas', before: 1, after: 0 }], 'ReplicaSet'),
        verdict: stays,
      },
    ],
    [
      'Flux declares the node affinity (case 27)',
      {
        object: { labels: kustomized, managedFields: [entry('kustomize-controller', 'Apply', affinity)] },
        owners: kustomization(),
        plan: exclude,
        verdict: within(600),
      },
    ],
    [
      'Flux declares no node affinity (case 28)',
      {
        object: { labels: kustomized, managedFields: [undeclaredByFlux] },
        owners: kustomization(),
        plan: exclude,
        verdict: stays,
      },
    ],
    [
      'Flux declares other annotations of the template (case 29)',
      {
        object: {
          labels: kustomized,
          managedFields: [
            entry('kustomize-controller', 'Apply', {
              'f:template': { 'f:metadata': { 'f:annotations': { 'f:team': {} } } },
            }),
          ],
        },
        owners: kustomization(),
        plan: restart,
        verdict: stays,
      },
    ],
    [
      'a roll back sets an image that Flux declares (case 30)',
      {
        object: { labels: kustomized, managedFields: [undeclaredByFlux] },
        owners: kustomization(),
        plan: setImage,
        verdict: within(600),
      },
    ],
    [
      'older entries of managedFields were merged (case 31)',
      {
        object: { managedFields: [entry('ancient-changes', 'Update', defaulted)] },
        verdict: unknown('merged-managers'),
      },
    ],
    [
      'the field is older than managedFields, and Helm wrote since',
      {
        object: {
          ...helm,
          managedFields: [
            entry('before-first-apply', 'Update', defaulted),
            entry('helm', 'Update', container),
          ],
        },
        verdict: unknown('merged-managers'),
      },
    ],
    [
      'only kubectl create wrote the object (case 34)',
      { object: { managedFields: [entry('kubectl-create', 'Update', defaulted)] }, verdict: stays },
    ],
    ['the object has no marks at all', { object: {}, verdict: stays }],
    [
      'marks of Argo CD without any entry of it',
      { object: { annotations: tracked }, owners: application(selfHeal), verdict: unknown('no-evidence') },
    ],
    [
      'an entry of another API version',
      {
        object: { labels: kustomized, managedFields: [{ ...declaredByFlux, apiVersion: 'apps/v1beta1' }] },
        owners: kustomization(),
        verdict: unknown('other-version'),
      },
    ],
    [
      'an entry of a subresource does not count',
      {
        object: { ...helm, managedFields: [{ ...declaredByHelm, subresource: 'scale' }] },
        verdict: unknown('no-evidence'),
      },
    ],
    [
      'somebody took the field from Helm by hand',
      {
        object: {
          ...helm,
          managedFields: [
            entry('helm', 'Apply', withoutStrategy),
            entry('kubectl-patch', 'Update', wholeStrategy),
          ],
        },
        verdict: unknown('taken-by-another'),
      },
    ],
    [
      'a tool that this program does not know declares it',
      {
        object: { managedFields: [entry('fleetagent', 'Apply', wholeStrategy)] },
        verdict: unknown('other-manager'),
      },
    ],
    [
      'an operator above an object of Argo CD: the worst of both counts',
      {
        object: { ...healed, ownerReferences: [inferenceService] },
        owners: application(selfHeal),
        verdict: { type: 'operator-reverts' },
      },
    ],
  ])('%s', (_, { object, owners, plan, verdict }) => {
    const options = { ...(owners && { owners }), ...(plan && { plan }) };

    expect(survive(object, options).verdict).toEqual(verdict);
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
  const resume = planOf([{ path: 'spec.paused', before: true, after: false }]);
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
    expect(survive(healed, { owners: application(selfHeal) }).restsOn).toEqual([
      { type: 'managed-fields', manager: 'argocd-controller', operation: 'Apply' },
      { type: 'owner-object', kind: 'Application', namespace: 'argocd', name: 'shop' },
    ]);
  });

  it('names why the object of the owner was not read', () => {
    const owners: OwnerObjects = { application: { type: 'unread', because: 'forbidden' } };

    expect(survive(healed, { owners }).restsOn).toContainEqual({
      type: 'owner-unread',
      kind: 'Application',
      because: 'forbidden',
    });
  });

  it('names the marks of a tool that has no entry of its own', () => {
    expect(survive({ labels: kustomized }, { owners: kustomization() }).restsOn).toEqual([
      { type: 'marks' },
      { type: 'owner-object', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
    ]);
  });
});
