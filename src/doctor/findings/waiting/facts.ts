import * as z from 'zod';
import { type FactsOf, fact } from '../facts.js';
import { cloudRefusalKinds } from './cloud-refusal.js';

const topologyKey = fact.text('The label that forms the domains');
const volume = fact.text('Name of the volume');

const claim = fact.text('Name of a PersistentVolumeClaim, or of a ResourceClaim of a `device`');

/** A reason for which a node refuses a pod, as plain data. Amounts are quantities as text. */
export const Refusal = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('label'),
    key: fact.text('Key of the label or taint'),
    operator: fact.text('Operator of the requirement: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`'),
    values: fact.names('Values of the requirement'),
    found: fact.text('The value that the node has').optional(),
  }),
  z.strictObject({ what: z.literal('affinity') }),
  z.strictObject({ what: z.literal('name'), wanted: fact.text('The node that the pod names') }),
  z.strictObject({ what: z.literal('cordoned') }),
  z.strictObject({
    what: z.literal('taint'),
    key: fact.text('Key of the label or taint'),
    value: fact.text('Value of the taint'),
    effect: fact.text('Effect of the taint'),
  }),
  z.strictObject({
    what: z.literal('resource'),
    resource: fact.text('Name of the resource'),
    requested: fact.quantity('What the pod requests'),
    free: fact.quantity('What is free'),
    allocatable: fact.quantity('What the node has for pods'),
    short: fact.quantity('What is missing'),
    tooSmall: fact.flag('The node has less than the pod requests even when it is empty'),
  }),
  z.strictObject({
    what: z.literal('port'),
    port: fact.number('Host port that is in use'),
    protocol: fact.text('Its protocol'),
  }),
  z.strictObject({ what: z.enum(['wanted-pods', 'avoided-pods', 'avoiding-pods']), topologyKey }),
  z.strictObject({
    what: z.literal('spread'),
    topologyKey,
    matching: fact.number('Matching pods in the domain of the node'),
    minimum: fact.number('Matching pods in the domain that has fewest'),
    maxSkew: fact.number('By how many the domains may differ'),
    minimumDomains: fact.names('The domains that have fewest'),
  }),
  z.strictObject({ what: z.literal('spread-label'), topologyKey }),
  z.strictObject({ what: z.literal('volume'), claim, volume }),
  z.strictObject({ what: z.literal('claim-in-use'), claim }),
  z.strictObject({ what: z.literal('disk-in-use'), volume }),
  z.strictObject({
    what: z.literal('volumes'),
    driver: fact.text('Name of the CSI driver'),
    limit: fact.number('Volumes of this driver that the node can attach'),
  }),
  z.strictObject({
    what: z.literal('device'),
    claim,
    taint: fact.text('Key of a device taint that keeps the claim off a device there').optional(),
    rule: fact.text('The DeviceTaintRule that sets it').optional(),
  }),
  z.strictObject({
    what: z.literal('driver-missing'),
    driver: fact.text('Name of the CSI driver that does not serve the node'),
  }),
  z.strictObject({ what: z.literal('other'), text: fact.text('The words of the scheduler') }),
]);
export type Refusal = FactsOf<typeof Refusal>;

/** Nodes that refuse for the same things. */
const RefusalGroup = z.strictObject({
  nodes: fact.names('Names of the nodes'),
  refusals: fact.list(Refusal, 'What these nodes refuse the pods for'),
});
export type RefusalGroup = FactsOf<typeof RefusalGroup>;

/** A workload that holds what others wait for. */
export const Holder = z.strictObject({
  kind: fact.text('Kind of the workload'),
  workload: fact.text('`namespace/name`'),
  priority: fact.number('Priority of its pods'),
  pods: fact.names('Names of its pods that are in the way'),
  nodes: fact.names('Their nodes'),
});
export type HolderValue = FactsOf<typeof Holder>;

/** Also of a deadlock: a new node would end it. */
export const cloudRefusalFact = z
  .strictObject({
    by: fact.text('Name of the autoscaler'),
    group: fact.text('The node group or NodePool; empty where nothing names it'),
    kind: fact.oneOf(cloudRefusalKinds, 'What the reason of the cloud means'),
    message: fact.text('What it reports'),
  })
  .describe('The cloud refused the node that an autoscaler asked for')
  .optional();

/** Facts of every cause about pods that find no node. */
export const waitingFacts = {
  waiting: fact.count('Number of pods that wait for a node'),
  pods: fact.names('The first ten of them'),
  waitingSeconds: fact.seconds('Time since the scheduler refused the pod that waits longest').optional(),
  schedulerMessage: fact.text('What the scheduler reports for the first pod').optional(),
  nodesInAll: fact.count('Number of nodes that the pods may use by name'),
  refusals: fact.list(RefusalGroup, 'Nodes that refuse for the same reasons, each node in one group'),
  autoscaler: z
    .strictObject({
      by: fact.text('Name of the autoscaler'),
      answer: fact.oneOf(
        ['declined', 'expired', 'failed'],
        '`expired`: it ordered a node that has not helped in time; `failed`: the scale-up failed',
      ),
      message: fact.text('What it reports').optional(),
      since: fact.time('Time of the order').optional(),
    })
    .describe('The last answer of an autoscaler about these pods')
    .optional(),
  cloudRefusal: cloudRefusalFact,
  nodeGroups: fact
    .list(
      z.strictObject({
        name: fact.text('Name of the node group'),
        state: fact.oneOf(
          ['full', 'backoff', 'open'],
          '`full`: at its maximum; `backoff`: not tried for some time after a failed scale-up',
        ),
        nodes: fact.count('Nodes that it is to have'),
        max: fact.count('Its maximum; 0 where that is not reported'),
        errorCode: fact.text('Why the scale-up failed').optional(),
      }),
      'Node groups of cluster-autoscaler by its status, those that can grow first',
    )
    .optional(),
  nodePools: fact
    .list(
      z.strictObject({
        name: fact.text('Name of the NodePool'),
        state: fact.oneOf(
          ['shut', 'open', 'changing'],
          '`shut`: it can add no node for the pod; `changing`: a node is about to join, or leaves and frees its limit',
        ),
        because: fact.oneOf(['limit', 'not-ready', 'static', 'being-deleted'], 'Why it is shut').optional(),
        resource: fact.text('The limited resource').optional(),
        limit: fact.quantity('Its limit').optional(),
        left: fact.quantity('What the limit leaves').optional(),
        needed: fact.quantity('The lowest limit that a node for the pod could keep').optional(),
      }),
      'NodePools of Karpenter that may admit the first waiting pod',
    )
    .optional(),
} as const;

export type WaitingFacts = FactsOf<z.ZodObject<typeof waitingFacts>>;
