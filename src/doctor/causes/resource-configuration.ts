import * as z from 'zod';
import type { Language } from '../../engine/language/language.js';
import { code, say, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted } from '../../engine/language/words.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import type { Container } from '../../engine/objects/pod-spec.js';
import { templatePathOf, workloadKinds } from '../../engine/objects/workload.js';
import { formatQuantity, milliValue, NANO, parseQuantity, value } from '../../engine/scheduler/quantity.js';
import { jvmHeapOf } from '../findings/crashes/jvm-heap.js';
import { crash } from '../findings/crashes/text.js';
import { type FactsOf, fact } from '../findings/facts.js';
import type { Evidence } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

type Risk = 'no-memory-request' | 'memory-overcommitted' | 'cpu-throttled' | 'jvm-fills';

interface Summary {
  readonly workload: string;
  readonly count: number;
  readonly first?: { readonly problem: Risk; readonly container: string };
}

const risks = {
  en: {
    'no-memory-request': 'no memory request',
    'memory-overcommitted': 'a memory limit far above its request',
    'cpu-throttled': 'a very low CPU limit',
    'jvm-fills': 'a Java heap close to its memory limit',
  },
  ko: {
    'no-memory-request': '메모리 요청 없음',
    'memory-overcommitted': '메모리 제한이 요청보다 훨씬 큼',
    'cpu-throttled': 'CPU 제한이 매우 낮음',
    'jvm-fills': 'Java 힙이 메모리 제한에 가까움',
  },
} as const satisfies Record<Language, Record<Risk, string>>;

const en = {
  'shared-failure': () => say`resource settings are risky`,
  /** `first` is absent in older records. */
  summary: ({ workload, count, first }: Summary) =>
    first === undefined
      ? say`${code(workload)}: ${counted(count, 'risky resource setting', 'risky resource settings')}`
      : say`${code(workload)}: ${code(first.container)} has ${word(risks.en[first.problem])}${count === 1 ? [] : say` (and ${counted(count - 1, 'more risky resource setting', 'more risky resource settings')})`}`,
  'no-memory-request': ({ container }: { container: string }) =>
    say`${code(container)} has no memory request and no memory limit. The scheduler reserves no memory for it, and the container is killed or evicted first when its node runs low.`,
  'memory-overcommitted': (values: { container: string; request: string; limit: string }) =>
    say`${code(values.container)} requests ${code(values.request)} of memory but may use ${code(values.limit)}. A node full of such pods can run out of memory before a pod reaches its limit.`,
  'cpu-throttled': ({ container, limit }: { container: string; limit: string }) =>
    say`${code(container)} has a CPU limit of ${code(limit)}. The kernel throttles the container after this share of every 100 ms, so probes and start-up can be slow on an idle node.`,
  'jvm-fills': (values: { container: string; flag: string; heap: string; limit: string }) =>
    say`${code(values.container)}: ${code(values.flag)} lets the Java heap grow to ${code(values.heap)} of ${code(values.limit)}, which leaves too little memory for the rest of the JVM.`,
  'ev-resources': () => say`the current setting`,
  advice: () => say`Set the request to normal usage, and set the memory limit equal to the memory request.`,
};

const ko: typeof en = {
  'shared-failure': () => say`리소스 설정이 위험함`,
  summary: ({ workload, count, first }) =>
    first === undefined
      ? say`${code(workload)}: 위험한 리소스 설정 ${count}개`
      : say`${code(workload)}: ${code(first.container)} ${word(risks.ko[first.problem])}${count === 1 ? [] : say`(위험한 리소스 설정 ${count - 1}개 더 있음)`}`,
  'no-memory-request': ({ container }) =>
    say`${code(container)}: 메모리 요청과 제한이 없습니다. 스케줄러가 메모리를 확보해 두지 않으며, 노드의 메모리가 부족하면 가장 먼저 종료되거나 축출됩니다.`,
  'memory-overcommitted': ({ container, request, limit }) =>
    say`${code(container)}: 메모리 요청은 ${code(request)}인데 제한은 ${code(limit)}입니다. 이런 파드가 노드에 가득 차면 제한에 도달하기 전에 노드의 메모리가 부족해질 수 있습니다.`,
  'cpu-throttled': ({ container, limit }) =>
    say`${code(container)}: CPU 제한이 ${code(limit)}입니다. 100ms마다 이만큼을 다 쓰면 커널이 실행을 제한(스로틀링)하므로, 노드에 여유가 있어도 프로브와 시작이 느려질 수 있습니다.`,
  'jvm-fills': ({ container, flag, heap, limit }) =>
    say`${code(container)}: ${code(flag)} 설정으로 Java 힙이 ${code(limit)} 중 ${code(heap)}까지 커질 수 있어, JVM의 나머지 부분이 쓸 메모리가 부족합니다.`,
  'ev-resources': () => say`현재 설정`,
  advice: () => say`요청은 평소 사용량에 맞추고, 메모리 제한은 메모리 요청과 같게 설정하세요.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('resource-configuration');

const container = fact.text('Name of the container');

const ResourceConfigurationFacts = z.strictObject({
  problems: z
    .array(
      z.discriminatedUnion('problem', [
        z.strictObject({ problem: z.literal('no-memory-request'), container }),
        z.strictObject({
          problem: z.literal('memory-overcommitted'),
          container,
          request: fact.quantity('Memory request'),
          limit: fact.quantity('Memory limit'),
        }),
        z.strictObject({ problem: z.literal('cpu-throttled'), container, limit: fact.quantity('CPU limit') }),
        z.strictObject({
          problem: z.literal('jvm-fills'),
          container,
          flag: fact.text('The flag that sets the heap'),
          heap: fact.quantity('The heap that it allows'),
          limit: fact.quantity('Memory limit'),
        }),
      ]),
    )
    .describe('Risky settings'),
});

type Problem = FactsOf<typeof ResourceConfigurationFacts>['problems'][number];

type Fault = { readonly found: Problem; readonly container: Container };

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
