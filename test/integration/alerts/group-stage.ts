import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { blamedNode } from '#src/doctor/findings/finding.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { diagnosisFailed } from '#src/doctor/incidents/incident-transitions.js';
import { createRedisRootClaims } from '#src/edges/redis/redis-claims.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { DeliveryStore } from '#src/service/deliver/incident-thread.js';
import { createRequestDiagnosis } from '#src/service/diagnose/request-diagnosis.js';
import { updateIncident } from '#src/service/records/incident-store.js';
import { buildDiagnosis, buildFinding } from '../../support/diagnosis.js';
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

/** What a diagnosis of the workload finds. */
export type Found = (workload: WorkloadRef) => ReturnType<typeof buildDiagnosis>;

export const sickOf =
  (node: string): Found =>
  (workload) =>
    buildDiagnosis({
      workload,
      findings: [buildFinding({ cause: 'node-not-ready', nodes: [node], ...blamedNode([node]) })],
    });
export const broken: Found = (workload) =>
  buildDiagnosis({ workload, findings: [buildFinding({ cause: 'application-crash', nodes: ['n-b'] })] });
export const calm: Found = (workload) => buildDiagnosis({ workload, findings: [] });
export const overQuota =
  (quota: string): Found =>
  (workload) => {
    const summary = { catalogue: 'quota-exceeded', key: 'summary', values: { quota } };
    const blames = { kind: 'ResourceQuota', namespace: workload.namespace, name: quota } as const;
    const subject = { kind: workload.kind, namespace: workload.namespace, name: workload.name };
    return buildDiagnosis({
      workload,
      findings: [buildFinding({ cause: 'quota-exceeded', nodes: [], blames, subject, summary })],
    });
  };

/** The store of a worker that dies once, when so many of its calls are made. */
function mortal<Store extends object>(store: Store, life: { steps: number }): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function') return found;
      return async (...given: unknown[]): Promise<unknown> => {
        step(life);
        return Reflect.apply(found, target, given);
      };
    },
  });
}

/** The same where the worker may also die before it stores the outcome of a delivery; its lock expires. */
function mortalDeliveries(store: DeliveryStore, life: { steps: number }): DeliveryStore {
  const deliveries = mortal(store, life);
  return {
    ...deliveries,
    async open(key, lockMs) {
      const opened = await deliveries.open(key, lockMs);
      if (opened.type !== 'open') return opened;
      return {
        ...opened,
        async close(record, thread) {
          try {
            step(life);
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

function step(life: { steps: number }): void {
  life.steps -= 1;
  if (life.steps === 0) throw new Error('killed');
}

/**
 * The alert use cases and the delivery of cards on real Redis stores, into a channel that keeps what is
 * shown.
 *
 * @param options `keepMs`: how long a claim to lead lasts; `life`: the steps after which the delivering
 *   worker dies
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
    roots: mortal(roots, life),
    incidents: mortal(stage.incidents, life),
    deliveries: mortalDeliveries(stage.deliveries, life),
    jobs: mortal(stage.jobs, life),
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

  /** An alert about the workload comes, and opens its incident. */
  async function alerted(
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

  async function looked(id: string, found: Found): Promise<Incident> {
    const { workload } = await stored(id);
    stage.world.diagnosis = found(workload);
    await stage.diagnose(id);
    return stored(id);
  }

  /** Its cluster does not answer. */
  async function unread(id: string): Promise<void> {
    const { look } = await stored(id);
    const failure = { catalogue: 'notices', key: 'unreadable', values: {} } as const;
    const at = stage.clock.now().toISOString();
    await updateIncident(stage.incidents, id, (now) =>
      diagnosisFailed(now, look, { failure, isGone: false }, at),
    );
  }

  /** The same after the diagnosis, with every card brought up. */
  async function shown(
    workload: WorkloadRef,
    found: Found,
    place?: Parameters<typeof stage.receiveAlert>[2],
  ) {
    const id = await alerted(workload, place);
    await looked(id, found);
    await slack.deliverAll();
    return id;
  }

  /**
   * Its alert fires again, and the diagnosis finds a trouble of the workload's own: gives the incident that
   * goes on.
   */
  async function succeeded(id: string): Promise<string> {
    stage.advanceMinutes(5);
    await alerted((await stored(id)).workload);
    const { successor = '' } = await looked(id, broken);
    await looked(successor, broken);
    await slack.deliverAll();
    return successor;
  }

  async function stored(id: string): Promise<Incident> {
    const incident = await stage.incidents.get(id);
    if (incident === undefined) throw new Error('no such incident');
    return incident;
  }

  const cardOf = (id: string) => {
    const [card, ...others] = slack.cards().filter(({ key }) => key === `${id}.card`);
    if (card === undefined || others.length > 0) throw new Error('not one card');
    return card;
  };
  /** It has no card of its own. */
  const isListedOnly = (id: string) => !slack.cards().some(({ key }) => key === `${id}.card`);
  const inChannel = () => slack.cards().filter(({ threadTs }) => threadTs === undefined);

  /** What the leading card tells: names with their state. */
  function toldBy(id: string): Readonly<Record<string, string>> {
    const { group } = cardOf(id).incident;
    if (group?.role !== 'leads') throw new Error('does not lead');
    return Object.fromEntries(group.members.map(({ workload, state }) => [workload.name, state]));
  }

  const asks = (workload: WorkloadRef, where: { readonly channel: string; readonly threadTs?: string }) =>
    request({
      query: { namespace: workload.namespace, name: workload.name },
      origin: { via: 'command', by: 'U0DANA' },
      language: 'en',
      ...where,
    });

  async function asked(...of: Parameters<typeof asks>) {
    const answer = await asks(...of);
    if (answer.type !== 'queued') throw new Error('not queued');
    return answer;
  }

  return {
    ...{ stage, slack, roots, alerted, looked, unread, shown, succeeded, stored },
    ...{ cardOf, isListedOnly, inChannel, toldBy, asked },
  };
}
