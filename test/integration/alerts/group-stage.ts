import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createRedisRootClaims } from '#src/adapters/redis/redis-root-claims.js';
import type { WorkloadRef } from '#src/core/cluster/workload.js';
import { blamedNode } from '#src/core/diagnosis/finding.js';
import type { Incident } from '#src/core/incident/incident.js';
import type { DeliveryStore } from '#src/usecases/deliver/incident-thread.js';
import { createRequestDiagnosis } from '#src/usecases/diagnose/request-diagnosis.js';
import { buildDiagnosis, buildFinding } from '#support/diagnosis.js';
import { createDelivering } from './shown-thread.js';
import { createAlertStage, located } from './stage.js';

export const channel = 'C0INCIDENTS';

export const named = (name: string, fields: Partial<WorkloadRef> = {}): WorkloadRef => ({
  cluster: 'prod',
  kind: 'Deployment',
  namespace: 'shop',
  name,
  ...fields,
});

/** The result of a diagnosis of the workload. */
export type DiagnosisOf = (workload: WorkloadRef) => ReturnType<typeof buildDiagnosis>;

export const affectedBy =
  (node: string): DiagnosisOf =>
  (workload) =>
    buildDiagnosis({
      workload,
      findings: [buildFinding({ cause: 'node-not-ready', nodes: [node], ...blamedNode([node]) })],
    });
export const crashing: DiagnosisOf = (workload) =>
  buildDiagnosis({ workload, findings: [buildFinding({ cause: 'application-crash', nodes: ['n-b'] })] });
export const recovered: DiagnosisOf = (workload) => buildDiagnosis({ workload, findings: [] });
export const overQuota =
  (quota: string): DiagnosisOf =>
  (workload) => {
    const summary = { catalogue: 'quota-exceeded', key: 'summary', values: { quota } };
    const blames = { kind: 'ResourceQuota', namespace: workload.namespace, name: quota } as const;
    const subject = { kind: workload.kind, namespace: workload.namespace, name: workload.name };
    return buildDiagnosis({
      workload,
      findings: [buildFinding({ cause: 'quota-exceeded', nodes: [], blames, subject, summary })],
    });
  };

/** The store of a worker that dies at the given call. */
function failAtStep<Store extends object>(store: Store, life: { steps: number }): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function') return found;
      return async (...given: unknown[]): Promise<unknown> => {
        countStep(life);
        return Reflect.apply(found, target, given);
      };
    },
  });
}

/** The deliveries of a worker that may also die before it stores the outcome of a delivery. Its lock expires. */
function deliveriesThatFail(store: DeliveryStore, life: { steps: number }): DeliveryStore {
  const deliveries = failAtStep(store, life);
  return {
    ...deliveries,
    async open(key, lockMs) {
      const opened = await deliveries.open(key, lockMs);
      if (opened.type !== 'open') return opened;
      return {
        ...opened,
        async close(record, thread) {
          try {
            countStep(life);
          } catch (error) {
            await opened.close(undefined, undefined);
            throw error;
          }
          await opened.close(record, thread);
        },
      };
    },
  };
}

function countStep(life: { steps: number }): void {
  life.steps -= 1;
  if (life.steps === 0) throw new Error('killed');
}

/**
 * The alert use cases and the delivery of cards on real Redis stores, into a channel that keeps what is shown.
 *
 * @param options `keepMs`: how long a claim to lead lasts; `life`: the steps after which the delivering worker dies
 */
export function createGroupStage(
  redis: Redis,
  options: { readonly keepMs?: number; readonly life?: { steps: number } } = {},
) {
  const { keepMs = 60_000, life = { steps: Number.POSITIVE_INFINITY } } = options;
  const stage = createAlertStage(redis);
  const roots = createRedisRootClaims({ redis, prefix: `roots-${randomUUID()}`, keepMs });
  const slack = createDelivering({
    ...stage,
    roots: failAtStep(roots, life),
    incidents: failAtStep(stage.incidents, life),
    deliveries: deliveriesThatFail(stage.deliveries, life),
    jobs: failAtStep(stage.jobs, life),
  });
  const request = createRequestDiagnosis({
    ...stage,
    newId: randomUUID,
    mayApprove: async () => {
      throw new Error('nobody asks for a change');
    },
    cluster: {
      find: async ({ namespace = '', name }) => ({ type: 'found', workloads: [named(name, { namespace })] }),
    },
  });

  /** Opens the incident of the workload by an alert. */
  async function openByAlert(
    workload: WorkloadRef,
    place: Parameters<typeof stage.receiveAlert>[2] = { channel },
  ) {
    const alertId = JSON.stringify([workload, place, stage.world.now]);
    stage.world.found = located(workload);
    await stage.receiveAlert(alertId, {}, place);
    await stage.handleAlert(alertId);
    const [incident] = await stage.incidentsOf(alertId);
    if (incident === undefined) throw new Error('no incident');
    return incident.id;
  }

  async function diagnose(id: string, found: DiagnosisOf): Promise<Incident> {
    const { workload } = await getIncident(id);
    stage.world.diagnosis = found(workload);
    await stage.diagnose(id);
    return getIncident(id);
  }

  /** Opens the incident, diagnoses the workload, and delivers all cards. */
  async function showCard(
    workload: WorkloadRef,
    found: DiagnosisOf,
    place?: Parameters<typeof stage.receiveAlert>[2],
  ) {
    const id = await openByAlert(workload, place);
    await diagnose(id, found);
    await slack.deliverAll();
    return id;
  }

  /** Fires the alert again and diagnoses a crash of the workload itself. Returns the successor. */
  async function openSuccessor(id: string): Promise<string> {
    stage.advanceMinutes(5);
    await openByAlert((await getIncident(id)).workload);
    const { successor = '' } = await diagnose(id, crashing);
    await diagnose(successor, crashing);
    await slack.deliverAll();
    return successor;
  }

  async function getIncident(id: string): Promise<Incident> {
    const incident = await stage.incidents.get(id);
    if (incident === undefined) throw new Error('no such incident');
    return incident;
  }

  const cardOf = (id: string) => {
    const [card, ...others] = slack.cards().filter(({ key }) => key === `${id}.card`);
    if (card === undefined || others.length > 0) throw new Error('not one card');
    return card;
  };
  const inChannel = () => slack.cards().filter(({ threadTs }) => threadTs === undefined);

  /** The state of each member on the leading card, by name. */
  function memberStates(id: string): Readonly<Record<string, string>> {
    const { group } = cardOf(id).incident;
    if (group?.role !== 'leads') throw new Error('does not lead');
    return Object.fromEntries(group.members.map(({ workload, state }) => [workload.name, state]));
  }

  const sendRequest = (
    workload: WorkloadRef,
    where: { readonly channel: string; readonly threadTs?: string },
  ) =>
    request({
      query: { namespace: workload.namespace, name: workload.name },
      origin: { via: 'command', by: 'U0DANA' },
      language: 'en',
      ...where,
    });

  async function requestCard(...of: Parameters<typeof sendRequest>) {
    const answer = await sendRequest(...of);
    if (answer.type !== 'queued') throw new Error('not queued');
    return answer;
  }

  return {
    stage,
    slack,
    roots,
    openByAlert,
    diagnose,
    showCard,
    openSuccessor,
    getIncident,
    cardOf,
    inChannel,
    memberStates,
    requestCard,
  };
}
