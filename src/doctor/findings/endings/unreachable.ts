import { lastFailedConnection } from '../../../engine/objects/failed-connection.js';
import { isReady, type Pod } from '../../../engine/objects/pod.js';
import { revisionOfPod } from '../crashes/classify-pod.js';
import { podsOf } from '../crashes/failure-group.js';
import { unreadyNetworkAgents } from '../crashes/node-agents.js';
import { crash } from '../crashes/text.js';
import type { Advice } from '../finding.js';
import { servicesNamedIn, waitsForOwnPod } from '../restart/dependency-returned.js';
import { adviceOf, type Ending, type EndingCase } from './ending-case.js';
import { ending } from './text.js';

/**
 * A Service of the own pods cannot answer before they are ready. On a node whose network agent fails, no pod
 * may reach anything. Where pods of the same revision are ready elsewhere, the way from this node may differ.
 */
export function unreachable(known: EndingCase): Omit<Ending, 'kind'> {
  const { snapshot, pod, view, line } = known;
  const helper = withoutHelper(known);
  if (helper !== undefined) return helper;
  const failed = lastFailedConnection([line], pod.metadata.namespace);
  const services = failed === undefined ? [] : servicesNamedIn(snapshot, failed);
  const { nodeName: node = '' } = pod.spec;
  const isAlone = podsOf(snapshot).every((each) => each.spec.nodeName !== node || !isReady(each));
  const agents = isAlone ? unreadyNetworkAgents(snapshot, node) : [];
  const [agent] = agents;
  // A Service of the cluster is reached alike from all nodes, unless an agent of the network fails.
  const isOutside = services.length === 0 && !loopback.test(line);
  const isUnnamed = unanswered.test(line);
  // The program did not get to the server. One node may not reach the name server of the cluster.
  const differs = isAlone && agent === undefined && (isOutside || isUnnamed);
  const others = differs ? readyElsewhere(known) : [];
  return {
    reasoning: [
      ...services
        .filter((service) => waitsForOwnPod(snapshot, service, pod))
        .map(({ metadata }) => ending('own-service', { service: metadata.name })),
      ...agents.map((each) => crash('agent', { ...each })),
      ...(isUnnamed
        ? [ending('name-server-silent', { container: view.name, server: nameServer.exec(line)?.[1] })]
        : []),
      ...(others.length === 0 ? [] : [ending('ready-elsewhere', { node, others })]),
    ],
    advice:
      agent === undefined
        ? isUnnamed
          ? aboutNames(others, node)
          : {
              ...adviceOf('unreachable', view),
              ...(others.length === 0
                ? {}
                : { text: ending('one-node-advice', { container: view.name, node }) }),
            }
        : {
            title: ending('network-agent-title', { daemonSet: agent.daemonSet, node }),
            text: ending('network-agent-advice', { node }),
          },
    origin: undefined,
  };
}

/** A lookup that got no answer; a name that does not exist is an answer. */
const unanswered =
  /\blookup \S{1,253} on \S{1,64}:53: .{0,120}\b(?:i\/o timeout|connection refused|no route to host|network is unreachable)|\btemporary failure in name resolution\b|\beai_again\b/i;

const nameServer = /\blookup \S{1,253} on (\S{1,64}):53: /i;

function aboutNames(others: readonly string[], node: string): Advice {
  return others.length === 0
    ? { title: ending('name-server-title'), text: ending('name-server-advice') }
    : { title: ending('one-node-names-title', { node }), text: ending('one-node-names-advice', { node }) };
}

/** Other nodes with ready pods of the same revision, where none of its pods fails on them. */
function readyElsewhere({ snapshot, pod }: EndingCase): readonly string[] {
  const others = podsOf(snapshot).filter(
    (each) => revisionOfPod(each) === revisionOfPod(pod) && each.spec.nodeName !== pod.spec.nodeName,
  );
  if (!others.every(isReady)) return [];
  return [...new Set(others.flatMap(({ spec }) => spec.nodeName ?? []))].sort();
}

/** The pod itself: only its own containers can listen there. */
const loopback = /\b127\.0\.0\.1\b|\blocalhost\b|(?<![\w:])\[?::1\]?(?![\w:])/;

/** What others add to a pod, they add while it is made: a pod that was made without it stays so. */
function withoutHelper({ snapshot, pod, view, line }: EndingCase): Omit<Ending, 'kind'> | undefined {
  if (!loopback.test(line)) return undefined;
  const others = podsOf(snapshot).filter(
    (each) =>
      each.metadata.uid !== pod.metadata.uid && isReady(each) && revisionOfPod(each) === revisionOfPod(pod),
  );
  const [first] = others;
  if (first === undefined) return undefined;
  const own = new Set(containersIn(pod));
  const lacking = containersIn(first).filter(
    (name) => !own.has(name) && others.every((each) => containersIn(each).includes(name)),
  );
  if (lacking.length === 0) return undefined;
  const { namespace, name } = pod.metadata;
  return {
    reasoning: [ending('lacks-containers', { pod: name, containers: lacking })],
    advice: {
      title: ending('kept-in-pod-title'),
      text: ending('lacks-containers-advice', { container: view.name }),
      snippet: `kubectl -n ${namespace} delete pod ${name}\n`,
    },
    origin: undefined,
    endsWithPod: true,
  };
}

function containersIn({ spec }: Pod): readonly string[] {
  return [...spec.initContainers, ...spec.containers].map(({ name }) => name);
}
