import { describe, expect, it } from 'vitest';
import { workloadLabels } from '#src/doctor/alerts/label-names.js';
import { workloadKindOf } from '#src/doctor/commands/workload-kind.js';
import { collectionPath } from '#src/edges/kubernetes/resource-paths.js';
import { isOfKnownGroup } from '#src/edges/recordings/api-groups.js';
import { apiKindOf, clusterObjects, modelKindOf, workloadsIn } from '#src/engine/objects/cluster-objects.js';
import { kindBetweenPods } from '#src/engine/objects/unread.js';
import {
  addOnAbove,
  apiVersionOf,
  Deployment,
  hasDeploymentStrategy,
  hasGroups,
  hasOrdinals,
  hasPodPerNode,
  hasReplicaSets,
  hasSteps,
  isAddOn,
  kindNamed,
  workloadKinds,
} from '#src/engine/objects/workload.js';

describe.each(workloadKinds)('the kind %s, known by one line in the list of kinds', (kind) => {
  const { plural, names, alertLabels, partsBelongTo, templatePaths } = kindNamed(kind);

  it.each(names)('is what people mean by "%s"', (word) => {
    expect(workloadKindOf(word)).toBe(kind);
    expect(workloadKindOf(word.toUpperCase())).toBe(kind);
    expect(workloadKindOf(`${word}x`)).toBeUndefined();
  });

  it('is read where its API serves it, and recognised by its group', () => {
    const apiVersion = apiVersionOf(kind);

    expect(collectionPath(kind, 'shop')).toBe(`/apis/${apiVersion}/namespaces/shop/${plural}`);
    expect(isOfKnownGroup(kind, apiVersion)).toBe(true);
    expect(isOfKnownGroup(kind, `example.com/v1`)).toBe(false);
    expect(modelKindOf(apiKindOf(kind), apiVersion)).toBe(kind);
  });

  it('has its labels in alerts', () => {
    expect(workloadLabels.find((each) => each.kind === kind)?.labels).toEqual(alertLabels);
  });

  it('says where its pod template is', () => {
    expect(templatePaths.length).toBeGreaterThan(0);
    expect(templatePaths.every((path) => path.startsWith('spec.'))).toBe(true);
  });

  it('is found above its parts exactly where not every cluster serves it', () => {
    const ownerReferences = [
      { apiVersion: 'v1', kind: partsBelongTo ?? kind, name: 'web', uid: 'u', controller: true },
    ];
    const { metadata } = Deployment.parse({
      metadata: { name: 'part', namespace: 'shop', ownerReferences },
      spec: { selector: {}, template: {} },
    });

    expect(addOnAbove({ metadata })).toBe(isAddOn(kind) ? kind : undefined);
  });
});

describe('the question of a kind', () => {
  const questions = {
    hasReplicaSets,
    hasOrdinals,
    hasPodPerNode,
    hasGroups,
    hasSteps,
    hasDeploymentStrategy,
  };
  const kindsThat = (question: keyof typeof questions) =>
    workloadKinds.filter((kind) => questions[question]({ kind }));

  it.each([
    ['hasReplicaSets', ['Deployment', 'Rollout']],
    ['hasOrdinals', ['StatefulSet']],
    ['hasPodPerNode', ['DaemonSet']],
    ['hasGroups', ['LeaderWorkerSet']],
    ['hasSteps', ['Rollout']],
    ['hasDeploymentStrategy', ['Deployment']],
  ] as const)('%s holds for %j', (question, expected) => {
    expect(kindsThat(question)).toEqual(expected);
  });

  it.each(['ReplicaSet', 'Pod', 'Revisioned', 'constructor', 'deployment', ''])(
    'holds for no object of the kind "%s", which is none of a workload',
    (kind) => {
      expect(Object.values(questions).some((holds) => holds({ kind }))).toBe(false);
    },
  );

  it('holds for nothing where there is no object', () => {
    expect(Object.values(questions).some((holds) => holds(undefined))).toBe(false);
  });

  it('names what owns the pods of a workload, where the workload does not', () => {
    expect(Object.fromEntries(workloadKinds.map((kind) => [kind, kindBetweenPods(kind)]))).toEqual({
      Deployment: 'ReplicaSet',
      StatefulSet: undefined,
      DaemonSet: undefined,
      Rollout: 'ReplicaSet',
      LeaderWorkerSet: 'StatefulSet',
      KnativeService: 'ReplicaSet',
      RayService: undefined,
      DynamoGraphDeployment: 'ReplicaSet',
    });
  });

  it('lists the workloads of every kind', () => {
    const schema = { metadata: { name: 'web', namespace: 'shop' }, spec: { selector: {}, template: {} } };

    expect(workloadsIn(clusterObjects({ Deployment: [Deployment.parse(schema)] }))).toHaveLength(1);
  });
});
