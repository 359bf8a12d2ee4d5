/**
 * Values that the API server sets where a manifest leaves a field out (kubernetes
 * `pkg/apis/apps/v1/defaults.go`, `pkg/apis/core/v1/defaults.go`). An entry `Update` of `managedFields` lists
 * them like declared ones.
 */
const ofKind: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Deployment: {
    'spec.strategy.type': 'RollingUpdate',
    'spec.strategy.rollingUpdate.maxSurge': '25%',
    'spec.strategy.rollingUpdate.maxUnavailable': '25%',
    'spec.paused': false,
    'spec.replicas': 1,
  },
  DaemonSet: {
    'spec.updateStrategy.type': 'RollingUpdate',
    'spec.updateStrategy.rollingUpdate.maxSurge': 0,
    'spec.updateStrategy.rollingUpdate.maxUnavailable': 1,
  },
  StatefulSet: {
    'spec.updateStrategy.type': 'RollingUpdate',
    'spec.updateStrategy.rollingUpdate.partition': 0,
    'spec.replicas': 1,
  },
};

/** Fields of the pod template, by their last step. */
const ofTemplate: Readonly<Record<string, readonly unknown[]>> = {
  imagePullPolicy: ['IfNotPresent', 'Always'],
  terminationMessagePath: ['/dev/termination-log'],
  terminationMessagePolicy: ['File'],
  restartPolicy: ['Always'],
  dnsPolicy: ['ClusterFirst'],
  schedulerName: ['default-scheduler'],
  terminationGracePeriodSeconds: [30],
  protocol: ['TCP'],
  timeoutSeconds: [1],
  periodSeconds: [10],
  successThreshold: [1],
  failureThreshold: [3],
  scheme: ['HTTP'],
  defaultMode: [420],
};

/** Whether the value is the one that the API server would have set by itself. */
export function isApiDefault(kind: string, path: string, value: unknown): boolean {
  const known = ofKind[kind];
  if (known !== undefined && Object.hasOwn(known, path)) return known[path] === value;
  if (!path.startsWith('spec.template.')) return false;
  const last = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(ofTemplate, last) && (ofTemplate[last] ?? []).includes(value);
}
