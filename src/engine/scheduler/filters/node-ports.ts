import type { Pod } from '../../objects/pod.js';
import { byPodName } from '../../objects/pod.js';
import type { Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter } from '../situation.js';
import { type HostPort, hostPorts, portsConflict } from '../situation.js';
import { podsOn } from '../world.js';

/** Host ports that another pod on the node has taken (`node_ports.go: Filter`). */
export const nodePorts: Filter = ({ world, ports }, node) => {
  const wanted = ports();
  if (wanted.length === 0) return noObjections;
  const taken = new Map<string, { readonly pod: Pod; readonly port: HostPort }[]>();
  for (const pod of podsOn(world, node.metadata.name)) {
    for (const port of hostPorts(pod)) {
      const key = keyOf(port);
      const users = taken.get(key);
      if (users === undefined) taken.set(key, [{ pod, port }]);
      else users.push({ pod, port });
    }
  }
  return wanted.flatMap((port): readonly Objection[] => {
    const users = taken.get(keyOf(port)) ?? [];
    const holders = users.filter((other) => portsConflict(port, other.port)).map(({ pod }) => pod);
    if (holders.length === 0) return noObjections;
    return [
      {
        id: 'host-port',
        plugin: 'NodePorts',
        text: "node(s) didn't have free ports for the requested pod ports",
        resolvable: true,
        preemptible: true,
        ...port,
        holders: [...new Set(holders)].sort(byPodName),
      },
    ];
  });
};

/** Ports with different keys never conflict: a pod may list tens of thousands of ports. */
function keyOf({ port, protocol }: HostPort): string {
  return `${port}/${protocol}`;
}
