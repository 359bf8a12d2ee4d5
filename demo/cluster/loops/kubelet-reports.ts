import type { ApiObject } from '../api-object.js';
import { listAt, textAt } from '../json.js';
import type { WriteOptions } from '../registry/registry.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { Hindrance } from './hindrance.js';
import type { LoopContext } from './loop.js';
import type { PodBehaviour } from './pod-behaviour.js';

const nodes = requireResourceType('', 'nodes');

export function writerOn(node: string): WriteOptions {
  return { manager: 'kubelet', user: `system:node:${node}`, dryRun: false };
}

export function containersOf(pod: ApiObject): readonly string[] {
  return listAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name') ?? '');
}

export function addressOf({ registry }: LoopContext, node: string): string {
  const addresses = listAt(registry.store.get(nodes.storage, node), 'status', 'addresses');
  return (
    textAt(
      addresses.find(({ type }) => type === 'InternalIP'),
      'address',
    ) ?? '127.0.0.1'
  );
}

export function started(context: LoopContext, pod: ApiObject, container: string, how: PodBehaviour): void {
  const pulled = `Container image "${imageOf(pod, container)}" already present on machine and can be accessed by the pod`;
  record(context, pod, container, 'Normal', 'Pulled', pulled);
  record(context, pod, container, 'Normal', 'Created', 'Container created');
  record(context, pod, container, 'Normal', 'Started', 'Container started');
  const { namespace = '', name } = pod.metadata;
  context.logs.rotate(namespace, name, container);
  if (how.log !== undefined) context.logs.append(namespace, name, container, how.log);
}

export function ended(
  context: LoopContext,
  pod: ApiObject,
  container: string,
  { crash }: PodBehaviour,
): void {
  const { namespace = '', name } = pod.metadata;
  if (crash?.log !== undefined) context.logs.append(namespace, name, container, crash.log);
  if (crash?.probe === undefined) return;
  const { kind, says } = crash.probe;
  record(context, pod, container, 'Warning', 'Unhealthy', `${kind} probe failed: ${says}`);
  const message = `Container ${container} failed ${kind.toLowerCase()} probe, will be restarted`;
  record(context, pod, container, 'Normal', 'Killing', message);
}

export function backsOff(context: LoopContext, pod: ApiObject, container: string): void {
  const { namespace = '', name, uid } = pod.metadata;
  const message = `Back-off restarting failed container ${container} in pod ${name}_${namespace}(${uid})`;
  record(context, pod, container, 'Warning', 'BackOff', message);
}

export function startFailed(
  context: LoopContext,
  pod: ApiObject,
  { container, kind, message }: Hindrance,
): void {
  const image = imageOf(pod, container);
  if (kind === 'config') {
    const pulled = `Container image "${image}" already present on machine and can be accessed by the pod`;
    record(context, pod, container, 'Normal', 'Pulled', pulled);
    record(context, pod, container, 'Warning', 'Failed', `Error: ${message}`);
    return;
  }
  record(context, pod, container, 'Normal', 'Pulling', `Pulling image "${image}"`);
  record(context, pod, container, 'Warning', 'Failed', `Failed to pull image "${image}": ${message}`);
  record(context, pod, container, 'Warning', 'Failed', 'Error: ErrImagePull');
}

export function pullBacksOff(context: LoopContext, pod: ApiObject, container: string): void {
  record(context, pod, container, 'Normal', 'BackOff', `Back-off pulling image "${imageOf(pod, container)}"`);
  record(context, pod, container, 'Warning', 'Failed', 'Error: ImagePullBackOff');
}

export function imageOf(pod: ApiObject, container: string): string {
  return (
    textAt(
      listAt(pod, 'spec', 'containers').find(({ name }) => name === container),
      'image',
    ) ?? ''
  );
}

export function record(
  context: LoopContext,
  pod: ApiObject,
  container: string,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  const host = textAt(pod, 'spec', 'nodeName') ?? '';
  const fieldPath = `spec.containers{${container}}`;
  context.events.record(pod, { type, reason, message, component: 'kubelet', host, fieldPath });
}
