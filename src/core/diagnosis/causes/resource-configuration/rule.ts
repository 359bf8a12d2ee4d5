import type { ObjectRef } from '../../../cluster/metadata.js';
import type { Container } from '../../../cluster/pod-spec.js';
import { templatePathOf } from '../../../cluster/template-path.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { milliValue, NANO, parseQuantity, value } from '../../../placement/quantity.js';
import { formatQuantity } from '../../../placement/quantity-format.js';
import { jvmHeapOf } from '../../crashes/jvm-heap.js';
import { crash } from '../../crashes/text.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence } from '../../finding.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ResourceConfigurationFacts } from './facts.js';
import { state, text } from './text.js';

type Problem = FactsOf<typeof ResourceConfigurationFacts>['problems'][number];

interface Fault {
  readonly found: Problem;
  readonly container: Container;
}

/** Less cpu than this is throttled by a start or a garbage collection alone. */
const tightMilliCpu = 200n;
/** A limit of more than so many times the request is a promise that a full node cannot keep. */
const overcommitment = 4n;

/**
 * Requests and limits that are sure to bite one day. Informational. Only what the template itself shows: a
 * LimitRange may add defaults, which pods show and templates do not.
 */
export const resourceConfiguration: Rule<typeof ResourceConfigurationFacts> = {
  id: 'resource-configuration',
  facts: ResourceConfigurationFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: ['LimitRange'],
  supersedes: [],
  detect({ snapshot }) {
    const { kind, metadata, spec } = snapshot.workload;
    const template = spec.template.spec;
    const hasDefaults =
      template.resources !== undefined ||
      snapshot.index.objects.LimitRange.some(
        ({ metadata: { namespace } }) => namespace === metadata.namespace,
      );
    const faults = template.containers.flatMap((container) => faultsOf(container, hasDefaults));
    const [first] = faults;
    if (first === undefined) return undefined;
    const subject: ObjectRef = { kind, namespace: metadata.namespace, name: metadata.name };
    return {
      confidence: 'proven',
      severity: 'info',
      subject,
      facts: { problems: faults.map(({ found }) => found) },
      summary: state('summary', {
        workload: workloadName(snapshot),
        count: faults.length,
        first: { problem: first.found.problem, container: first.container.name },
      }),
      standing: crash('standing-configuration'),
      reasoning: faults.map(({ found: { problem, ...values } }) => state(problem, values as never)),
      evidence: faults.map(
        ({ container }): Evidence => ({
          object: subject,
          field: `${templatePathOf(snapshot.workload)}.spec.containers[${container.name}].resources`,
          value: JSON.stringify({
            requests: container.resources.requests,
            limits: container.resources.limits,
          }),
          says: state('ev-resources'),
        }),
      ),
      owners: [],
      advice: [{ title: crash('advice-configuration-title'), text: state('advice') }],
    };
  },
};

function faultsOf(container: Container, hasDefaults: boolean): readonly Fault[] {
  const { requests, limits } = container.resources;
  const found: Problem[] = [];
  const { name } = container;
  const limit = amount(limits.memory);
  const request = amount(requests.memory);
  if (limit === undefined && request === undefined && !hasDefaults) {
    found.push({ problem: 'no-memory-request', container: name });
  }
  if (limit !== undefined && request !== undefined && request > 0n && limit > request * overcommitment) {
    found.push({
      problem: 'memory-overcommitted',
      container: name,
      request: requests.memory ?? '',
      limit: limits.memory ?? '',
    });
  }
  const cpu = parseQuantity(limits.cpu ?? '');
  if (cpu !== undefined && milliValue(cpu) < tightMilliCpu) {
    found.push({ problem: 'cpu-throttled', container: name, limit: limits.cpu ?? '' });
  }
  const heap = limits.memory === undefined ? undefined : jvmHeapOf(container, limits.memory);
  if (heap !== undefined && limit !== undefined && heap.bytes * 100n > limit * 80n) {
    found.push({
      problem: 'jvm-fills',
      container: name,
      flag: heap.flag,
      heap: formatQuantity({ nano: heap.bytes * NANO, format: 'BinarySI' }, 'memory'),
      limit: limits.memory ?? '',
    });
  }
  return found.map((each) => ({ found: each, container }));
}

function amount(quantity: string | undefined): bigint | undefined {
  const parsed = parseQuantity(quantity ?? '');
  return parsed === undefined ? undefined : value(parsed);
}
