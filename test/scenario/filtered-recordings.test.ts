import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { conclusionOf, mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { type Scenario, scenarios, scenariosFolder } from '../support/scenarios/expectation.js';
import { filteredDiagnosis, isReady, withoutField } from './properties/filtered.js';
import { diagnosisWithout, type Form } from './properties/removed.js';

function diagnosisOf(incident: string, change: Parameters<typeof filteredDiagnosis>[1]): Promise<Diagnosis> {
  return filteredDiagnosis(scenarioOf(incident), change);
}

function scenarioOf(incident: string): Scenario {
  const found = scenarios().find(({ folder }) => folder === join(scenariosFolder, incident));
  if (found === undefined) throw new Error(`there is no ${incident}`);
  return found;
}

describe('a recording from which somebody removed', () => {
  it.each<[Form, string, string]>([
    ['plain', 'the newest revision', 'leavers/quota-of-a-deployment'],
    ['headed', 'the newest revision', 'leavers/quota-of-a-deployment'],
    ['plain', 'the pods that do not run', 'dynamo/another-team-uses-the-gpu'],
    ['plain', 'the unready pods', 'ray-services/deadlock-of-two-workers'],
    ['headed', 'the unready pods', 'ray-services/deadlock-of-two-workers'],
    ['headed', 'the ReplicaSets', 'webhook-refuses-its-own-pods'],
    ['headed', 'the claims', 'argo-rollouts/one-pod-volume-blue-green'],
    ['headed', 'the volumes', 'argo-rollouts/one-pod-volume-blue-green'],
  ])('whole objects is not healthy: %s, without %s, %s', async (form, removal, incident) => {
    const diagnosis = await diagnosisWithout(scenarioOf(incident), removal, form);
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
  });

  it.each<[Form, string, string, string]>([
    ['headed', 'the nodes', 'all-nodes-cordoned', 'insufficient-capacity'],
    ['headed', 'each second node but the first', 'cpu-millis', 'insufficient-capacity'],
    ['plain', 'the older revisions', 'argo-rollouts/canary-of-four-replicas', 'capacity-contention'],
    ['headed', 'the older revisions', 'argo-rollouts/canary-of-four-replicas', 'capacity-contention'],
    ['plain', 'the unready pods', 'neighbours/quota-beside-a-paused-neighbour', 'quota-deadlock'],
    ['headed', 'the pods', 'neighbours/quota-beside-a-paused-neighbour', 'quota-exceeded'],
  ])(
    'whole objects does not prove the cause: %s, without %s, %s: %s',
    async (form, removal, incident, cause) => {
      const { findings } = await diagnosisWithout(scenarioOf(incident), removal, form);
      expect(
        findings.filter(({ confidence }) => confidence === 'proven').map((each) => each.cause),
      ).not.toContain(cause);
    },
  );

  it('the events is not healthy while a pod that is a few minutes old has not started', async () => {
    const diagnosis = await diagnosisOf('real-node/key-of-a-volume-missing', (objects) =>
      objects.filter(({ kind }) => kind !== 'Event'),
    );
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
  });

  it.each(['daemon-set-surge-host-port', 'daemon-set-surge-memory'])(
    'the pods that are not ready is not healthy: %s',
    async (incident) => {
      const diagnosis = await diagnosisOf(incident, (objects) =>
        objects.filter((each) => each.kind !== 'Pod' || isReady(each)),
      );
      expect(conclusionOf(diagnosis)).not.toBe('nothing');
    },
  );

  it('the events is not healthy while a DaemonSet does not get the pods of its surge', async () => {
    const diagnosis = await diagnosisOf('daemon-set-surge-quota', (objects) =>
      objects.filter(({ kind }) => kind !== 'Event'),
    );
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
  });

  it.each(['daemon-set-surge-quota', 'crash-on-node-intermittent', 'gpu-one-node'])(
    'the uids has the same cause: %s',
    async (incident) => {
      const whole = await diagnosisOf(incident, (objects) => objects);
      const reduced = await diagnosisOf(incident, (objects) => withoutField(/^uid$/, objects));
      const { main } = mainFindingOf(reduced);
      expect(main?.cause).toBe(mainFindingOf(whole).main?.cause);
      expect(main?.cause).toBeDefined();
    },
  );

  it('the times is not healthy while a new pod is not ready', async () => {
    const diagnosis = await diagnosisOf('locks/lease-named-and-readiness-waits-for-it', (objects) =>
      withoutField(/(?:^creationTimestamp|Time|At)$/, objects),
    );
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
  });

  it.each(['status-removed', 'emptied'])('the status does not blame the controllers: %s', async (how) => {
    const diagnosis = await diagnosisOf('crash-on-node-intermittent', (objects) =>
      how === 'emptied'
        ? objects.map((each) => ({ ...each, status: {} }))
        : withoutField(/^status$/, objects),
    );
    expect(diagnosis.findings.map(({ cause }) => cause)).not.toContain('control-plane-not-acting');
    expect(diagnosis.findings.map(({ cause }) => cause)).not.toContain('pod-start-stalled');
    expect(conclusionOf(diagnosis)).toBe('unchecked');
  });

  it('the workload proves nothing of its pods', async () => {
    const diagnosis = await diagnosisOf('daemon-set-budget-on-a-dead-node', (objects) =>
      objects.filter(({ kind }) => kind !== 'DaemonSet'),
    );
    expect(diagnosis.findings.map(({ confidence }) => confidence)).not.toContain('proven');
  });

  it('the storage classes does not state that a class is missing', async () => {
    const diagnosis = await diagnosisOf('healthy-volume-made-for-the-chosen-node', (objects) =>
      objects.filter(({ kind }) => kind !== 'StorageClass'),
    );
    expect(mainFindingOf(diagnosis).main).toBeUndefined();
    expect(diagnosis.unseen.map(({ what }) => what)).toContain('StorageClass');
  });

  it.each<[string, string, RegExp]>([
    ['quota-scopes/quota-and-card-at-once', 'spec.replicas', /^replicas$/],
    ['crash-on-node-intermittent', 'metadata.creationTimestamp', /(?:Time|Timestamp|At)$/],
    ['crash-on-node-intermittent', 'status.containerStatuses[].lastState', /^lastState$/],
    ['surge-device-claim', 'metadata.uid', /^uid$/],
    ['daemon-set-surge-quota', 'status.observedGeneration', /^observedGeneration$/],
    ['daemon-set-surge-quota', 'status.desiredNumberScheduled', /^status$/],
  ])('a field of %s names it, and proves nothing: %s', async (incident, field, name) => {
    const diagnosis = await diagnosisOf(incident, (objects) => withoutField(name, objects));
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
    const proven = diagnosis.findings.filter(
      ({ severity, confidence }) => severity !== 'info' && confidence === 'proven',
    );
    expect(proven).toEqual([]);
    expect(diagnosis.unseen.map(({ message }) => message).join('\n')).toContain(field);
  });

  it.each(['gpu-one-node', 'host-port', 'surge-pods', 'surge-ephemeral-storage'])(
    'the events keeps the proof of a deadlock, which the placement of the engines gives: %s',
    async (incident) => {
      const diagnosis = await diagnosisOf(incident, (objects) =>
        objects.filter(({ kind }) => kind !== 'Event'),
      );
      expect(mainFindingOf(diagnosis).main).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );
});
