import type { CloudRefusalKind } from './cloud-refusal-kinds.js';

/** What the sentences about a refusal of the cloud need. */
export interface CloudValues {
  readonly kind: CloudRefusalKind;
  /** '' where nothing names it. */
  readonly group: string;
}

type Words = Readonly<Record<'because' | 'title' | 'advice', string>>;

/** Each kind of refusal: the clause of the headline, and what helps. */
export const cloudWords: Readonly<Record<'en' | 'ko', Readonly<Record<CloudRefusalKind, Words>>>> = {
  en: {
    quota: {
      because: 'its quota is used up',
      title: 'Raise the quota of the cloud account',
      advice:
        'Ask the cloud provider for a higher quota of this kind of machine in this region, or delete machines that are not needed. A node group with another kind of machine has a quota of its own.',
    },
    'stock-out': {
      because: 'it has no such machine left now',
      title: 'Allow other machines or zones',
      advice:
        'Add more instance types, zones or on-demand capacity to the group, or reserve capacity. The autoscaler retries later, and succeeds when the cloud has a machine.',
    },
    unauthorised: {
      because: 'the autoscaler is not permitted to create it',
      title: 'Give the autoscaler the permission',
      advice:
        'Add the missing permission to the role or service account of the autoscaler, or renew its credentials. The reason above names the action.',
    },
    unsupported: {
      because: 'this kind of machine does not exist there',
      title: 'Correct the machine type or the zone',
      advice:
        'The region or zone does not offer this machine. Choose another machine type, or a zone that has it. Trying again does not help.',
    },
    addresses: {
      because: 'its subnet has no free address',
      title: 'Give the node group more addresses',
      advice: 'Add a subnet or a larger address range to the group, or release unused addresses.',
    },
    other: {
      because: 'the reason is in its message',
      title: 'Read the reason of the cloud',
      advice: 'The message above is the answer of the cloud provider. Its console shows the same request.',
    },
  },
  ko: {
    quota: {
      because: '클라우드 할당량 소진',
      title: '클라우드 계정 할당량 늘리기',
      advice:
        '이 리전에서 이 종류의 머신 할당량을 늘려 달라고 클라우드에 요청하거나, 쓰지 않는 머신을 삭제하세요. 다른 종류의 머신을 쓰는 노드 그룹에는 별도의 할당량이 있습니다.',
    },
    'stock-out': {
      because: '지금 남은 머신이 없음',
      title: '다른 머신이나 영역 허용하기',
      advice:
        '노드 그룹에 인스턴스 유형, 영역, 온디맨드 용량을 추가하거나 용량을 예약하세요. 오토스케일러가 나중에 다시 시도하며, 클라우드에 머신이 생기면 성공합니다.',
    },
    unauthorised: {
      because: '오토스케일러에 생성 권한이 없음',
      title: '오토스케일러에 권한 부여하기',
      advice:
        '오토스케일러의 역할이나 서비스 계정에 없는 권한을 추가하거나 자격 증명을 갱신하세요. 필요한 작업은 위 이유에 나와 있습니다.',
    },
    unsupported: {
      because: '그곳에 없는 머신 유형',
      title: '머신 유형이나 영역 바로잡기',
      advice:
        '이 리전이나 영역에서는 이 머신을 제공하지 않습니다. 다른 머신 유형이나 이 머신이 있는 영역을 선택하세요. 다시 시도해도 해결되지 않습니다.',
    },
    addresses: {
      because: '서브넷에 남은 주소가 없음',
      title: '노드 그룹에 주소 추가하기',
      advice: '노드 그룹에 서브넷이나 더 큰 주소 범위를 추가하거나, 쓰지 않는 주소를 해제하세요.',
    },
    other: {
      because: '이유는 메시지 참고',
      title: '클라우드가 보고한 이유 확인하기',
      advice: '위 메시지가 클라우드의 응답입니다. 클라우드 콘솔에서도 같은 요청을 확인할 수 있습니다.',
    },
  },
};
