import { isCounted } from '#src/engine/scheduler/resource-name.js';
import { forbidden } from '../api/status-error.js';
import { type JsonObject, listAt, numberAt, objectAt, setAt, textAt, textMapAt, valueAt } from '../json.js';
import type { AdmissionPlugin } from '../registry/registry.js';
import { allContainers } from '../resources/pod-defaults.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { ObjectStore } from '../store/object-store.js';

const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** ServiceAccount: pods without one run as `default`. Tokens are not mounted. */
export const serviceAccount: AdmissionPlugin = (pod, { operation, type }) => {
  if (operation !== 'create' || type.kind !== 'Pod') return;
  const name = textAt(pod, 'spec', 'serviceAccountName') || 'default';
  setAt(pod, ['spec', 'serviceAccountName'], name);
  setAt(pod, ['spec', 'serviceAccount'], name);
};

/** DefaultTolerationSeconds: 300 s on nodes that are not ready or not reachable. */
export const defaultTolerations: AdmissionPlugin = (pod, { operation, type }) => {
  if (operation !== 'create' || type.kind !== 'Pod') return;
  const tolerations = listAt(pod, 'spec', 'tolerations');
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (taint) => !tolerations.some((toleration) => toleratesNoExecute(toleration, taint)),
  );
  if (missing.length === 0) return;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  setAt(pod, ['spec', 'tolerations'], [...tolerations, ...added]);
};

function toleratesNoExecute(toleration: JsonObject, taint: string): boolean {
  const key = textAt(toleration, 'key') ?? '';
  const effect = textAt(toleration, 'effect') ?? '';
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

/** Priority: the number and preemption policy of the pod's class, or of the global default. */
export function podPriority(store: ObjectStore): AdmissionPlugin {
  const classes = requireResourceType('scheduling.k8s.io', 'priorityclasses');
  return (pod, { operation, type, name: podName }) => {
    if (operation !== 'create' || type.kind !== 'Pod') return;
    const name = textAt(pod, 'spec', 'priorityClassName') ?? '';
    const all = store.list(classes.storage);
    const chosen = all.find((each) =>
      name === '' ? valueAt(each, 'globalDefault') === true : each.metadata.name === name,
    );
    const builtIn = systemPriorities[name];
    if (name !== '' && chosen === undefined && builtIn === undefined) {
      throw forbidden(type, podName, `no PriorityClass with name ${name} was found`);
    }
    const policy = textAt(chosen, 'preemptionPolicy') ?? 'PreemptLowerPriority';
    setAt(pod, ['spec', 'priority'], numberAt(chosen, 'value') ?? builtIn ?? 0);
    if (valueAt(pod, 'spec', 'preemptionPolicy') === undefined)
      setAt(pod, ['spec', 'preemptionPolicy'], policy);
    if (name === '' && chosen !== undefined) setAt(pod, ['spec', 'priorityClassName'], chosen.metadata.name);
  };
}

/** LimitRanger: requests and limits for containers that name none. Bounds are not checked. */
export function limitRangeDefaults(store: ObjectStore): AdmissionPlugin {
  const limitRanges = requireResourceType('', 'limitranges');
  return (pod, { operation, type, namespace }) => {
    if (operation !== 'create' || type.kind !== 'Pod') return;
    const items = store
      .list(limitRanges.storage)
      .filter(({ metadata }) => metadata.namespace === namespace)
      .flatMap((limitRange) => listAt(limitRange, 'spec', 'limits'))
      .filter((item) => item.type === 'Container');
    const limits = Object.assign({}, ...items.map((item) => textMapAt(item, 'default')));
    const requests = Object.assign({}, ...items.map((item) => textMapAt(item, 'defaultRequest')));
    for (const container of allContainers(objectAt(pod, 'spec'))) {
      const own = {
        limits: textMapAt(container, 'resources', 'limits'),
        requests: textMapAt(container, 'resources', 'requests'),
      };
      const allLimits = { ...limits, ...own.limits };
      const allRequests = { ...limits, ...requests, ...own.limits, ...own.requests };
      if (Object.keys(allLimits).length > 0) setAt(container, ['resources', 'limits'], allLimits);
      if (Object.keys(allRequests).length > 0) setAt(container, ['resources', 'requests'], allRequests);
    }
  };
}

/** What the registry gives a new pod: phase and quality of service (`pkg/apis/core/v1/helper/qos`). */
export const initialPodStatus: AdmissionPlugin = (pod, { operation, type }) => {
  if (operation !== 'create' || type.kind !== 'Pod') return;
  pod.status = { phase: 'Pending', qosClass: qosClassOf(objectAt(pod, 'spec')) };
};

function qosClassOf(spec: JsonObject): string {
  const compute = ['cpu', 'memory'];
  const containers = allContainers(spec);
  const requests = containers.map((container) => textMapAt(container, 'resources', 'requests'));
  const limits = containers.map((container) => textMapAt(container, 'resources', 'limits'));
  const named = [...requests, ...limits].some((list) =>
    Object.keys(list).some((name) => compute.includes(name) && isCounted(name)),
  );
  if (!named) return 'BestEffort';
  const guaranteed = limits.every((limit, index) =>
    compute.every(
      (name) => limit[name] !== undefined && (requests[index]?.[name] ?? limit[name]) === limit[name],
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
