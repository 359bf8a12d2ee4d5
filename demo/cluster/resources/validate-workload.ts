import { LabelSelector, matchesSelector } from '#src/engine/objects/label-selector.js';
import type { FieldError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import { copy, isObject, objectAt, sameJson, setAt, textAt, textMapAt, valueAt } from '../json.js';
import { forbiddenField, invalidValue, notNegative, required, unsupported } from './field-errors.js';
import { labelErrors } from './validate-metadata.js';
import { podSpecErrors } from './validate-pod.js';
import { deploymentStrategyErrors, integerOrPercentErrors } from './validate-strategy.js';

/** `pkg/apis/apps/validation: ValidateDeployment` and `ValidateDeploymentUpdate`. */
export function validateDeployment(
  deployment: ApiObject,
  previous: ApiObject | undefined,
): readonly FieldError[] {
  const deadline = valueAt(deployment, 'spec', 'progressDeadlineSeconds');
  const minReady = valueAt(deployment, 'spec', 'minReadySeconds') ?? 0;
  return [
    ...notNegative('spec.replicas', valueAt(deployment, 'spec', 'replicas')),
    ...templateErrors(deployment),
    ...deploymentStrategyErrors(deployment),
    ...notNegative('spec.minReadySeconds', minReady),
    ...notNegative('spec.revisionHistoryLimit', valueAt(deployment, 'spec', 'revisionHistoryLimit')),
    ...notNegative('spec.progressDeadlineSeconds', deadline),
    ...(typeof deadline === 'number' && typeof minReady === 'number' && deadline <= minReady
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
    ...selectorChange(deployment, previous),
    ...deploymentStatusErrors(deployment),
  ];
}

export function validateReplicaSet(
  replicaSet: ApiObject,
  previous: ApiObject | undefined,
): readonly FieldError[] {
  return [
    ...notNegative('spec.replicas', valueAt(replicaSet, 'spec', 'replicas')),
    ...notNegative('spec.minReadySeconds', valueAt(replicaSet, 'spec', 'minReadySeconds')),
    ...templateErrors(replicaSet),
    ...selectorChange(replicaSet, previous),
  ];
}

const mutableInStatefulSet = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function validateStatefulSet(
  statefulSet: ApiObject,
  previous: ApiObject | undefined,
): readonly FieldError[] {
  return [
    ...notNegative('spec.replicas', valueAt(statefulSet, 'spec', 'replicas')),
    ...notNegative('spec.minReadySeconds', valueAt(statefulSet, 'spec', 'minReadySeconds')),
    ...templateErrors(statefulSet),
    ...(previous === undefined || sameJson(fixedSpec(statefulSet), fixedSpec(previous))
      ? []
      : [
          forbiddenField(
            'spec',
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
          ),
        ]),
  ];
}

export function validateDaemonSet(
  daemonSet: ApiObject,
  previous: ApiObject | undefined,
): readonly FieldError[] {
  const path = 'spec.updateStrategy.rollingUpdate';
  const rollingUpdate = valueAt(daemonSet, 'spec', 'updateStrategy', 'rollingUpdate');
  const surge = valueAt(rollingUpdate, 'maxSurge') ?? 0;
  const unavailable = valueAt(rollingUpdate, 'maxUnavailable') ?? 0;
  return [
    ...templateErrors(daemonSet),
    ...(isObject(rollingUpdate)
      ? [
          ...integerOrPercentErrors(unavailable, `${path}.maxUnavailable`),
          ...integerOrPercentErrors(surge, `${path}.maxSurge`),
          ...(isZero(unavailable) && isZero(surge)
            ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
            : []),
          ...(!isZero(unavailable) && !isZero(surge)
            ? [invalidValue(`${path}.maxSurge`, surge, 'may not be set when maxUnavailable is non-zero')]
            : []),
        ]
      : []),
    ...selectorChange(daemonSet, previous),
  ];
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0%';
}

function fixedSpec(statefulSet: ApiObject): unknown {
  const spec = copy(objectAt(statefulSet, 'spec'));
  for (const field of mutableInStatefulSet) setAt(spec, [field], undefined);
  return spec;
}

/** Selector and template, and that the one selects the other (`ValidatePodTemplateSpecForReplicaSet`). */
function templateErrors(workload: ApiObject): readonly FieldError[] {
  const selector = valueAt(workload, 'spec', 'selector');
  const labels = textMapAt(workload, 'spec', 'template', 'metadata', 'labels');
  const parsed = LabelSelector.safeParse(selector ?? {});
  const isEmpty =
    Object.keys(objectAt(selector, 'matchLabels')).length === 0 &&
    valueAt(selector, 'matchExpressions') === undefined;
  const policy = textAt(workload, 'spec', 'template', 'spec', 'restartPolicy') ?? 'Always';
  const known = ['Always', 'OnFailure', 'Never'].includes(policy);
  return [
    ...(selector === undefined
      ? [required('spec.selector')]
      : isEmpty
        ? [
            invalidValue(
              'spec.selector',
              selector,
              `empty selector is invalid for ${workload.kind.toLowerCase()}`,
            ),
          ]
        : []),
    ...(selector === undefined || (parsed.success && !isEmpty && !matchesSelector(parsed.data, labels))
      ? [
          invalidValue(
            'spec.template.metadata.labels',
            valueAt(workload, 'spec', 'template', 'metadata', 'labels'),
            '`selector` does not match template `labels`',
          ),
        ]
      : []),
    ...Object.entries(labels).flatMap(([key, value]) =>
      labelErrors('spec.template.metadata.labels', key, value),
    ),
    ...podSpecErrors(objectAt(workload, 'spec', 'template', 'spec'), 'spec.template.spec'),
    ...(policy === 'Always' || !known
      ? []
      : [unsupported('spec.template.spec.restartPolicy', policy, ['Always'])]),
  ];
}

function selectorChange(workload: ApiObject, previous: ApiObject | undefined): readonly FieldError[] {
  const selector = valueAt(workload, 'spec', 'selector');
  const isSame = previous === undefined || sameJson(selector, valueAt(previous, 'spec', 'selector'));
  return isSame ? [] : [invalidValue('spec.selector', selector, 'field is immutable')];
}

/** `ValidateDeploymentStatus`: counts that cannot be. */
function deploymentStatusErrors(deployment: ApiObject): readonly FieldError[] {
  const replicas = Number(valueAt(deployment, 'status', 'replicas') ?? 0);
  return (['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const).flatMap((field) => {
    const value = Number(valueAt(deployment, 'status', field) ?? 0);
    return value > replicas
      ? [invalidValue(`status.${field}`, value, 'cannot be greater than status.replicas')]
      : [];
  });
}
