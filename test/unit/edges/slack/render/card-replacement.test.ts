import { describe, expect, it } from 'vitest';
import type { DeletePod } from '#src/doctor/fixes/kinds/delete-pod.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { aloud } from '../../../../support/read-aloud.js';
import {
  applied,
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  buildRemediation,
  tell,
} from '../../../../support/slack-builders.js';

const cause = 'crash-loop-on-node';

/** A deleted pod whose replacement is ready on another node. */
function card(purpose: DeletePod['purpose'], isFound: boolean, language: 'en' | 'ko' = 'en'): string {
  const { effects, price, prediction } = buildRemediation();
  const { undo: _, ...sent } = applied;
  const remediation: DeletePod = {
    ...{ kind: 'delete-pod', id: 'delete-pod-a', pod: 'a', uid: 'a-uid', mustStayReadySeconds: 0, purpose },
    ...{ title: { catalogue: 'delete-pod', key: 'title-experiment', values: { pod: 'a' } }, effects },
    ...{ price, prediction },
  };
  const incident = buildIncident({
    phase: 'settled',
    language,
    change: buildChange({
      ...sent,
      cause,
      remediation,
      verdict: 'recovered',
      verdictAt: '2026-11-20T09:31:40Z',
      progress: {
        catalogue: 'verification',
        key: 'replacement-ready',
        values: { pod: 'b', node: 'n-b' },
      },
    }),
    diagnosis: buildDiagnosis({
      takenAt: '2026-11-20T09:32:00Z',
      findings: isFound ? [buildFinding({ cause })] : [],
    }),
  });
  return aloud(renderCard(incident, undefined, { tell }).blocks);
}

describe('the card after a pod was deleted as an experiment', () => {
  it('claims no recovery while other pods still fail', () => {
    const [title = ''] = card('experiment', true).split('\n');
    expect(title).toBe(
      '# 🔵 ml/inference: the replacement pod is ready, but the cause is still found · 26 s after the change',
    );
    expect(card('experiment', true)).toContain('The replacement `b` is ready on `n-b`');
    expect(card('experiment', true, 'ko').split('\n')[0]).toContain('원인이 아직 남아 있습니다');
  });

  it('states the recovery once the cause is gone', () => {
    expect(card('experiment', false).split('\n')[0]).toContain('🟢 ml/inference recovered');
    expect(card('unstick', false).split('\n')[0]).toContain('🟢 ml/inference recovered');
  });
});
