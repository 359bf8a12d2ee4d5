import { compareQuantities, formatQuantity, parseQuantity } from '#src/engine/scheduler/quantity.js';
import type { FieldError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import {
  copy,
  type JsonObject,
  listAt,
  objectAt,
  sameJson,
  setAt,
  textAt,
  textMapAt,
  valueAt,
} from '../json.js';
import { forbiddenField, invalidValue, required, unsupported } from './field-errors.js';
import { allContainers, applyPodDefaults } from './pod-defaults.js';
import { nodeAffinityErrors } from './validate-affinity.js';

/**
 * A pod's spec, in a Pod or in a template at `path` (`ValidatePodSpec`, the parts that requests get wrong).
 */
export function podSpecErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const containers = listAt(spec, 'containers');
  return [
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...containers.flatMap((container, index) => containerErrors(container, `${path}.containers[${index}]`)),
    ...listAt(spec, 'initContainers').flatMap((container, index) =>
      containerErrors(container, `${path}.initContainers[${index}]`),
    ),
    ...duplicateNames(spec, path),
    ...restartPolicyErrors(spec, path),
    ...nodeAffinityErrors(spec, path),
    ...volumeErrors(spec, path),
  ];
}

/** Pods keep their spec but for images, deadlines, gates and added tolerations (`ValidatePodUpdate`). */
export function validatePod(pod: ApiObject, previous: ApiObject | undefined): readonly FieldError[] {
  const errors = podSpecErrors(objectAt(pod, 'spec'), 'spec');
  if (previous === undefined || sameJson(mutedSpec(pod), mutedSpec(previous))) return errors;
  return [
    ...errors,
    forbiddenField(
      'spec',
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative),`spec.tolerations` (only additions to existing tolerations)',
    ),
  ];
}

/**
 * The spec, defaults included, without the fields that may change. A node may be set once, by the binding.
 */
function mutedSpec(pod: ApiObject): JsonObject {
  const defaulted = copy<JsonObject>(pod);
  applyPodDefaults(defaulted);
  const spec = objectAt(defaulted, 'spec');
  for (const container of allContainers(spec)) container.image = '';
  for (const field of [
    'activeDeadlineSeconds',
    'terminationGracePeriodSeconds',
    'tolerations',
    'schedulingGates',
    'ephemeralContainers',
  ]) {
    setAt(spec, [field], undefined);
  }
  return spec;
}

function containerErrors(container: JsonObject, path: string): readonly FieldError[] {
  return [
    ...(textAt(container, 'name') ? [] : [required(`${path}.name`)]),
    ...(textAt(container, 'image') ? [] : [required(`${path}.image`)]),
    ...listAt(container, 'ports').flatMap((port, index) => portErrors(port, `${path}.ports[${index}]`)),
    ...listAt(container, 'env').flatMap((variable, index) =>
      textAt(variable, 'name') ? [] : [required(`${path}.env[${index}].name`)],
    ),
    ...resourceErrors(container, `${path}.resources`),
  ];
}

function portErrors(port: JsonObject, path: string): readonly FieldError[] {
  return (['containerPort', 'hostPort'] as const).flatMap((field) => {
    const value = valueAt(port, field);
    if (value === undefined) return field === 'containerPort' ? [required(`${path}.${field}`)] : [];
    const isPort = typeof value === 'number' && value > 0 && value < 65_536;
    return isPort ? [] : [invalidValue(`${path}.${field}`, value, 'must be between 1 and 65535, inclusive')];
  });
}

/** Requests against limits; resources that cannot be overcommitted must have equal ones. */
function resourceErrors(container: JsonObject, path: string): readonly FieldError[] {
  const limits = textMapAt(container, 'resources', 'limits');
  const requests = textMapAt(container, 'resources', 'requests');
  return Object.entries(requests).flatMap(([name, text]) => {
    const request = parseQuantity(text);
    if (request === undefined) return [];
    const limitText = limits[name];
    const limit = limitText === undefined ? undefined : parseQuantity(limitText);
    const overcommits = !name.includes('/') && !name.startsWith('hugepages-');
    if (limit === undefined) {
      return overcommits
        ? []
        : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
    }
    const order = compareQuantities(request, limit);
    const limitSays = `${name} limit of ${formatQuantity(limit, name)}`;
    if (!overcommits && order !== 0) {
      return [
        invalidValue(`${path}.requests`, formatQuantity(request, name), `must be equal to ${limitSays}`),
      ];
    }
    return order <= 0
      ? []
      : [
          invalidValue(
            `${path}.requests`,
            formatQuantity(request, name),
            `must be less than or equal to ${limitSays}`,
          ),
        ];
  });
}

function duplicateNames(spec: JsonObject, path: string): readonly FieldError[] {
  const seen = new Set<unknown>();
  return listAt(spec, 'containers').flatMap((container, index): readonly FieldError[] => {
    const name = container.name;
    const repeated = seen.has(name);
    seen.add(name);
    return repeated ? [{ type: 'Duplicate', field: `${path}.containers[${index}].name`, value: name }] : [];
  });
}

function restartPolicyErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const supported = ['Always', 'OnFailure', 'Never'];
  const policy = textAt(spec, 'restartPolicy') ?? 'Always';
  return supported.includes(policy) ? [] : [unsupported(`${path}.restartPolicy`, policy, supported)];
}

function volumeErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const volumes = new Set(listAt(spec, 'volumes').map((volume) => volume.name));
  return listAt(spec, 'containers').flatMap((container, index) =>
    listAt(container, 'volumeMounts').flatMap((mount, at): readonly FieldError[] => {
      const field = `${path}.containers[${index}].volumeMounts[${at}].name`;
      return volumes.has(mount.name) ? [] : [{ type: 'NotFound', field, value: mount.name }];
    }),
  );
}
