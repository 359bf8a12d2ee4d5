import { isObject, type JsonObject, setAt, valueAt } from '../json.js';
import { applyTemplateDefaults } from './pod-defaults.js';

/** `pkg/apis/apps/v1/defaults.go: SetDefaults_Deployment`. */
export function applyDeploymentDefaults(deployment: JsonObject): void {
  applyTemplateDefaults(deployment);
  fill(deployment, ['spec', 'replicas'], 1);
  fill(deployment, ['spec', 'revisionHistoryLimit'], 10);
  fill(deployment, ['spec', 'progressDeadlineSeconds'], 600);
  fill(deployment, ['spec', 'strategy', 'type'], 'RollingUpdate');
  if (valueAt(deployment, 'spec', 'strategy', 'type') !== 'RollingUpdate') return;
  fill(deployment, ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], '25%');
  fill(deployment, ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], '25%');
}

export function applyReplicaSetDefaults(replicaSet: JsonObject): void {
  applyTemplateDefaults(replicaSet);
  fill(replicaSet, ['spec', 'replicas'], 1);
}

/** `SetDefaults_StatefulSet`. */
export function applyStatefulSetDefaults(statefulSet: JsonObject): void {
  applyTemplateDefaults(statefulSet);
  fill(statefulSet, ['spec', 'replicas'], 1);
  fill(statefulSet, ['spec', 'revisionHistoryLimit'], 10);
  fill(statefulSet, ['spec', 'podManagementPolicy'], 'OrderedReady');
  fill(statefulSet, ['spec', 'persistentVolumeClaimRetentionPolicy', 'whenDeleted'], 'Retain');
  fill(statefulSet, ['spec', 'persistentVolumeClaimRetentionPolicy', 'whenScaled'], 'Retain');
  fill(statefulSet, ['spec', 'updateStrategy', 'type'], 'RollingUpdate');
  if (valueAt(statefulSet, 'spec', 'updateStrategy', 'type') !== 'RollingUpdate') return;
  fill(statefulSet, ['spec', 'updateStrategy', 'rollingUpdate', 'partition'], 0);
}

/** `SetDefaults_DaemonSet`. */
export function applyDaemonSetDefaults(daemonSet: JsonObject): void {
  applyTemplateDefaults(daemonSet);
  fill(daemonSet, ['spec', 'revisionHistoryLimit'], 10);
  fill(daemonSet, ['spec', 'updateStrategy', 'type'], 'RollingUpdate');
  if (valueAt(daemonSet, 'spec', 'updateStrategy', 'type') !== 'RollingUpdate') return;
  fill(daemonSet, ['spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable'], 1);
  fill(daemonSet, ['spec', 'updateStrategy', 'rollingUpdate', 'maxSurge'], 0);
}

/** Sets the value unless the field, or something on the way to it that is no object, is there. */
export function fill(object: JsonObject, path: readonly string[], value: unknown): void {
  for (let length = 1; length < path.length; length += 1) {
    const onTheWay = valueAt(object, ...path.slice(0, length));
    if (onTheWay !== undefined && !isObject(onTheWay)) return;
  }
  if (valueAt(object, ...path) === undefined) setAt(object, path, value);
}
