import * as z from 'zod';
import { code, say } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, duration, particle } from '../../engine/language/words.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import type { Container, Probe } from '../../engine/objects/pod-spec.js';
import { templatePathOf, workloadKinds } from '../../engine/objects/workload.js';
import { earliestKill, targetOf } from '../findings/crashes/probe-kill-sign.js';
import { crash } from '../findings/crashes/text.js';
import { type FactsOf, fact } from '../findings/facts.js';
import type { Evidence } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`probe settings are risky`,
  summary: ({ workload, count }: { workload: string; count: number }) =>
    say`${code(workload)}: ${counted(count, 'risky probe setting', 'risky probe settings')}`,
  'readiness-slower': (values: { container: string; livenessSeconds: number; readinessSeconds: number }) =>
    say`${code(values.container)}: the liveness probe can kill the container after ${duration('en', values.livenessSeconds)}. The readiness probe removes the pod from traffic only after ${duration('en', values.readinessSeconds)}.`,
  'liveness-strict': ({ container, seconds }: { container: string; seconds: number }) =>
    say`${code(container)}: the liveness probe kills the container after only ${duration('en', seconds)} without a response. A short slowdown of the node is enough.`,
  'named-port-missing': ({ container, probe, port }: { container: string; probe: string; port: string }) =>
    say`${code(container)}: ${code(probe)} uses the named port ${code(port)}, which the container does not declare. The probe can never pass.`,
  'timeout-over-period': (values: {
    container: string;
    probe: string;
    timeoutSeconds: number;
    periodSeconds: number;
  }) =>
    say`${code(values.container)}: the timeout of ${code(values.probe)} is ${duration('en', values.timeoutSeconds)}, longer than its period of ${duration('en', values.periodSeconds)}.`,
  'ev-probe': ({ probe }: { probe: string }) => say`the current ${code(probe)}`,
  advice: () =>
    say`The readiness probe should fail first. The liveness probe should fail later, and only when a restart helps.`,
};

const ko: typeof en = {
  'shared-failure': () => say`프로브 설정이 위험함`,
  summary: ({ workload, count }) => say`${code(workload)}: 위험한 프로브 설정 ${count}개`,
  'readiness-slower': ({ container, livenessSeconds, readinessSeconds }) =>
    say`${code(container)}: 라이브니스 프로브는 ${duration('ko', livenessSeconds)} 뒤에 컨테이너를 종료할 수 있지만, 레디니스 프로브는 ${duration('ko', readinessSeconds)} 뒤에야 파드를 트래픽에서 제외합니다.`,
  'liveness-strict': ({ container, seconds }) =>
    say`${code(container)}: ${duration('ko', seconds)}만 응답이 없어도 라이브니스 프로브가 컨테이너를 종료합니다. 노드가 잠깐 느려지는 것만으로도 종료될 수 있습니다.`,
  'named-port-missing': ({ container, probe, port }) =>
    say`${code(container)}: ${code(probe)} 프로브가 이름으로 지정한 포트 ${code(port)}${particle(port, '이', '가')} 컨테이너에 선언되어 있지 않습니다. 프로브가 성공할 수 없습니다.`,
  'timeout-over-period': ({ container, probe, timeoutSeconds, periodSeconds }) =>
    say`${code(container)}: ${code(probe)} 프로브의 타임아웃(${duration('ko', timeoutSeconds)})이 주기(${duration('ko', periodSeconds)})보다 깁니다.`,
  'ev-probe': ({ probe }) => say`현재 ${code(probe)} 설정`,
  advice: () =>
    say`레디니스 프로브가 먼저 실패해야 합니다. 라이브니스 프로브는 더 늦게, 재시작이 도움이 될 때만 실패해야 합니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('probe-configuration');

const container = fact.text('Name of the container');
const probe = fact.text('`livenessProbe`, `readinessProbe` or `startupProbe`');

const ProbeConfigurationFacts = z.strictObject({
  problems: z
    .array(
      z.discriminatedUnion('problem', [
        z.strictObject({
          problem: z.literal('readiness-slower'),
          container,
          livenessSeconds: fact.seconds('Silence after which the liveness probe kills the container'),
          readinessSeconds: fact.seconds('Silence after which the readiness probe takes it out of traffic'),
        }),
        z.strictObject({
          problem: z.literal('liveness-strict'),
          container,
          seconds: fact.seconds('Silence after which the liveness probe kills the container'),
        }),
        z.strictObject({
          problem: z.literal('named-port-missing'),
          container,
          probe,
          port: fact.text('Name of the port that the container does not declare'),
        }),
        z.strictObject({
          problem: z.literal('timeout-over-period'),
          container,
          probe,
          timeoutSeconds: fact.seconds('Its timeout'),
          periodSeconds: fact.seconds('Its period'),
        }),
      ]),
    )
    .describe('Risky settings'),
});

type Problem = FactsOf<typeof ProbeConfigurationFacts>['problems'][number];

type Fault = { readonly found: Problem; readonly field: string; readonly probe: Probe | undefined };

/** Fewer seconds of silence than this end a container for a hiccup of the node. */
const strictSeconds = 5;

/** Probe settings that are sure to bite one day. Informational: nothing is wrong because of them yet. */
export const probeConfiguration: Rule<typeof ProbeConfigurationFacts> = {
  id: 'probe-configuration',
  facts: ProbeConfigurationFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [],
  supersedes: [],
  detect({ snapshot }) {
    const { kind, metadata, spec } = snapshot.workload;
    const faults = spec.template.spec.containers.flatMap(faultsOf);
    if (faults.length === 0) return undefined;
    const subject: ObjectRef = { kind, namespace: metadata.namespace, name: metadata.name };
    return {
      confidence: 'proven',
      severity: 'info',
      subject,
      facts: { problems: faults.map(({ found }) => found) },
      summary: state('summary', { workload: workloadName(snapshot), count: faults.length }),
      standing: crash('standing-configuration'),
      reasoning: faults.map(({ found }) => statementOf(found)),
      evidence: faults.map(
        ({ field, probe }): Evidence => ({
          object: subject,
          field: `${templatePathOf(snapshot.workload)}.spec.${field}`,
          value: JSON.stringify(probe ?? {}),
          says: state('ev-probe', { probe: field.split('.').at(-1) ?? field }),
        }),
      ),
      owners: [],
      advice: [{ title: crash('advice-configuration-title'), text: state('advice') }],
    };
  },
};

function statementOf({ problem, ...values }: Problem): Statement {
  return state(problem, values as never);
}

function faultsOf(container: Container): readonly Fault[] {
  const { livenessProbe: liveness, readinessProbe: readiness } = container;
  const at = (probe: string): string => `containers[${container.name}].${probe}`;
  const faults: Fault[] = [];
  if (liveness !== undefined && readiness !== undefined && silence(liveness) < silence(readiness)) {
    faults.push({
      found: {
        problem: 'readiness-slower',
        container: container.name,
        livenessSeconds: silence(liveness),
        readinessSeconds: silence(readiness),
      },
      field: at('livenessProbe'),
      probe: liveness,
    });
  }
  if (liveness !== undefined && silence(liveness) < strictSeconds) {
    faults.push({
      found: { problem: 'liveness-strict', container: container.name, seconds: silence(liveness) },
      field: at('livenessProbe'),
      probe: liveness,
    });
  }
  for (const [name, probe] of [
    ['livenessProbe', liveness],
    ['readinessProbe', readiness],
    ['startupProbe', container.startupProbe],
  ] as const) {
    if (probe !== undefined) faults.push(...faultsOfProbe(container, name, probe, at(name)));
  }
  return faults;
}

/** How long the program may be silent until the probe's last failure, in seconds. */
function silence(probe: Probe): number {
  return earliestKill({ ...probe, initialDelaySeconds: 0 }) + probe.timeoutSeconds;
}

function faultsOfProbe(container: Container, name: string, probe: Probe, field: string): readonly Fault[] {
  const { port } = targetOf(probe);
  const isNamed = port !== undefined && !/^\d+$/.test(port);
  const isUndeclared = isNamed && !container.ports.some((declared) => declared.name === port);
  const { timeoutSeconds, periodSeconds } = probe;
  return [
    ...(isUndeclared
      ? [
          {
            found: { problem: 'named-port-missing' as const, container: container.name, probe: name, port },
            field,
            probe,
          },
        ]
      : []),
    ...(timeoutSeconds > periodSeconds
      ? [
          {
            found: {
              problem: 'timeout-over-period' as const,
              container: container.name,
              probe: name,
              timeoutSeconds,
              periodSeconds,
            },
            field,
            probe,
          },
        ]
      : []),
  ];
}
