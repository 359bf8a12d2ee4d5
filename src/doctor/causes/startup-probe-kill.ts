import { code, say, sentences } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { duration } from '../../engine/language/words.js';
import { type FailingPods, failingPods } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { probeKill, probeKillRule } from '../findings/crashes/probe-kill.js';
import { startupAllowance } from '../findings/crashes/probe-kill-sign.js';
import type { ProbeUse } from '../findings/crashes/probe-use.js';
import type { Advice } from '../findings/finding.js';

const en = {
  'shared-failure': () => say`the startup probe fails and containers are killed`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: the kubelet kills container ${code(container)} because its startup probe fails`,
  standing: (pods: FailingPods) =>
    say`The container does not start in the allowed time and is killed before it can serve traffic: ${failingPods('en', pods)}.`,
  arithmetic: ({ seconds, earliest }: { seconds: number; earliest: number }) =>
    say`The last run took ${duration('en', seconds)}. The startup probe allows at most ${duration('en', earliest)}.`,
  'advice-probe': ({ what }: { what: string }) =>
    sentences(
      say`Run the probe by hand from inside the pod: ${code(what)}.`,
      say`Correct the port or path, or allow more time. The kubelet repeats the probe until it passes once.`,
    ),
  'advice-startup': () =>
    say`Raise ${code('failureThreshold')} to cover the slowest healthy start. A higher value costs nothing, because the probe stops once the container has started.`,
};

const ko: typeof en = {
  'shared-failure': () => say`startup 프로브 실패로 컨테이너가 종료됨`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: 스타트업 프로브 실패로 kubelet이 ${code(container)} 컨테이너를 종료합니다`,
  standing: (pods) =>
    say`허용된 시간 안에 시작하지 못해 트래픽을 처리하기 전에 종료됩니다: ${failingPods('ko', pods)}.`,
  arithmetic: ({ seconds, earliest }) =>
    say`마지막 실행 시간은 ${duration('ko', seconds)}이고, 스타트업 프로브가 허용하는 시작 시간은 최대 ${duration('ko', earliest)}입니다.`,
  'advice-probe': ({ what }) =>
    sentences(
      say`파드 안에서 프로브를 직접 실행해 보세요: ${code(what)}.`,
      say`포트나 경로를 고치거나 시간을 더 주세요. kubelet은 프로브가 한 번 성공할 때까지 반복합니다.`,
    ),
  'advice-startup': () =>
    say`가장 느린 정상 시작 시간까지 포함하도록 ${code('failureThreshold')} 값을 올리세요. 시작되면 프로브가 끝나므로 값을 올려도 손해가 없습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('startup-probe-kill');

/** The startup probe did not pass in time: the program may be well and only slow. */
export const startupProbeKill = probeKillRule({
  id: 'startup-probe-kill',
  text,
  summary: (values) => state('summary', values),
  statusLine: (values) => state('standing', values),
  arithmetic: (values) => state('arithmetic', values),
  field: 'startupProbe',
  earliest: startupAllowance,
  setUp: () => [],
  advice: adviceOf,
});

function adviceOf(_sickness: FailureGroup, { probe, target }: ProbeUse): readonly Advice[] {
  return [
    {
      title: probeKill('advice-startup-title'),
      text: state('advice-startup'),
      snippet: `startupProbe:\n  periodSeconds: ${probe.periodSeconds}\n  failureThreshold: ${probe.failureThreshold * 3}\n`,
    },
    { title: probeKill('advice-probe-title'), text: state('advice-probe', { what: target.what }) },
  ];
}
