import type { Catalogue } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { counted, duration, names } from '../../../language/words.js';
import type { RestartRolloutShapes } from './statements.js';

export const text: Catalogue<RestartRolloutShapes> = {
  en: {
    title: () => say`Restart the rollout`,
    'new-revision': ({ workload }) =>
      say`The pod template of ${code(workload)} gets the annotation ${code('kubectl.kubernetes.io/restartedAt')}, which makes it a new revision.`,
    replaces: ({ pods }) =>
      say`${counted(pods, 'pod', 'pods')} ${word(pods === 1 ? 'is' : 'are')} replaced, as the strategy allows.`,
    'same-otherwise': () =>
      say`Image and settings stay; ConfigMaps, Secrets and claims are read anew by every pod that starts.`,
    'no-undo': () => say`There is no undo: taking the annotation off would restart everything once more.`,
    'lost-readiness': ({ pods, container, readySeconds, lostSeconds }) =>
      say`Container ${code(container)} of ${names('en', pods)} was ready for ${duration('en', readySeconds)} in its present run, and has not been ready for ${duration('en', lostSeconds)}.`,
    'nothing-restarts': ({ container }) =>
      say`Container ${code(container)} has no liveness probe, so the kubelet does not restart it.`,
    'not-proven': () =>
      say`That a new process becomes ready is not proven. These pods became ready when they started.`,
    'ev-lost-readiness': ({ readySeconds }) =>
      say`not ready, after ${duration('en', readySeconds)} of the present run`,
    'withheld-together': ({ pods, withinSeconds }) =>
      say`All ${pods} pods stopped being ready within ${duration('en', withinSeconds)}. This points to something outside that they all need, and new pods need it as well.`,
    'withheld-paused': ({ workload }) =>
      say`${code(workload)} is paused: nothing would restart before it is resumed.`,
    'withheld-on-delete': ({ workload }) =>
      say`${code(workload)} replaces pods only when somebody deletes them (OnDelete): a restart would do nothing.`,
    'withheld-deadlock': ({ pods }) =>
      pods.length === 0
        ? say`The restarted rollout would stand still as well.`
        : say`The restarted rollout would stand still as well, waiting for ${names('en', pods)}.`,
    'withheld-unknown': () => say`What would follow could not be simulated.`,
  },
  ko: {
    title: () => say`롤아웃 재시작`,
    'new-revision': ({ workload }) =>
      say`${code(workload)}의 파드 템플릿에 ${code('kubectl.kubernetes.io/restartedAt')} 주석이 추가되어 새 리비전이 됩니다.`,
    replaces: ({ pods }) => say`전략이 허용하는 대로 파드 ${pods}개가 교체됩니다.`,
    'same-otherwise': () =>
      say`이미지와 설정은 그대로이며, 새로 시작하는 파드는 ConfigMap, Secret, 클레임을 다시 읽습니다.`,
    'no-undo': () => say`되돌리기는 없습니다. 주석을 지우면 모두 한 번 더 재시작됩니다.`,
    'lost-readiness': ({ pods, container, readySeconds, lostSeconds }) =>
      say`${names('ko', pods)} 파드의 ${code(container)} 컨테이너는 현재 실행에서 ${duration('ko', readySeconds)} 동안 준비 상태였고, ${duration('ko', lostSeconds)} 전부터 준비되지 않습니다.`,
    'nothing-restarts': ({ container }) =>
      say`${code(container)} 컨테이너에 라이브니스 프로브가 없어 kubelet이 다시 시작하지 않습니다.`,
    'not-proven': () =>
      say`새 프로세스가 준비된다는 것은 증명되지 않았습니다. 이 파드들은 시작했을 때 준비되었습니다.`,
    'ev-lost-readiness': ({ readySeconds }) =>
      say`현재 실행을 시작하고 ${duration('ko', readySeconds)} 뒤부터 준비되지 않음`,
    'withheld-together': ({ pods, withinSeconds }) =>
      say`파드 ${pods}개가 모두 ${duration('ko', withinSeconds)} 안에 준비 상태를 잃었습니다. 모두가 필요로 하는 외부 요소의 문제로 보이며, 새 파드에도 그것이 필요합니다.`,
    'withheld-paused': ({ workload }) =>
      say`${code(workload)}이(가) 일시 중지되어, 재개하기 전에는 아무것도 재시작되지 않습니다.`,
    'withheld-on-delete': ({ workload }) =>
      say`${code(workload)}은(는) 누군가 삭제할 때만 파드를 교체하므로(OnDelete) 재시작해도 달라지는 것이 없습니다.`,
    'withheld-deadlock': ({ pods }) =>
      pods.length === 0
        ? say`재시작한 롤아웃도 멈추게 됩니다.`
        : say`재시작한 롤아웃도 ${names('ko', pods)} 파드를 기다리며 멈추게 됩니다.`,
    'withheld-unknown': () => say`그 뒤의 동작을 시뮬레이션할 수 없었습니다.`,
  },
};
