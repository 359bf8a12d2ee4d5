import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import type { Finding } from '../diagnosis/finding.js';
import { mainFindingOf } from '../diagnosis/main-finding.js';

/** The one thing outside of a workload that makes it sick, and others as well. */
export const SharedRoot = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Node'), cluster: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('ResourceQuota'),
    cluster: z.string(),
    namespace: z.string(),
    name: z.string(),
  }),
]);
export type SharedRoot = Immutable<z.output<typeof SharedRoot>>;

/**
 * What the diagnosed workload shares its trouble with: the node or the quota that its gravest finding blames, by name.
 * `undefined` where the workload, or what it asks for, is to blame itself, where it may be the one or the other, and
 * where several nodes or quotas are. That pods merely run on the same node says nothing: mounts and images that fail
 * there are the node's only where the finding proves it, as `crash-loop-on-node` does.
 */
export function sharedRootOf(diagnosis: Pick<Diagnosis, 'findings' | 'workload'>): SharedRoot | undefined {
  const { main } = mainFindingOf(diagnosis);
  if (main === undefined || main.confidence === 'possible') return undefined;
  const { cluster } = diagnosis.workload;
  switch (main.cause) {
    case 'quota-exceeded':
    case 'quota-deadlock': {
      const name = quotaOf(main);
      const { namespace } = main.subject;
      return name === undefined ? undefined : { kind: 'ResourceQuota', cluster, namespace, name };
    }
    default: {
      const [name, ...others] = blamesItsNodes(main) ? main.nodes : [];
      return name === undefined || others.length > 0 ? undefined : { kind: 'Node', cluster, name };
    }
  }
}

export function isSameRoot(left: SharedRoot | undefined, right: SharedRoot | undefined): boolean {
  return left !== undefined && right !== undefined && rootKey(left) === rootKey(right);
}

/** Equal for equal roots. */
export function rootKey(root: SharedRoot): string {
  const { kind, cluster, name } = root;
  return JSON.stringify([kind, cluster, root.kind === 'ResourceQuota' ? root.namespace : '', name]);
}

function blamesItsNodes(finding: Finding): boolean {
  switch (finding.cause) {
    case 'node-not-ready':
    case 'node-cordoned':
    case 'node-out-of-memory':
    case 'crash-loop-on-node':
    case 'sandbox-failure':
      return true;
    case 'evicted':
      return finding.summary.key !== 'summary-own-limit';
    case 'kubelet-rejected':
      return nodeRefusals.test(valueIn(finding, 'reason')) && !states(finding, 'fixed-node');
    case 'image-pull-failure':
      return valueIn(finding, 'refusal') === 'no-space';
    case 'mount-failure':
      return finding.reasoning.some(
        ({ key, values }) => key === 'says' && noDriver.test(text(values.message)),
      );
    default:
      return false;
  }
}

/** What a kubelet lacks itself; its other refusals are about what the pod asks for (kubernetes `lifecycle/predicate.go`). */
const nodeRefusals = /^(?:OutOf|UnexpectedAdmissionError$|TopologyAffinityError$|InvalidNodeInfo$)/;

/** Its driver is not registered on the node (kubernetes `pkg/volume/csi/csi_drivers_store.go` and its callers). */
const noDriver = /not found in the list of registered CSI drivers/;

/** The one quota that refuses; a request that is larger than the whole quota is the workload's own matter. */
function quotaOf(finding: Finding): string | undefined {
  if (states(finding, 'never-fits')) return undefined;
  const refused = finding.reasoning
    .filter(({ key }) => refusals.has(key))
    .map(({ values }) => text(values.quota));
  const [name, ...others] = new Set([valueIn(finding, 'quota'), ...refused]);
  return name === '' || others.length > 0 ? undefined : name;
}

const refusals: ReadonlySet<string> = new Set(['refused', 'refused-first', 'refused-too']);

function states({ reasoning }: Finding, sought: string): boolean {
  return reasoning.some(({ key }) => key === sought);
}

function valueIn({ summary }: Finding, name: string): string {
  return text(summary.values[name]);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
