import type { KnownBlock, ModalView } from '@slack/types';
import { alikeEvidence, sameForOthers } from '../../../doctor/findings/alike-evidence.js';
import type { Diagnosis } from '../../../doctor/findings/diagnosis.js';
import type { Finding } from '../../../doctor/findings/finding.js';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import { ruledOutWords } from '../../../doctor/findings/rule.js';
import { impactInShort } from '../../../doctor/fixes/impact-text.js';
import { kindName, type Remediation } from '../../../doctor/fixes/remediation.js';
import { byRecommendation } from '../../../doctor/fixes/with-drift.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, quote, say, sentences, strong } from '../../../engine/language/prose.js';
import { driftInShort } from '../../../engine/owners/drift-text.js';
import { lines, paragraph, preformatted, steps } from './blocks.js';
import { workloadName } from './card-context.js';
import { diagnosisVerdict, leftOutBlocks, unseenValues } from './card-diagnosis.js';
import { cardText } from './card-text.js';
import type { Size } from './message.js';
import { fittedModal, modalFrame, sentenceModal } from './modal.js';
import { emphasised, separated } from './prose.js';

/**
 * In place of a proof: why there is none, or that it is being read, since Slack's trigger lasts three seconds
 * only.
 */
export function renderProofOutcome(language: Language, says: Prose): ModalView {
  return sentenceModal(proofFrame[language], says);
}

type ProofContext = { readonly tell: Tell; readonly language: Language; readonly size: Size };

/**
 * Everything that the card leaves out: the reasoning, the evidence, what was ruled out, all fixes with their
 * impact, what is not recommended and why, lasting advice, and what could not be read. In the language of its
 * one reader. After an approved fix the proof that it rested on stands first.
 *
 * @param incident as the reader may see it
 */
export function renderProof(
  incident: Incident,
  { language, tell }: { language: Language; tell: Tell },
): ModalView {
  const { diagnosis } = incident;
  const text = proofText[language];
  if (diagnosis === undefined) {
    return renderProofOutcome(language, text['not-diagnosed']({ workload: workloadName(incident) }));
  }
  const { title, close } = proofFrame[language];
  const { beforeFix, look } = incident;
  const blocks = fittedModal((size) => {
    const context = { tell, language, size };
    const now = diagnosisBlocks(context, incident, diagnosis);
    if (beforeFix === undefined || look <= beforeFix.look) return now;
    return [
      paragraph(text['before-fix'](), size),
      ...diagnosisBlocks(context, incident, beforeFix.diagnosis),
      { type: 'divider' },
      paragraph(text.now(), size),
      ...now,
    ];
  });
  return { ...modalFrame(title, close), blocks };
}

function diagnosisBlocks(context: ProofContext, incident: Incident, diagnosis: Diagnosis): KnownBlock[] {
  const { tell, language, size } = context;
  const text = proofText[language];
  const { workload, revision } = diagnosis;
  const { main, others } = mainFindingOf(diagnosis);
  return [
    paragraph(emphasised(diagnosisVerdict({ incident, tell, language }, diagnosis)), size),
    ...(main === undefined
      ? [paragraph(cardText[language].checked({ kind: workload.kind, revision }), size)]
      : findingBlocks(context, main)),
    ...others.flatMap((finding) => [
      paragraph(say`${text['other-finding']()}: ${tell(finding.summary, language)}`, size),
      ...findingBlocks(context, finding),
    ]),
    ...lines(
      text.unseen(),
      diagnosis.unseen.map((each) => cardText[language].unseen(unseenValues(each, workload))),
      size,
      moreIn(language),
    ),
    ...leftOutBlocks({ language, size }, diagnosis),
    paragraph(text['taken-at']({ at: diagnosis.takenAt }), size),
  ];
}

function moreIn(language: Language): (count: number) => Prose {
  return (count) => cardText[language].more({ count });
}

function findingBlocks(context: ProofContext, finding: Finding): KnownBlock[] {
  const { tell, language, size } = context;
  const text = proofText[language];
  const more = moreIn(language);
  return [
    ...(finding.standing === undefined ? [] : [paragraph(tell(finding.standing, language), size)]),
    paragraph(text.why(), size),
    ...steps(
      finding.reasoning.map((reason) => tell(reason, language)),
      size,
      more,
    ),
    ...finding.weakenedBy
      .slice(0, size.items)
      .map((weakness) => paragraph(cardText[language].weakened({ by: tell(weakness, language) }), size)),
    ...lines(
      text.evidence(),
      alikeEvidence(finding.evidence).map(({ object, field, value, at, says, others }) =>
        text['evidence-field']({
          object: `${object.kind} ${object.name}`,
          field,
          value,
          at,
          says: [...tell(says, language), ...sameForOthers({ others }, language)],
        }),
      ),
      size,
      more,
    ),
    ...lines(
      text['ruled-out'](),
      finding.ruledOut.map(({ cause, because }) =>
        text['ruled-out-cause']({ cause: ruledOutWords(cause, language), because: tell(because, language) }),
      ),
      size,
      more,
    ),
    ...fixBlocks(context, finding),
    ...retryBlocks(context, finding),
    ...adviceBlocks(context, finding),
  ];
}

function fixBlocks(
  { tell, language, size }: ProofContext,
  { remediations, withheld }: Finding,
): KnownBlock[] {
  const text = proofText[language];
  const more = moreIn(language);
  const { lead, others, reverted } = byRecommendation(remediations);
  const recommended = lead === undefined ? others : [lead, ...others];
  const fix = ({ title, price, prediction, survival }: Remediation): Prose =>
    separated(
      [
        tell(title, language),
        ...impactInShort(price, prediction, language),
        driftInShort(survival, language) ?? [],
      ],
      ' · ',
    );
  return [
    ...lines(text.fixes(), recommended.map(fix), size, more),
    ...lines(
      text['not-recommended'](),
      [
        ...reverted.map(fix),
        ...withheld.map(({ kind, because }) =>
          text['not-recommended-fix']({ kind, because: tell(because, language) }),
        ),
      ],
      size,
      more,
    ),
  ];
}

function retryBlocks({ tell, language, size }: ProofContext, { nextAttempt }: Finding): KnownBlock[] {
  if (nextAttempt === undefined) return [];
  const { what, at } = nextAttempt;
  const says = cardText[language]['next-attempt']({ what: tell(what, language), at });
  return [paragraph(sentences(proofText[language]['next-retry'](), says), size)];
}

function adviceBlocks({ tell, language, size }: ProofContext, { advice }: Finding): KnownBlock[] {
  const text = proofText[language];
  const snippets = advice.flatMap(({ snippet }) => (snippet === undefined ? [] : [snippet]));
  return [
    ...lines(
      text.advice(),
      advice.map(({ title, text: advised }) =>
        text['advice-step']({ title: tell(title, language), text: tell(advised, language) }),
      ),
      size,
      moreIn(language),
    ),
    ...snippets.slice(0, 2).map((snippet) => preformatted(snippet, size.lengths.quote * 3)),
  ];
}

const en = {
  loading: () => say`Reading the diagnosis …`,
  'not-diagnosed': ({ workload }: { workload: string }) => say`${code(workload)} has not been diagnosed yet.`,
  'taken-at': ({ at }: { at: string }) => say`Diagnosed ${moment(at)}.`,
  'before-fix': () => say`${strong('Before the fix')}`,
  now: () => say`${strong('Now')}`,
  why: () => say`${strong('Why')}`,
  evidence: () => say`${strong('Evidence')}`,
  'evidence-field': (values: {
    object: string;
    field: string;
    value: string;
    at: string | undefined;
    says: Prose;
  }) =>
    say`${code(values.object)} ${code(values.field)} = ${quote(values.value)}${values.at === undefined ? [] : say` (${moment(values.at)})`}: ${values.says}`,
  'ruled-out': () => say`${strong('Ruled out')}`,
  'ruled-out-cause': ({ cause, because }: { cause: string; because: Prose }) =>
    say`${code(cause)}: ${because}`,
  fixes: () => say`${strong('Fixes')}`,
  'not-recommended': () => say`${strong('Not recommended')}`,
  'not-recommended-fix': ({ kind, because }: { kind: string; because: Prose }) =>
    say`${kindName(kind, 'en')}: ${because}`,
  'next-retry': () => say`${strong('Next retry:')}`,
  advice: () => say`${strong('More advice')}`,
  'advice-step': ({ title, text }: { title: Prose; text: Prose }) => say`${title}: ${text}`,
  'other-finding': () => say`${strong('Also found')}`,
  unseen: () => say`${strong('Could not be read')}`,
};

const ko: typeof en = {
  loading: () => say`진단 내용을 읽는 중 …`,
  'not-diagnosed': ({ workload }) => say`${code(workload)} 진단 결과가 아직 없습니다.`,
  'taken-at': ({ at }) => say`진단 시각: ${moment(at)}.`,
  'before-fix': () => say`${strong('조치 전')}`,
  now: () => say`${strong('현재')}`,
  why: () => say`${strong('이유')}`,
  evidence: () => say`${strong('증거')}`,
  'evidence-field': ({ object, field, value, at, says }) =>
    say`${code(object)} ${code(field)} = ${quote(value)}${at === undefined ? [] : say` (${moment(at)})`}: ${says}`,
  'ruled-out': () => say`${strong('배제된 원인')}`,
  'ruled-out-cause': ({ cause, because }) => say`${code(cause)}: ${because}`,
  fixes: () => say`${strong('조치')}`,
  'not-recommended': () => say`${strong('권장하지 않음')}`,
  'not-recommended-fix': ({ kind, because }) => say`${kindName(kind, 'ko')}: ${because}`,
  'next-retry': () => say`${strong('다음 재시도:')}`,
  advice: () => say`${strong('추가 조치')}`,
  'advice-step': ({ title, text }) => say`${title}: ${text}`,
  'other-finding': () => say`${strong('그 밖의 진단 결과')}`,
  unseen: () => say`${strong('읽지 못한 정보')}`,
};

/** The sentences of the proof of a diagnosis. */
export const proofText = { en, ko };

/** The frame of its modal; plain text. */
const proofFrame = {
  en: { title: 'Proof', close: 'Close' },
  ko: { title: '진단 근거', close: '닫기' },
} as const;
