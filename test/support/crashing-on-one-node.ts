import { join } from 'node:path';
import type { JsonObject } from '../../demo/cluster/json.js';
import type { LocalCluster } from '../../demo/cluster/local-cluster.js';
import { readRecording } from '../../demo/cluster/recording/read-recording.js';
import { shiftTimes } from '../../demo/cluster/recording/shift-times.js';
import { scenarios } from './faults-rig.js';

/** A recorded workload `shop/api` with a node of unknown status, and the names of two more like it. */
export const failingNode = { scenario: 'node-unheard-of', node: 'n-a', further: ['cart', 'web'] } as const;

/** Puts the further workloads beside the recorded one, which is there already. */
export async function loadFurtherWorkloads(cluster: LocalCluster): Promise<void> {
  const { objects, takenAt = 0 } = await readRecording(join(scenarios, failingNode.scenario));
  const now = shiftTimes(objects, cluster.clock.now() - takenAt);
  for (const name of failingNode.further) cluster.load(renamed(now, name));
}

/** The recorded workload `api` again, with its pods on the same nodes, under another name. */
function renamed(objects: readonly JsonObject[], name: string): readonly JsonObject[] {
  const own = objects.filter(({ kind }) => ['Deployment', 'ReplicaSet', 'Pod'].includes(String(kind)));
  const text = own.reduce<string>(
    (all, { metadata }) => {
      const { uid } = metadata as { readonly uid: string };
      return all.replaceAll(
        uid,
        `${uid.slice(0, -name.length)}${Buffer.from(name).toString('hex').slice(0, name.length)}`,
      );
    },
    JSON.stringify(own).replaceAll('"api"', `"${name}"`).replaceAll('api-27', `${name}-27`),
  );
  return JSON.parse(text) as readonly JsonObject[];
}
