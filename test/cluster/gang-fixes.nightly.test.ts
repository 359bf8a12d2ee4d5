import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { type AppliedFix, applyFix, type Copy, createFixTable } from './forms/applied-fix.js';
import {
  createRecordedNodes,
  diagnosedAsRecorded,
  formerRevision,
  incidentsWithFixes,
  type RecordedIncident,
  secondsAfterRefusal,
  updateToRecorded,
} from './forms/recorded-incident.js';
import { repeatUntilEnded } from './forms/repeat-until-ended.js';
import { definePodGroups, playVolcano } from './gangs/played-volcano.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { Program } from './harness/program.js';
import { applyShipped } from './harness/shipped-rbac.js';
import { withProgram } from './harness/with-program.js';
import { podNames, untilRolledOut, untilUnschedulable } from './incidents/rolling.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const incidents = await incidentsWithFixes('gangs');
const table = createFixTable();
const hasGroups = ({ objects }: RecordedIncident): boolean => objects('PodGroup').length > 0;

/**
 * Volcano's controller and scheduler are played. The pods of the incident with a PodGroup of Coscheduling
 * name kube-scheduler, which runs without that plugin.
 */
describe(`fixes offered for Deployments whose pods start in groups on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version, env: { VERIFY_SECONDS: '8' }, cancelSeconds: 0, watches: false }, (started) => {
    ({ cluster, program } = started);
  });
  beforeAll(() => definePodGroups(cluster));
  afterAll(table.end);

  describe('without the right to read PodGroups', () => {
    it.for(incidents.filter((each) => !hasGroups(each)))('$id: $title', { timeout: 400_000 }, applyAll);
  });

  describe('with the right to read PodGroups', () => {
    beforeAll(() => applyShipped(cluster, ['pod-groups/pod-groups.yaml']));
    it.for(incidents.filter(hasGroups))('$id: $title', { timeout: 400_000 }, applyAll);
  });

  async function applyAll(incident: RecordedIncident): Promise<void> {
    const applied: AppliedFix[] = [];
    for (const fix of incident.fixes) {
      const copy = await reproduced(incident);
      applied.push(table.note(await applyFix({ cluster, program }, copy, fix)));
      await cluster.clear();
    }
    expect(applied.filter(({ differences }) => differences.length > 0)).toEqual([]);
  }

  async function reproduced(incident: RecordedIncident): Promise<Copy> {
    await createRecordedNodes(cluster, incident);
    const namespace = await cluster.createNamespace('shop');
    const { kind, name } = { kind: 'Deployment' as const, name: incident.expected.workload.name };
    const workload: WorkloadRef = { cluster: 'test', kind, namespace, name };
    await createGroups(incident, namespace);
    const startVolcano = () => repeatUntilEnded(playVolcano(cluster, namespace));
    const endVolcano = startVolcano();
    await cluster.create<V1Deployment>(formerRevision(incident, namespace));
    await untilRolledOut(cluster, namespace, name);
    const before = await podNames(cluster, namespace, name);
    await updateToRecorded(cluster, incident, workload);
    await untilUnschedulable(cluster, namespace, name, before, []);
    await endVolcano();
    program.dateDiagnoses(secondsAfterRefusal(incident));
    const unreadable = hasGroups(incident) ? [] : ['PodGroup'];
    const latest = await diagnosedAsRecorded(program, workload, incident, before, unreadable);
    return { form: incident.id, workload, latest, startOthers: startVolcano, isTaken: async () => false };
  }

  /** PodGroups that no controller makes. */
  async function createGroups({ objects }: RecordedIncident, namespace: string): Promise<void> {
    for (const { apiVersion, kind, metadata, spec } of objects('PodGroup')) {
      if (metadata?.ownerReferences !== undefined) continue;
      const named = { namespace, name: metadata?.name ?? '' };
      await cluster.create({ apiVersion, kind, metadata: named, spec } as KubernetesObject);
    }
  }
});
