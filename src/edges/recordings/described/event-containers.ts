import { isObject } from '../../../engine/objects/wire.js';
import type { TextObject } from './described-kind.js';
import type { TextEvent } from './events.js';

/** Events of kubelets about one container (`pkg/kubelet/events/event.go`: containers, images, probes). */
const ofContainers: ReadonlySet<string> = new Set([
  'Created',
  'Started',
  'Failed',
  'Killing',
  'BackOff',
  'ExceededGracePeriod',
  'Pulling',
  'Pulled',
  'InspectFailed',
  'ErrImageNeverPull',
  'Unhealthy',
  'ProbeWarning',
  'FailedPostStartHook',
  'FailedPreStopHook',
  'UnfinishedPreStopHook',
]);

/**
 * The path of the container that an event is about. Older versions and tables leave it out: then it is the
 * only container of the pod, or the only one whose name or image the message contains.
 */
export function containerPathOf(event: TextEvent, pod: TextObject | undefined): string | undefined {
  const { involvedObject, reason } = event;
  if (involvedObject.fieldPath !== undefined) return involvedObject.fieldPath;
  if (!ofContainers.has(reason) || pod === undefined || !isObject(pod.spec)) return undefined;
  const all = [...containersIn(pod.spec, 'initContainers'), ...containersIn(pod.spec, 'containers')];
  const message = typeof event.message === 'string' ? event.message : '';
  const words = new Set(message.split(/[\s"',]+/u).map((word) => word.replace(/[:.]$/u, '')));
  const named = all.length === 1 ? all : all.filter(({ name }) => words.has(name));
  const meant = named.length > 0 ? named : all.filter(({ image }) => words.has(image));
  const [only] = meant;
  return only === undefined || meant.length > 1 ? undefined : `spec.${only.list}{${only.name}}`;
}

function containersIn(spec: Readonly<Record<string, unknown>>, list: 'initContainers' | 'containers') {
  const containers = Array.isArray(spec[list]) ? spec[list] : [];
  return containers.flatMap((container: unknown) =>
    isObject(container) ? [{ list, name: String(container.name), image: String(container.image) }] : [],
  );
}
