import type { Pod } from '../../../cluster/pod.js';
import { podKey } from '../../../cluster/pod-key.js';
import type { Advice } from '../../finding.js';
import type { Examination } from '../../rule.js';
import { askedAnew, type Resize } from './resizes.js';
import { state } from './text.js';

/**
 * Another node, where one has room for a new pod with these requests; less, where this node is short; or the
 * node itself, where the kubelet fails.
 */
export function adviceOf(
  { placement }: Examination,
  { pod, node, refused, room }: Resize,
): readonly Advice[] {
  if (refused.verdict === 'failed')
    return [{ title: state('advice-node-title'), text: state('advice-node', { node }) }];
  const { feasible } = placement.evaluate(askedAnew(pod), { without: new Set([podKey(pod)]) });
  const elsewhere = feasible.filter((name) => name !== node);
  return [
    ...(elsewhere.length === 0
      ? []
      : [
          {
            title: state('advice-template-title'),
            text: state('advice-template', { nodes: elsewhere }),
            snippet: templateWith(pod),
          },
        ]),
    ...(room.kind === 'used' || room.kind === 'never'
      ? [
          {
            title: state('advice-less-title'),
            text: state('advice-less', {
              node,
              free: room.short.map(({ resource, free }) => `${resource}: ${free}`),
            }),
            ...grantedAgain(pod),
          },
        ]
      : []),
  ];
}

/** The requests that the pod asks for, as the template would have them. */
function templateWith({ spec }: Pod): string {
  const containers = spec.containers.flatMap(({ name, resources }) => {
    const requests = Object.entries(resources.requests).map(
      ([resource, amount]) => `              ${resource}: ${JSON.stringify(amount)}\n`,
    );
    return requests.length === 0
      ? []
      : [`        - name: ${name}\n          resources:\n            requests:\n${requests.join('')}`];
  });
  return `spec:\n  template:\n    spec:\n      containers:\n${containers.join('')}`;
}

/**
 * The command that asks for what the containers run with; limits as well, since the QoS class may not change.
 */
function grantedAgain({ metadata, status }: Pod): Pick<Advice, 'snippet'> {
  const containers = status.containerStatuses.flatMap(({ name, resources }) => {
    if (resources === undefined) return [];
    const { requests, limits } = resources;
    return [{ name, resources: { requests, ...(Object.keys(limits).length === 0 ? {} : { limits }) } }];
  });
  if (containers.length === 0) return {};
  const patch = JSON.stringify({ spec: { containers } });
  return {
    snippet: `kubectl -n ${metadata.namespace} patch pod ${metadata.name} --subresource resize -p '${patch}'\n`,
  };
}
