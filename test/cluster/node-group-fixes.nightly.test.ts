import type { CoreV1Event, V1ConfigMap, V1Pod } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { autoscalerStatusMap } from '#src/engine/objects/autoscaler-status.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { type AppliedFix, applyFix, type Copy, createFixTable } from './forms/applied-fix.js';
import {
  createRecordedNodes,
  diagnosedAsRecorded,
  formerRevision,
  incidentsWithFixes,
  type RecordedIncident,
  refusedAt,
  secondsAfterRefusal,
  updateToRecorded,
} from './forms/recorded-incident.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { Program } from './harness/program.js';
import { applyShipped } from './harness/shipped-rbac.js';
import { withProgram } from './harness/with-program.js';
import { podNames, untilRolledOut, untilUnschedulable } from './incidents/rolling.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const incidents = await incidentsWithFixes('node-groups');
const table = createFixTable();

/**
 * The recorded status and events of cluster-autoscaler are written into the cluster, as late after the
 * refusal as in the recording. No autoscaler runs, so no node is added.
 */
describe(`fixes offered beside the status of cluster-autoscaler on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version, env: { VERIFY_SECONDS: '8' }, cancelSeconds: 0, watches: false }, (started) => {
    ({ cluster, program } = started);
  });
  beforeAll(() => applyShipped(cluster, ['cluster-autoscaler/status.yaml']));
  const clearStatus = () => cluster.remove({ kind: 'ConfigMap', ...autoscalerStatusMap });
  afterEach(clearStatus);
  afterAll(table.end);

  it.for(incidents)('$id: $title', { timeout: 400_000 }, async (incident) => {
    const applied: AppliedFix[] = [];
    for (const fix of incident.fixes) {
      const copy = await reproduced(incident);
      applied.push(table.note(await applyFix({ cluster, program }, copy, fix)));
      await clearStatus();
      await cluster.clear();
    }
    expect(applied.filter(({ differences }) => differences.length > 0)).toEqual([]);
  });

  async function reproduced(incident: RecordedIncident): Promise<Copy> {
    await createRecordedNodes(cluster, incident);
    const namespace = await cluster.createNamespace('shop');
    const { kind, name } = { kind: 'Deployment' as const, name: incident.expected.workload.name };
    const workload: WorkloadRef = { cluster: 'test', kind, namespace, name };
    await cluster.create(formerRevision(incident, namespace));
    await untilRolledOut(cluster, namespace, name);
    const before = await podNames(cluster, namespace, name);
    await updateToRecorded(cluster, incident, workload);
    await untilUnschedulable(cluster, namespace, name, before, ['Insufficient nvidia.com/gpu']);
    await writeAutoscaler(incident, namespace, before);
    program.dateDiagnoses(secondsAfterRefusal(incident));
    const latest = await diagnosedAsRecorded(program, workload, incident, before);
    return {
      form: incident.id,
      workload,
      latest,
      startOthers: () => async () => {},
      isTaken: async () => false,
    };
  }

  /** Writes what cluster-autoscaler had written, moved to the time of this copy. */
  async function writeAutoscaler(
    { objects }: RecordedIncident,
    namespace: string,
    before: readonly string[],
  ): Promise<void> {
    const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
    const [pod] = items.filter(({ metadata }) => !before.includes(metadata?.name ?? ''));
    const { name = '', uid = '' } = pod?.metadata ?? {};
    const later = refusedAt(items) - refusedAt(objects('Pod'));
    for (const { data } of objects('ConfigMap')) {
      const status = movedTimes(data?.status ?? '', later);
      const metadata = { ...autoscalerStatusMap };
      await cluster.create<V1ConfigMap>({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { status },
      });
    }
    for (const event of objects('Event')) {
      if (event.source?.component !== 'cluster-autoscaler') continue;
      const { reason, message, source, count, type, firstTimestamp, lastTimestamp } = event;
      await cluster.create<CoreV1Event>({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace, name: `${name}.scale-up` },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid },
        ...JSON.parse(
          movedTimes(
            JSON.stringify({ reason, message, source, count, type, firstTimestamp, lastTimestamp }),
            later,
          ),
        ),
      });
    }
    // The status is read where nodes or events show the autoscaler. People set this annotation.
    const [node] = objects('Node');
    await cluster.patch(
      { kind: 'Node', name: node?.metadata?.name ?? '' },
      { metadata: { annotations: { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' } } },
    );
  }
});

/** The text with every time moved by so many milliseconds, in the form that each has. */
function movedTimes(text: string, milliseconds: number): string {
  return text.replace(/(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)/gu, (_, day, separator, time) =>
    new Date(Date.parse(`${day}T${time}Z`) + milliseconds).toISOString().slice(0, 19).replace('T', separator),
  );
}
