import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { renderResolution } from '#src/edges/slack/render/pointer.js';
import { buildDiagnosis } from '../../../../support/diagnosis.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildIncident, tell } from '../../../../support/slack-builders.js';

const link = 'https://team.slack.com/archives/C0INCIDENTS/p1763600000000001';
const alert = {
  id: 'a1',
  name: 'KubePodCrashLooping',
  source: 'slack',
  status: 'resolved',
  firings: 1,
  at: '',
} as const;
const says = (fields: Partial<Incident>) =>
  aloud(
    renderResolution(buildIncident({ phase: 'diagnosed', alerts: [alert], ...fields }), link, tell).blocks,
  );

describe('under the message of a resolved alert', () => {
  it.each<[string, Partial<Incident>, string, string]>([
    [
      'the answer is that the cause is still there',
      { diagnosis: buildDiagnosis() },
      '*The alert is resolved, but the cause is still present.* 🔴 Critical:',
      '*알림은 해결되었지만 원인이 그대로 남아 있습니다.* 🔴 심각:',
    ],
    [
      'the answer is that the workload recovered',
      { diagnosis: buildDiagnosis({ findings: [] }) },
      '*Recovered:* the alert is resolved',
      '*복구됨:* 알림이 해결되었고',
    ],
    [
      'nothing is claimed where no diagnosis could be made',
      { phase: 'failed' },
      'could not be verified',
      '확인하지 못했습니다',
    ],
    [
      'the alerts that still fire are named',
      { alerts: [alert, { ...alert, id: 'a2', name: 'KubeDeploymentRolloutStuck', status: 'firing' }] },
      'are still firing: `KubeDeploymentRolloutStuck`',
      '계속 발생 중입니다: `KubeDeploymentRolloutStuck`',
    ],
  ])('%s', (_, fields, english, korean) => {
    expect(says({ ...fields, language: 'en' })).toContain(english);
    expect(says({ ...fields, language: 'ko' })).toContain(korean);
  });

  it('a button leads to the card', () => {
    const { blocks } = renderResolution(buildIncident({ alerts: [alert] }), link, tell);
    expect(JSON.stringify(blocks)).toContain(link);
  });
});
