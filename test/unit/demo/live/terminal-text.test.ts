import { describe, expect, it } from 'vitest';
import { commandFor, demoIncidents } from '../../../../demo/cluster/seed/demo-incidents.js';
import { terminalText } from '../../../../demo/live/terminal-text.js';

const place = { url: 'http://127.0.0.1:3471', kubeconfigPath: '/tmp/demo/kubeconfig' };

describe.each(['en', 'ko'] as const)('what the demo writes into the terminal, in %s', (language) => {
  const { ready, starting, stopping, portInUse, noRedis } = terminalText[language];

  it('names the address, each command with its incident, and the kubeconfig', () => {
    const lines = ready(place).split('\n');
    expect(lines[0]).toContain(place.url);
    for (const seed of demoIncidents) {
      const line = lines.find((each) => each.includes(commandFor(seed)));
      expect(line).toContain(seed.summary[language]);
    }
    expect(lines.join('\n')).toContain(`kubectl --kubeconfig ${place.kubeconfigPath} `);
  });

  it('is in one language', () => {
    const prose = [starting, stopping, portInUse(3333), noRedis, ...ready(place).split('\n')].filter(
      (line) => line !== '' && !line.startsWith('  '),
    );
    expect(prose.length).toBeGreaterThan(4);
    for (const line of prose) expect(/[가-힣]/u.test(line)).toBe(language === 'ko');
  });
});
