import {
  containerDefaults,
  defaultPullPolicy,
  fieldRefDefaults,
  httpGetDefaults,
  podSpecDefaults,
  portDefaults,
  probeDefaults,
  sourcesWithMode,
} from '#src/engine/workloads/template-equality.js';
import { isObject, type JsonObject, listAt, objectAt, valueAt } from '../json.js';

/**
 * What `pkg/apis/core/v1/defaults.go: SetDefaults_PodSpec` and its fellows store, in templates and pods
 * alike.
 */
function applyPodSpecDefaults(spec: JsonObject): void {
  fill(spec, podSpecDefaults, ['enableServiceLinks']);
  if (typeof spec.serviceAccountName === 'string') spec.serviceAccount ??= spec.serviceAccountName;
  for (const container of allContainers(spec)) applyContainerDefaults(container);
  for (const volume of listAt(spec, 'volumes')) applyVolumeDefaults(volume);
}

/** Defaults of a Pod that its template does not get (`SetDefaults_Pod`). */
export function applyPodDefaults(pod: JsonObject): void {
  const spec = pod.spec;
  if (!isObject(spec)) return;
  applyPodSpecDefaults(spec);
  spec.enableServiceLinks ??= true;
  for (const container of allContainers(spec)) {
    const limits = objectAt(container, 'resources', 'limits');
    if (Object.keys(limits).length > 0 && isObject(container.resources)) {
      container.resources.requests = { ...limits, ...objectAt(container, 'resources', 'requests') };
    }
    if (spec.hostNetwork === true) {
      for (const port of listAt(container, 'ports')) port.hostPort ??= port.containerPort;
    }
  }
}

export function applyTemplateDefaults(workload: JsonObject): void {
  const spec = valueAt(workload, 'spec', 'template', 'spec');
  if (isObject(spec)) applyPodSpecDefaults(spec);
}

export function allContainers(spec: JsonObject): readonly JsonObject[] {
  return [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')];
}

function applyContainerDefaults(container: JsonObject): void {
  fill(container, containerDefaults);
  container.imagePullPolicy ??= defaultPullPolicy(container.image);
  container.resources ??= {};
  for (const port of listAt(container, 'ports')) {
    if (port.hostPort === 0) delete port.hostPort;
    fill(port, portDefaults);
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (!isObject(probe)) continue;
    fill(probe, probeDefaults);
    if (isObject(probe.httpGet)) fill(probe.httpGet, httpGetDefaults);
  }
  for (const variable of listAt(container, 'env')) {
    const reference = valueAt(variable, 'valueFrom', 'fieldRef');
    if (isObject(reference)) fill(reference, fieldRefDefaults);
  }
}

function applyVolumeDefaults(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  for (const source of sourcesWithMode) {
    const value = volume[source];
    if (isObject(value)) value.defaultMode ??= 420;
  }
}

function fill(target: JsonObject, defaults: JsonObject, except: readonly string[] = []): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (!except.includes(key) && (target[key] === undefined || target[key] === null)) {
      target[key] = structuredClone(value);
    }
  }
}
