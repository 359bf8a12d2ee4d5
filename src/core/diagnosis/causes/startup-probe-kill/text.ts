import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration } from '../../../language/words.js';

const en = {
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: the kubelet kills container ${code(container)} for its startup probe`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`It is not up in the time it is given, and is killed before it can serve: ${failing} of ${of} pods.`,
  arithmetic: ({ seconds, earliest }: { readonly seconds: number; readonly earliest: number }) =>
    say`The last run took ${duration('en', seconds)}; a start may take at most ${duration('en', earliest)} here.`,
  'advice-probe': ({ what }: { readonly what: string }) =>
    sentences(
      say`Try ${code(what)} from inside the pod.`,
      say`Correct port or path, or allow more time; it is asked again until it passes once.`,
    ),
  'advice-startup': () =>
    say`Raise ${code('failureThreshold')} until the slowest healthy start fits; nothing is lost, a start that is done ends the probe.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container }) =>
    say`${code(workload)}: kubelet이 스타트업 프로브 때문에 ${code(container)} 컨테이너를 종료합니다`,
  standing: ({ failing, of }) =>
    say`주어진 시간 안에 뜨지 못해 서비스하기 전에 종료됩니다: 파드 ${of}개 중 ${failing}개.`,
  arithmetic: ({ seconds, earliest }) =>
    say`마지막 실행은 ${duration('ko', seconds)}, 시작에 허용된 시간은 최대 ${duration('ko', earliest)}입니다.`,
  'advice-probe': ({ what }) =>
    sentences(
      say`파드 안에서 ${code(what)} 요청을 직접 해 보세요.`,
      say`포트나 경로를 고치거나 시간을 더 주세요. 한 번 성공할 때까지 계속 확인합니다.`,
    ),
  'advice-startup': () =>
    say`가장 느린 정상 시작이 들어갈 만큼 ${code('failureThreshold')} 값을 올리세요. 시작이 끝나면 프로브도 끝나므로 잃는 것은 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('startup-probe-kill');
