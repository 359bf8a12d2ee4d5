import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/core/diagnosis/causes/application-crash/rule.js';
import { badCommand } from '#src/core/diagnosis/causes/bad-command/rule.js';
import { evicted } from '#src/core/diagnosis/causes/evicted/rule.js';
import { text as evictedText } from '#src/core/diagnosis/causes/evicted/text.js';
import { kubeletRejected } from '#src/core/diagnosis/causes/kubelet-rejected/rule.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import type { AnyRule } from '#src/core/diagnosis/rule.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  found,
  reasons,
} from '../crashes/build.js';
import { renderFinding } from './run-rule.js';

function mustFindCause(rule: AnyRule, shape: FailingPodShape): Finding {
  const finding = found(rule, crashSnapshot({ pods: [failingPod(shape)] }));
  if (finding === undefined) throw new Error(`${rule.id} finds nothing`);
  return finding;
}

const looping = (end: Parameters<typeof ended>[0], spec: object = {}): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(end), ready: false, spec }],
});
const evictedFor = (message: string): FailingPodShape => ({
  phase: 'Failed',
  status: { phase: 'Failed', reason: 'Evicted', message, startTime: ago(300) },
});

describe('a crash finding', () => {
  it('is only possible for a SIGKILL of unknown origin, and memory is not ruled out', () => {
    const finding = mustFindCause(applicationCrash, looping({ exitCode: 137 }));

    expect(finding.confidence).toBe('possible');
    expect(finding.ruledOut.map(({ cause }) => cause)).not.toContain('out-of-memory');
  });

  it.each([
    ['proven', { exitCode: 128, reason: 'StartError', message: 'exec: "/nope": no such file or directory' }],
    ['likely', { exitCode: 127, message: 'exec: "/nope": written by the program itself' }],
    ['likely', { exitCode: 127 }],
  ] as const)('is %s for a command that only the runtime reports as missing', (confidence, end) => {
    expect(mustFindCause(badCommand, looping(end)).confidence).toBe(confidence);
  });

  it('contains no command to paste that an image name could extend', () => {
    const image = "web:1 --overrides='{}'; rm -rf $HOME";
    const [advice] = mustFindCause(badCommand, looping({ exitCode: 127 }, { image })).advice;

    expect(advice?.snippet).toContain(`--image='web:1 --overrides='\\''{}'\\''; rm -rf $HOME' --command`);
  });
});

describe('a pod that the kubelet rejected', () => {
  const refused = (seconds: number) =>
    failingPod({
      phase: 'Failed',
      metadata: { creationTimestamp: ago(seconds) },
      status: { phase: 'Failed', reason: 'OutOfcpu', message: '', startTime: ago(seconds) },
    });

  it('minutes ago is reported as failing', () => {
    expect(found(kubeletRejected, crashSnapshot({ pods: [refused(120)] }))).toBeDefined();
  });

  it('hours ago, with no later one, is reported as past', () => {
    expect(found(kubeletRejected, crashSnapshot({ pods: [refused(3 * 3600)] }))).toBeUndefined();
  });
});

describe('an eviction', () => {
  it("by the pod's own limit is not attributed to the node", () => {
    const finding = mustFindCause(
      evicted,
      evictedFor('Usage of EmptyDir volume "tmp" exceeds the limit "1Gi". '),
    );

    expect(finding.summary.key).toBe('summary-own-limit');
    expect(reasons(finding)).not.toContain('no-pressure-now');
    expect(renderFinding(finding, evictedText).en.join(' ')).not.toContain('ran low');
  });

  it('has a clean-up command that spares the failed pods of other workloads', () => {
    const finding = mustFindCause(evicted, evictedFor('The node was low on resource: memory. '));
    const snippets = finding.advice.flatMap(({ snippet }) => snippet ?? []);

    expect(snippets).toEqual(['kubectl -n shop delete pod web-1-a\n']);
  });

  it('of one pod is described in the singular', () => {
    const finding = mustFindCause(evicted, evictedFor('The node was low on resource: memory. '));

    expect(renderFinding(finding, evictedText).en).toContain(
      'The kubelet evicted 1 pod. The Failed pod is still listed.',
    );
  });
});
