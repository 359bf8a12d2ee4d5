import type { ApiObject } from '../api-object.js';
import { listAt, textAt, valueAt } from '../json.js';

type SelectableFields = Readonly<Record<string, (object: ApiObject) => string>>;

function text(...path: readonly string[]): (object: ApiObject) => string {
  return (object) => textAt(object, ...path) ?? '';
}

function flag(...path: readonly string[]): (object: ApiObject) => string {
  return (object) => String(valueAt(object, ...path) === true);
}

/** `pkg/apis/core/v1/conversion.go: addFieldLabelConversionsForPod`. */
export const podFields: SelectableFields = {
  'spec.nodeName': text('spec', 'nodeName'),
  'spec.restartPolicy': text('spec', 'restartPolicy'),
  'spec.schedulerName': text('spec', 'schedulerName'),
  'spec.serviceAccountName': text('spec', 'serviceAccountName'),
  'spec.hostNetwork': flag('spec', 'hostNetwork'),
  'status.phase': text('status', 'phase'),
  'status.podIP': text('status', 'podIP'),
  'status.podIPs': (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') ?? '',
  'status.nominatedNodeName': text('status', 'nominatedNodeName'),
};

export const nodeFields: SelectableFields = { 'spec.unschedulable': flag('spec', 'unschedulable') };

export const namespaceFields: SelectableFields = { 'status.phase': text('status', 'phase') };

export const secretFields: SelectableFields = { type: text('type') };

export const replicaSetFields: SelectableFields = {
  'status.replicas': (object) => String(valueAt(object, 'status', 'replicas') ?? 0),
};

export const eventFields: SelectableFields = {
  'involvedObject.kind': text('involvedObject', 'kind'),
  'involvedObject.namespace': text('involvedObject', 'namespace'),
  'involvedObject.name': text('involvedObject', 'name'),
  'involvedObject.uid': text('involvedObject', 'uid'),
  'involvedObject.apiVersion': text('involvedObject', 'apiVersion'),
  'involvedObject.resourceVersion': text('involvedObject', 'resourceVersion'),
  'involvedObject.fieldPath': text('involvedObject', 'fieldPath'),
  reason: text('reason'),
  reportingComponent: text('reportingComponent'),
  source: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent') || '',
  type: text('type'),
};

/** The same under the names of `events.k8s.io`. */
export const newEventFields: SelectableFields = {
  ...Object.fromEntries(
    Object.entries(eventFields)
      .filter(([field]) => field.startsWith('involvedObject.'))
      .map(([field, fieldOf]) => [field.replace('involvedObject.', 'regarding.'), fieldOf]),
  ),
  reason: text('reason'),
  reportingController: text('reportingComponent'),
  type: text('type'),
};
