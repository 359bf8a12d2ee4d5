import { groupAnnotations, groupLabels, type LeaderWorkerSet } from '../../objects/leader-worker-set.js';

/** Values of lws 0.10; `Default` is the former name of `None`. */
const knownTypes: ReadonlySet<string> = new Set(['RollingUpdate']);
const knownStartups: ReadonlySet<string> = new Set(['LeaderCreated', 'LeaderReady']);
const knownRestarts: ReadonlySet<string> = new Set([
  'Default',
  'None',
  'RecreateGroupOnPodRestart',
  'RecreateGroupAfterStart',
]);

/** Labels that the webhook computes, and that an affinity or a spread of a template may name. */
const computedLabels = [groupLabels.groupKey, groupLabels.subgroupKey, groupLabels.subgroupIndex];

/**
 * Settings that bear on where the pods of a group may run, or on what the controller does, and that the
 * engine leaves out: an annotation, a label or a field, with its value where another value is simulated. With
 * an exclusive topology, the webhook adds affinities to pods as they are created (lws
 * `pod_webhook.go: SetExclusiveAffinities`). Claims decide on which nodes workers may run that do not exist
 * yet.
 */
export function notSimulatedSettings({ metadata, spec }: LeaderWorkerSet): readonly string[] {
  const { leaderWorkerTemplate, rolloutStrategy, startupPolicy } = spec;
  const { restartPolicy, size, volumeClaimTemplates } = leaderWorkerTemplate;
  const text = JSON.stringify(leaderWorkerTemplate.raw);
  const topologies = [groupAnnotations.exclusiveTopology, groupAnnotations.subgroupExclusiveTopology];
  return [
    ...topologies.filter((name) => metadata.annotations[name] !== undefined),
    ...computedLabels.filter((name) => text.includes(name)),
    ...(size > 1 && volumeClaimTemplates.length > 0
      ? ['spec.leaderWorkerTemplate.volumeClaimTemplates']
      : []),
    ...unless(knownTypes, 'spec.rolloutStrategy.type', rolloutStrategy.type),
    ...unless(knownStartups, 'spec.startupPolicy', startupPolicy),
    ...unless(knownRestarts, 'spec.leaderWorkerTemplate.restartPolicy', restartPolicy),
  ];
}

function unless(known: ReadonlySet<string>, field: string, value: string): readonly string[] {
  return known.has(value) ? [] : [`${field}: ${value}`];
}
