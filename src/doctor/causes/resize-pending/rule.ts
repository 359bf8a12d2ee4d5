import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import { byOwner } from '../../../engine/neighbours/owned-pods.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podKey, refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { nodeArithmetic } from '../../findings/arithmetic.js';
import type { Confidence } from '../../findings/cause-id.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { askedAnew, type Resize, refusedResizes } from './resizes.js';
import { state, text } from './text.js';

const ResizePendingFacts = z.strictObject({
  outcome: fact.oneOf(
    ['never', 'refused', 'fails', 'waits'],
    'What becomes of the first resize; `never`: the node is too small',
  ),
  resizes: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        node: fact.text('Its node'),
        verdict: fact.oneOf(['deferred', 'infeasible', 'failed'], 'Answer of the kubelet'),
        message: fact.text('Message of the kubelet'),
        since: fact.time('Since when').optional(),
        changes: z
          .array(
            z.strictObject({
              resource: fact.text('Name of the resource'),
              from: fact.quantity('The request that the pod has'),
              to: fact.quantity('The request that it should have'),
            }),
          )
          .describe('The changes that are asked for'),
        room: fact.oneOf(
          ['unknown', 'never', 'used', 'free'],
          'Room on the node; `used`: other pods use it, `never`: the node is too small',
        ),
        short: z
          .array(
            z.strictObject({
              resource: fact.text('Name of the resource'),
              requested: fact.quantity('What the pod would request'),
              free: fact.quantity('What is free'),
              allocatable: fact.quantity('What the node has for pods'),
            }),
          )
          .describe('What the node is short of'),
        usedBy: fact.names('Workloads, as `namespace/name`, that use it'),
      }),
    )
    .describe('The pods whose resize was not made'),
});

/** Pods told one by one. */
const shownPods = 3;
const shownHolders = 10;

/**
 * A pod was asked to run with other requests (KEP-1287), and its kubelet does not change them: there is no
 * room now, there can never be, or the change fails. The pod runs on with what it had.
 */
export const resizePending: Rule<typeof ResizePendingFacts> = {
  id: 'resize-pending',
  facts: ResizePendingFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node'],
  supersedes: [],
  detect(examination) {
    const [first, ...more] = [...refusedResizes(examination)].sort(
      (a, b) => urgency.indexOf(outcomeOf(a)) - urgency.indexOf(outcomeOf(b)),
    );
    return first === undefined ? undefined : findingOf(examination, [first, ...more]);
  },
};

/** What becomes of a resize, the worst first. */
const urgency = ['never', 'refused', 'fails', 'waits'] as const;
type Outcome = (typeof urgency)[number];

/**
 * The sum decides before the kubelet's word: kubelets of 1.36 defer what no node of that size can ever run.
 */
function outcomeOf({ refused, room }: Resize): Outcome {
  if (refused.verdict === 'failed') return 'fails';
  if (room.kind === 'never') return 'never';
  return refused.verdict === 'infeasible' ? 'refused' : 'waits';
}

function findingOf(
  examination: Examination,
  resizes: readonly [Resize, ...Resize[]],
): Detected<typeof ResizePendingFacts> {
  const { snapshot } = examination;
  const [first] = resizes;
  const outcome = outcomeOf(first);
  const ready = readinessOf(snapshot);
  const short = shortOf(first);
  const resource = short[0]?.resource ?? first.changes[0]?.resource;
  const facts = { outcome, resizes: resizes.map((each) => resizeFacts(snapshot, each)) };
  return {
    confidence: confidenceOf(first, outcome),
    ...(resource === undefined ? {} : { resource }),
    nodes: [...new Set(resizes.map(({ node }) => node))],
    holders: holdersOf(first).slice(0, shownHolders).map(refOf),
    facts,
    summary: state(`summary-${outcome}`, {
      workload: workloadName(snapshot),
      pods: facts.resizes.length,
      node: first.node,
    }),
    standing: state('standing', { ready: ready.pods, wanted: ready.wanted }),
    reasoning: facts.resizes.slice(0, shownPods).flatMap(reasoningOf),
    evidence: resizes.slice(0, shownPods).flatMap((each) => evidenceOf(examination, each)),
    ruledOut: [
      { cause: 'kubelet-rejected', because: state('because-runs') },
      { cause: 'insufficient-capacity', because: state('because-has-node') },
    ],
    nextAttempt: { what: state(nextAttempts[first.refused.verdict]) },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: adviceOf(examination, first),
    weakenedBy: first.room.kind === 'unknown' ? [state('node-unread', { node: first.node })] : [],
  };
}

const nextAttempts = {
  deferred: 'next-deferred',
  infeasible: 'next-infeasible',
  failed: 'next-failed',
} as const;

function confidenceOf({ room }: Resize, outcome: Outcome): Confidence {
  if (outcome === 'never') return 'proven';
  return room.kind === 'unknown' ? 'possible' : 'likely';
}

function shortOf({ room }: Resize) {
  return room.kind === 'never' || room.kind === 'used' ? room.short : [];
}

/** Who uses what the pod waits for; of a node that is too small nobody. */
function holdersOf({ room }: Resize): readonly Pod[] {
  if (room.kind !== 'used') return [];
  const pods = room.short.flatMap(({ holders }) => [...holders]);
  return [...new Map(pods.map((pod) => [podKey(pod), pod])).values()];
}

type ResizeFacts = FactsOf<typeof ResizePendingFacts>['resizes'][number];

function resizeFacts({ index }: Snapshot, resize: Resize): ResizeFacts {
  const { pod, node, changes, refused, room } = resize;
  return {
    pod: pod.metadata.name,
    node,
    verdict: refused.verdict,
    message: refused.message,
    since: refused.since,
    changes,
    room: room.kind,
    short: shortOf(resize).map(({ resource, requested, free, allocatable }) => ({
      resource,
      requested,
      free,
      allocatable,
    })),
    usedBy: byOwner(index, holdersOf(resize)).map(({ owner }) => `${owner.namespace}/${owner.name}`),
  };
}

function reasoningOf(resize: ResizeFacts): readonly Statement[] {
  const { pod: name, node, verdict, message, changes, room, short, usedBy } = resize;
  return [
    ...changes.map((change) => state('asks', { pod: name, ...change })),
    state('says', { pod: name, node, verdict, message }),
    ...(room === 'never'
      ? short.map(({ resource, requested, allocatable }) =>
          state('exceeds-node', { node, resource, requested, allocatable }),
        )
      : []),
    ...(usedBy.length === 0 ? [] : [state('held-by', { node, holders: usedBy })]),
    ...(room === 'free' && verdict === 'deferred' ? [state('room-now', { node })] : []),
    state('keeps-running', { pod: name }),
  ];
}

function evidenceOf({ snapshot }: Examination, resize: Resize): readonly Evidence[] {
  const { pod, node, refused } = resize;
  return [
    {
      object: refOf(pod),
      field: refused.field,
      value: refused.value,
      at: refused.since,
      says: state('ev-refused', { node }),
    },
    ...nodeArithmetic(snapshot.index, pod, { name: node, reasons: shortOf(resize) }),
  ];
}

/**
 * Another node, where one has room for a new pod with these requests; less, where this node is short; or the
 * node itself, where the kubelet fails.
 */
function adviceOf({ placement }: Examination, { pod, node, refused, room }: Resize): readonly Advice[] {
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
