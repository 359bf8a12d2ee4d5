import type { Redis } from 'ioredis';
import type { Approval } from '#src/doctor/incidents/approval.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { createTell } from '#src/service/create-engine.js';
import { aloud } from './read-aloud.js';
import type { Rig } from './remediation-rig.js';
import { addNodes, workloadObject } from './remediation-workloads.js';

export const api = { kind: 'Deployment', namespace: 'shop', name: 'api' } as const;

/** A node with room for one pod: revision 2 waits for the resources of revision 1. */
export async function bringAboutDeadlock(rig: Rig): Promise<void> {
  addNodes(rig, ['n-1'], '1500m');
  rig.local.create([workloadObject('Deployment', { replicas: 1 })]);
  rig.pass(60);
  await updateImage(rig, 'registry.example/api:2');
  rig.pass(120);
}

/** As `kubectl set image` does, over HTTP. */
async function updateImage(rig: Rig, image: string): Promise<void> {
  const answer = await fetch(`${rig.local.url}/apis/apps/v1/namespaces/shop/deployments/api`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify({ spec: { template: { spec: { containers: [{ name: 'app', image }] } } } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** An attacker who can write to Redis. */
export function createAttacker({ redis, prefix }: { readonly redis: Redis; readonly prefix: string }) {
  const put = async (kind: string, id: string, record: { readonly version: number }, open: boolean) => {
    const key = `${prefix}:${kind}:${id}`;
    await redis.hset(key, { version: String(record.version), json: JSON.stringify(record) });
    if (open) await redis.zadd(`${prefix}:${kind}:open`, 0, id);
  };
  return {
    /** Stores the record under this id, whatever id it names. */
    putApproval: (record: Approval, id = record.id) => put('approval', id, record, true),
    putIncident: (record: Incident, id = record.id) => put('incident', id, record, true),
    async removeApprovals() {
      const keys = await redis.keys(`${prefix}:approval:*`);
      if (keys.length > 0) await redis.del(...keys);
    },
  };
}

const tell = createTell();

/** The text of the incident's card. */
export async function cardOf(rig: Rig, id: string): Promise<string> {
  const incident = await rig.current(id);
  const { text, blocks } = renderCard(incident, undefined, { tell });
  return `${text}\n${aloud(blocks)}`;
}
