import type { Catalogue } from '../core/language/catalogue.js';
import type { Language } from '../core/language/language.js';
import { code, type Prose, person, quote, say, sentences, word } from '../core/language/prose.js';
import { duration, joined } from '../core/language/words.js';
import type { NoticeShapes } from './notices.js';

export const noticesText: Catalogue<NoticeShapes> = {
  en: {
    'not-authorised': ({ workload, cluster, users, groups }) =>
      sentences(
        say`You can look at ${code(workload)}, but not approve changes to it in ${code(cluster)}.`,
        approvers('en', users, groups),
      ),
    'not-a-member': ({ workload }) =>
      say`Only full members of this workspace can approve changes to ${code(workload)}.`,
    'members-only': () =>
      say`Only full members of this workspace can ask for this: the answer speaks of workloads of every channel.`,
    'own-request': ({ workload }) =>
      say`You asked for this diagnosis of ${code(workload)}; here somebody else has to approve the change.`,
    'same-person': ({ missing }) =>
      say`Your approval is already counted. ${missing} more ${word(missing === 1 ? 'person has' : 'people have')} to approve.`,
    'name-not-typed': ({ workload }) =>
      say`Here an approval counts only with the name typed: ${code(workload)}. Open the review again.`,
    'already-decided': ({ by, secondsAgo, state }) =>
      sentences(
        by === undefined
          ? say`This was decided before.`
          : say`${person(by)} decided this ${secondsAgo === undefined ? word('before you') : [...duration('en', secondsAgo), word(' before you')]}.`,
        say`It is ${word(stateWords.en[state] ?? state)}. Nothing was done twice.`,
      ),
    'approval-expired': ({ minutes }) =>
      say`This review is older than ${minutes} minutes and no longer counts. Press Review again to see the cluster as it is now.`,
    'approval-unknown': ({ id }) =>
      say`There is no review ${code(id)} any more. Ask for the diagnosis again.`,
    'incident-unknown': ({ id }) =>
      say`There is no incident ${code(id)} any more. Ask for the diagnosis again.`,
    'remediation-unknown': ({ id }) =>
      say`${code(id)} is not offered for this incident any more. The card shows what is.`,
    'still-looking': ({ workload }) =>
      say`${code(workload)} is being looked at right now. The card changes in a moment; review from there.`,
    'change-under-way': ({ workload, by }) =>
      by.length === 0
        ? say`A change to ${code(workload)} is under way. Wait for its verdict on the card.`
        : say`A change to ${code(workload)}, approved by ${joined('en', by.map(person))}, is under way. Wait for its verdict on the card.`,
    'workload-changed': ({ workload, known, now }) =>
      say`${code(workload)} was changed since this card was made (generation ${now}, the card knows ${known}). I am looking again; see the card.`,
    'workload-replaced': ({ workload }) =>
      say`${code(workload)} was deleted and created again since this card was made. I am looking again; see the card.`,
    'workload-gone': ({ workload, cluster }) =>
      say`${code(workload)} does not exist in ${code(cluster)} any more.`,
    'finding-gone': ({ workload }) =>
      say`The cause is no longer there: ${code(workload)} has moved on by itself. I am looking again; see the card.`,
    'plan-changed': ({ workload }) =>
      say`What this change would do to ${code(workload)} is no longer what you reviewed. Nothing was changed. I am looking again; see the card.`,
    'nothing-to-undo': ({ workload }) => say`There is no change to ${code(workload)} that could be put back.`,
    'change-overtaken': ({ workload }) =>
      say`This change to ${code(workload)} was put back or followed by another one since. The card says how it stands now.`,
    'dry-run-refused': ({ workload, because, message }) =>
      sentences(
        say`The API server would not take this change to ${code(workload)} (${word(refusedWords.en[because] ?? because)}). Nothing was changed.`,
        said('en', message),
      ),
    'apply-refused': ({ workload, because, message }) =>
      sentences(
        say`The API server did not take the change to ${code(workload)} (${word(refusedWords.en[because] ?? because)}). Nothing was changed.`,
        said('en', message),
      ),
    unreadable: ({ workload, cluster, because, message }) =>
      sentences(
        say`I could not look at ${code(workload)} in ${code(cluster)}: ${word(unreadableWords.en[because] ?? because)}.`,
        said('en', message),
      ),
    'change-unknown': ({ workload, cluster, because, message }) =>
      sentences(
        say`I do not know whether ${code(workload)} in ${code(cluster)} was changed: ${word(unreadableWords.en[because] ?? because)}. The next look shows what is there.`,
        said('en', message),
      ),
    'card-refused': ({ workload, error }) =>
      say`I could not show the card of ${code(workload)} where you asked: Slack answered ${code(error)}. Ask again in a channel that I am in, or invite me with ${code('/invite @rollout-doctor')}.`,
    'cannot-queue': ({ workload }) =>
      say`I could not take up ${code(workload)}: my queue (Redis) does not answer. Nothing was lost or started; ask again in a minute.`,
    'failed-inside': ({ reference }) =>
      say`Something failed inside Rollout Doctor, and nothing was changed. The log has it under ${code(reference)}.`,
  },
  ko: {
    'not-authorised': ({ workload, cluster, users, groups }) =>
      sentences(
        say`${code(workload)}의 상태는 볼 수 있지만, ${code(cluster)}에서 변경을 승인할 권한은 없습니다.`,
        approvers('ko', users, groups),
      ),
    'not-a-member': ({ workload }) =>
      say`${code(workload)}의 변경은 이 워크스페이스의 정식 멤버만 승인할 수 있습니다.`,
    'members-only': () =>
      say`이 워크스페이스의 정식 멤버만 요청할 수 있습니다. 답변에 모든 채널의 워크로드가 나오기 때문입니다.`,
    'own-request': ({ workload }) =>
      say`${code(workload)} 진단을 직접 요청하셨으므로, 변경은 다른 사람이 승인해야 합니다.`,
    'same-person': ({ missing }) => say`이미 승인하셨습니다. ${missing}명이 더 승인해야 합니다.`,
    'name-not-typed': ({ workload }) =>
      say`여기서는 이름을 직접 입력해야 승인됩니다: ${code(workload)}. 검토 창을 다시 열어 주세요.`,
    'already-decided': ({ by, secondsAgo, state }) =>
      sentences(
        by === undefined
          ? say`이미 결정된 건입니다.`
          : say`${person(by)} 님이 ${secondsAgo === undefined ? word('먼저') : [...duration('ko', secondsAgo), word(' 먼저')]} 결정했습니다.`,
        say`현재 상태: ${word(stateWords.ko[state] ?? state)}. 두 번 실행된 것은 없습니다.`,
      ),
    'approval-expired': ({ minutes }) =>
      say`이 검토는 ${minutes}분이 지나 더 이상 유효하지 않습니다. 검토를 다시 눌러 지금의 클러스터를 확인하세요.`,
    'approval-unknown': ({ id }) =>
      say`검토 ${code(id)}을(를) 더 이상 찾을 수 없습니다. 진단을 다시 요청하세요.`,
    'incident-unknown': ({ id }) =>
      say`인시던트 ${code(id)}을(를) 더 이상 찾을 수 없습니다. 진단을 다시 요청하세요.`,
    'remediation-unknown': ({ id }) =>
      say`${code(id)}은(는) 이 인시던트에서 더 이상 제안되지 않습니다. 카드에 있는 방법을 확인하세요.`,
    'still-looking': ({ workload }) =>
      say`지금 ${code(workload)}을(를) 살펴보는 중입니다. 곧 카드가 바뀌면 거기서 검토하세요.`,
    'change-under-way': ({ workload, by }) =>
      by.length === 0
        ? say`${code(workload)} 변경이 진행 중입니다. 카드에 결과가 나올 때까지 기다려 주세요.`
        : say`${joined('ko', by.map(person))} 님이 승인한 ${code(workload)} 변경이 진행 중입니다. 카드에 결과가 나올 때까지 기다려 주세요.`,
    'workload-changed': ({ workload, known, now }) =>
      say`이 카드가 만들어진 뒤 ${code(workload)}이(가) 변경되었습니다(generation ${now}, 카드는 ${known}). 다시 살펴보고 있으니 카드를 확인하세요.`,
    'workload-replaced': ({ workload }) =>
      say`이 카드가 만들어진 뒤 ${code(workload)}이(가) 삭제되고 다시 만들어졌습니다. 다시 살펴보고 있으니 카드를 확인하세요.`,
    'workload-gone': ({ workload, cluster }) =>
      say`${code(workload)}은(는) ${code(cluster)}에 더 이상 없습니다.`,
    'finding-gone': ({ workload }) =>
      say`원인이 사라졌습니다. ${code(workload)}이(가) 스스로 진행했습니다. 다시 살펴보고 있으니 카드를 확인하세요.`,
    'plan-changed': ({ workload }) =>
      say`이 변경이 ${code(workload)}에 할 일이 검토하신 내용과 달라졌습니다. 아무것도 변경하지 않았습니다. 다시 살펴보고 있으니 카드를 확인하세요.`,
    'nothing-to-undo': ({ workload }) => say`${code(workload)}에 되돌릴 변경이 없습니다.`,
    'change-overtaken': ({ workload }) =>
      say`${code(workload)}의 이 변경은 그 뒤에 되돌려졌거나 다른 변경으로 바뀌었습니다. 지금 상태는 카드에 있습니다.`,
    'dry-run-refused': ({ workload, because, message }) =>
      sentences(
        say`API 서버가 ${code(workload)}에 대한 이 변경을 받아들이지 않습니다(${word(refusedWords.ko[because] ?? because)}). 아무것도 변경하지 않았습니다.`,
        said('ko', message),
      ),
    'apply-refused': ({ workload, because, message }) =>
      sentences(
        say`API 서버가 ${code(workload)} 변경을 받아들이지 않았습니다(${word(refusedWords.ko[because] ?? because)}). 아무것도 변경하지 않았습니다.`,
        said('ko', message),
      ),
    unreadable: ({ workload, cluster, because, message }) =>
      sentences(
        say`${code(cluster)}의 ${code(workload)}을(를) 살펴볼 수 없었습니다: ${word(unreadableWords.ko[because] ?? because)}.`,
        said('ko', message),
      ),
    'change-unknown': ({ workload, cluster, because, message }) =>
      sentences(
        say`${code(cluster)}의 ${code(workload)}이(가) 변경되었는지 알 수 없습니다: ${word(unreadableWords.ko[because] ?? because)}. 다음 진단에서 실제 상태를 보여 드립니다.`,
        said('ko', message),
      ),
    'card-refused': ({ workload, error }) =>
      say`요청하신 곳에 ${code(workload)} 카드를 표시하지 못했습니다. Slack 응답: ${code(error)}. 제가 있는 채널에서 다시 요청하거나 ${code('/invite @rollout-doctor')} 명령으로 초대해 주세요.`,
    'cannot-queue': ({ workload }) =>
      say`${code(workload)}을(를) 접수하지 못했습니다. 작업 대기열(Redis)이 응답하지 않습니다. 잃거나 시작된 것은 없으니 잠시 뒤 다시 요청하세요.`,
    'failed-inside': ({ reference }) =>
      say`Rollout Doctor 안에서 오류가 났고, 아무것도 변경하지 않았습니다. 로그 참조: ${code(reference)}.`,
  },
};

function approvers(language: Language, users: readonly string[], groups: readonly string[]): Prose {
  const who = [...groups.map((group) => code(`@${group}`)), ...users.map(person)];
  if (who.length === 0) {
    return language === 'en'
      ? say`Nobody may approve that there.`
      : say`그곳에서는 승인할 수 있는 사람이 없습니다.`;
  }
  return language === 'en' ? say`Ask ${joined('en', who)}.` : say`${joined('ko', who)}에게 요청하세요.`;
}

function said(language: Language, message: string): Prose {
  if (message === '') return [];
  return language === 'en' ? say`It said: ${quote(message)}` : say`응답: ${quote(message)}`;
}

type Words = { readonly [Each in Language]: Readonly<Record<string, string>> };

const stateWords: Words = {
  en: {
    approved: 'approved',
    running: 'being carried out',
    done: 'done',
    failed: 'not done, the API server refused it',
    rejected: 'rejected',
    expired: 'expired',
    superseded: 'out of date',
  },
  ko: {
    approved: '승인됨',
    running: '실행 중',
    done: '완료',
    failed: 'API 서버가 거부하여 실행되지 않음',
    rejected: '거절됨',
    expired: '만료됨',
    superseded: '새 진단으로 대체됨',
  },
};

const refusedWords: Words = {
  en: {
    forbidden: 'the service account may not do it',
    stale: 'the object was changed in between',
    gone: 'the object is gone',
    invalid: 'the object would not be valid',
    admission: 'an admission webhook or policy refused it',
    unsupported: 'it cannot be tried without effect',
  },
  ko: {
    forbidden: '서비스 어카운트에 권한 없음',
    stale: '그 사이 오브젝트가 변경됨',
    gone: '오브젝트가 없음',
    invalid: '유효하지 않은 변경',
    admission: '어드미션 웹훅 또는 정책이 거부',
    unsupported: '시험 실행을 지원하지 않음',
  },
};

const unreadableWords: Words = {
  en: {
    forbidden: 'my service account may not read it',
    unauthorized: 'the cluster does not accept my credentials',
    timeout: 'the cluster did not answer in time',
    unavailable: 'the cluster does not answer',
    throttled: 'the cluster asks me to wait',
    'not-served': 'the cluster does not know this kind',
    malformed: 'the answer could not be understood',
    'too-many': 'there is too much to read',
    failed: 'the read failed',
    inside: 'something failed inside Rollout Doctor',
  },
  ko: {
    forbidden: '서비스 어카운트에 읽기 권한이 없습니다',
    unauthorized: '클러스터가 자격 증명을 받아들이지 않습니다',
    timeout: '클러스터가 제때 응답하지 않았습니다',
    unavailable: '클러스터가 응답하지 않습니다',
    throttled: '클러스터가 기다리라고 합니다',
    'not-served': '클러스터가 이 종류를 제공하지 않습니다',
    malformed: '응답을 해석할 수 없습니다',
    'too-many': '읽을 것이 너무 많습니다',
    failed: '읽기에 실패했습니다',
    inside: 'Rollout Doctor 안에서 오류가 났습니다',
  },
};
