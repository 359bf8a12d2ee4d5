import { code, say, sentences } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { duration } from '../../engine/language/words.js';
import { type FailingPods, failingPods } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { probeKill, probeKillRule } from '../findings/crashes/probe-kill.js';
import { earliestKill } from '../findings/crashes/probe-kill-sign.js';
import type { ProbeUse } from '../findings/crashes/probe-use.js';
import type { Advice } from '../findings/finding.js';

const en = {
  'shared-failure': () => say`the liveness probe fails and containers are killed`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: the kubelet kills container ${code(container)} because its liveness probe fails`,
  standing: (pods: FailingPods) =>
    say`The program does not exit on its own. The kubelet kills the container because its probe fails: ${failingPods('en', pods)}.`,
  arithmetic: ({ seconds, earliest }: { seconds: number; earliest: number }) =>
    seconds <= earliest + 15
      ? say`The last run took ${duration('en', seconds)}. The probe can kill a container after ${duration('en', earliest)} at the earliest, so the probe never passed.`
      : say`The last run took ${duration('en', seconds)}. The probe can kill a container after ${duration('en', earliest)} at the earliest, so the probe passed for a while and then failed.`,
  'no-startup-probe': () =>
    say`The container has no startup probe, so a start that takes longer than the liveness probe allows is also killed.`,
  'advice-probe': ({ what }: { what: string }) =>
    sentences(
      say`Run the probe by hand from inside the pod: ${code(what)}.`,
      say`Correct the port or path, or allow more time. A liveness probe should fail only when a restart helps.`,
    ),
  'advice-startup': () => say`A startup probe delays the liveness probe until the program has started.`,
};

const ko: typeof en = {
  'shared-failure': () => say`liveness 프로브 실패로 컨테이너가 종료됨`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: 라이브니스 프로브 실패로 kubelet이 ${code(container)} 컨테이너를 종료합니다`,
  standing: (pods) =>
    say`프로그램이 스스로 종료한 것이 아닙니다. 프로브가 실패하여 kubelet이 컨테이너를 종료합니다: ${failingPods('ko', pods)}.`,
  arithmetic: ({ seconds, earliest }) =>
    seconds <= earliest + 15
      ? say`마지막 실행 시간은 ${duration('ko', seconds)}입니다. 프로브는 빨라야 ${duration('ko', earliest)} 뒤에 컨테이너를 종료하므로, 프로브가 한 번도 성공하지 못했습니다.`
      : say`마지막 실행 시간은 ${duration('ko', seconds)}입니다. 프로브는 빨라야 ${duration('ko', earliest)} 뒤에 컨테이너를 종료하므로, 프로브가 한동안 성공하다가 실패했습니다.`,
  'no-startup-probe': () =>
    say`스타트업 프로브가 없어, 라이브니스 프로브가 허용하는 시간보다 시작이 오래 걸려도 컨테이너가 종료됩니다.`,
  'advice-probe': ({ what }) =>
    sentences(
      say`파드 안에서 프로브를 직접 실행해 보세요: ${code(what)}.`,
      say`포트나 경로를 고치거나 시간을 더 주세요. 라이브니스 프로브는 재시작이 도움이 될 때만 실패해야 합니다.`,
    ),
  'advice-startup': () =>
    say`스타트업 프로브를 설정하면 프로그램이 시작될 때까지 라이브니스 프로브가 실행되지 않습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('liveness-probe-kill');

/** The kubelet kills the container for its liveness probe. */
export const livenessProbeKill = probeKillRule({
  id: 'liveness-probe-kill',
  text,
  summary: (values) => state('summary', values),
  statusLine: (values) => state('standing', values),
  arithmetic: (values) => state('arithmetic', values),
  field: 'livenessProbe',
  earliest: earliestKill,
  setUp: (failureGroup) => (hasStartupProbe(failureGroup) ? [] : [state('no-startup-probe')]),
  advice: adviceOf,
});

function hasStartupProbe({ podFailures: [{ container }] }: FailureGroup): boolean {
  return container?.spec.startupProbe !== undefined;
}

function adviceOf(
  failureGroup: FailureGroup,
  { probe, target, declaredInstead }: ProbeUse,
): readonly Advice[] {
  const port = declaredInstead?.[0] ?? target.port;
  return [
    {
      title: probeKill('advice-probe-title'),
      text: state('advice-probe', { what: target.what }),
      ...(port === undefined || probe.httpGet === undefined
        ? {}
        : { snippet: `livenessProbe:\n  httpGet:\n    path: ${probe.httpGet.path}\n    port: ${port}\n` }),
    },
    ...(hasStartupProbe(failureGroup)
      ? []
      : [
          {
            title: probeKill('advice-startup-title'),
            text: state('advice-startup'),
            snippet: `startupProbe:\n  # the same check as livenessProbe, with enough attempts for a slow start\n  periodSeconds: 10\n  failureThreshold: 30\n`,
          },
        ]),
  ];
}
