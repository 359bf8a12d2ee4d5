import { describe, expect, it } from 'vitest';
import type { Language } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';

const tell = createTell();

function sentence(catalogue: string, key: string, values: object, language: Language): string {
  return plain(tell({ catalogue, key, values: { ...values } }, language));
}

const pull = 'Failed to pull image "registry.example/web:1": ';
const unpack =
  'rpc error: code = NotFound desc = failed to pull and unpack image "registry.example/web:1": failed to resolve reference "registry.example/web:1": ';

describe('the sentence about', () => {
  it.each<[string, string, string, object, string, string]>([
    [
      'a rollout that is stuck since the moment of its recording',
      'deadlock',
      'standing',
      { revision: '2', stillForSeconds: 0.2 },
      'The rollout to revision 2 is stuck and will not recover on its own.',
      '리비전 2 롤아웃이 멈춰 있으며 저절로 풀리지 않습니다.',
    ],
    [
      'a stuck rollout',
      'deadlock',
      'standing',
      { revision: '2', stillForSeconds: 90 },
      'The rollout to revision 2 has been stuck for 1 min 30 s and will not recover on its own.',
      '리비전 2 롤아웃이 1분 30초째 멈춰 있으며 저절로 풀리지 않습니다.',
    ],
    [
      'a deletion of this moment',
      'workload-being-deleted',
      'standing',
      { forSeconds: 0, ready: 1 },
      'The deletion has just begun. 1 pod is still ready.',
      '삭제가 방금 시작되었습니다. 파드 1개가 아직 준비 상태입니다.',
    ],
    [
      'runs that end at once',
      'crashes',
      'runs',
      { container: 'app', restarts: 9, shortest: 0, longest: 0 },
      'app has restarted 9 times. Each run lasts less than 1 s.',
      'app 컨테이너가 9회 재시작되었습니다. 시작할 때마다 1초도 안 되어 종료됩니다.',
    ],
    [
      'runs of which some end at once',
      'crashes',
      'runs',
      { container: 'app', restarts: 9, shortest: 0, longest: 5 },
      'app has restarted 9 times. Each run lasts at most 5 s.',
      'app 컨테이너가 9회 재시작되었습니다. 시작할 때마다 5초 안에 종료됩니다.',
    ],
    [
      'the only pod that has a node',
      'crashes',
      'pods',
      { container: 'app', failing: ['web-1'], of: 1, nodes: ['n-a'] },
      'Container app fails in web-1 on n-a, the only scheduled pod of this revision.',
      '이 리비전에서 노드에 배치된 유일한 파드의 app 컨테이너가 실패합니다: web-1 (노드 n-a).',
    ],
    [
      'a changed environment variable',
      'crash-loop-after-rollout',
      'changed',
      { path: 'spec.template.spec.containers[app].env[TIMEOUT].value', before: '5s', after: '5' },
      'Changed in this revision: env TIMEOUT of app from 5s to 5.',
      '이 리비전에서 변경됨: app 컨테이너의 env TIMEOUT, 5s → 5.',
    ],
    [
      'a field that a container received',
      'crash-loop-after-rollout',
      'changed',
      { path: 'spec.template.spec.initContainers[init].command', before: undefined, after: '["/x"]' },
      'Added in this revision: command of init = ["/x"].',
      '이 리비전에서 추가됨: init 컨테이너의 command = ["/x"].',
    ],
    [
      'a changed field outside of containers',
      'crash-loop-after-rollout',
      'changed',
      { path: 'spec.template.spec.hostNetwork', before: 'true', after: undefined },
      'Removed in this revision: spec.template.spec.hostNetwork, previously true.',
      '이 리비전에서 삭제됨: spec.template.spec.hostNetwork (이전 값 true).',
    ],
    [
      'a change that a paused rollout holds back',
      'rollout-paused',
      'differs',
      { changes: [{ path: 'spec.template.spec.containers[app].image', after: 'web:2' }] },
      'Pending changes: image of app becomes web:2.',
      '대기 중인 변경: app 컨테이너의 image → web:2.',
    ],
    [
      'an image that does not exist',
      'image-pull-failure',
      'says',
      { container: 'web', message: `${pull}${unpack}registry.example/web:1: not found` },
      'Error for container web: registry.example/web:1: not found',
      'web 컨테이너의 오류: registry.example/web:1: not found',
    ],
    [
      'a pull that the kubelet delays',
      'image-pull-failure',
      'says',
      {
        container: 'web',
        message: `Back-off pulling image "registry.example/web:1": ErrImagePull: ${unpack}registry.example/web:1: not found`,
      },
      'Error for container web: registry.example/web:1: not found',
      'web 컨테이너의 오류: registry.example/web:1: not found',
    ],
    [
      'a pull error without a reason',
      'image-pull-failure',
      'says',
      { container: 'web', message: pull },
      `Error for container web: ${pull}`,
      `web 컨테이너의 오류: ${pull}`,
    ],
    [
      'one risky resource setting',
      'resource-configuration',
      'summary',
      { workload: 'shop/web', count: 1, first: { problem: 'no-memory-request', container: 'app' } },
      'shop/web: app has no memory request',
      'shop/web: app 메모리 요청 없음',
    ],
    [
      'several risky resource settings',
      'resource-configuration',
      'summary',
      { workload: 'shop/web', count: 3, first: { problem: 'cpu-throttled', container: 'app' } },
      'shop/web: app has a very low CPU limit (and 2 more risky resource settings)',
      'shop/web: app CPU 제한이 매우 낮음(위험한 리소스 설정 2개 더 있음)',
    ],
    [
      'risky resource settings in an older record',
      'resource-configuration',
      'summary',
      { workload: 'shop/web', count: 1 },
      'shop/web: 1 risky resource setting',
      'shop/web: 위험한 리소스 설정 1개',
    ],
  ])('%s', (_, catalogue, key, values, english, korean) => {
    expect(sentence(catalogue, key, values, 'en')).toBe(english);
    expect(sentence(catalogue, key, values, 'ko')).toBe(korean);
  });
});
