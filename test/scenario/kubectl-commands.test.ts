import { describe, expect, it } from 'vitest';
import { kubectlCommands } from '#src/edges/terminal/kubectl-command.js';

describe('a name from a recording', () => {
  const base = {
    type: 'plan',
    remediationId: 'delete-pod',
    request: { verb: 'delete' },
    changes: [],
  } as const;
  const target = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', uid: 'u' };
  const commands = (name: string) =>
    kubectlCommands({ ...base, target: { ...target, name } }, { kind: 'delete-pod' } as never, {});

  it('is quoted when a shell would run it', () => {
    expect(commands("x; $(reboot) 'y'")).toEqual([`kubectl -n shop delete 'pod/x; $(reboot) '\\''y'\\'''`]);
  });

  it('leads to no command when it contains characters that a terminal hides', () => {
    expect(commands('web\u202E')).toEqual([]);
    expect(commands('web\u001b[2K')).toEqual([]);
  });
});
