import { hostPorts, portsConflict } from '../host-ports.js';
import { byPodName } from '../pod-key.js';
import type { Objection } from '../reason.js';
import type { Filter } from '../situation.js';
import { podsOn } from '../world.js';
import { noObjections } from './no-objections.js';

/** Host ports that another pod on the node has taken (`node_ports.go: Filter`). */
export const nodePorts: Filter = ({ world, ports }, node) => {
  const wanted = ports();
  if (wanted.length === 0) return noObjections;
  const taken = podsOn(world, node.metadata.name).flatMap((pod) =>
    hostPorts(pod).map((port) => ({ pod, port })),
  );
  return wanted.flatMap((port): readonly Objection[] => {
    const holders = taken.filter((other) => portsConflict(port, other.port)).map(({ pod }) => pod);
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
