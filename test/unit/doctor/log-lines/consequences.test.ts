import { describe, expect, it } from 'vitest';
import { decidingLineOf } from '#src/doctor/log-lines/deciding-line.js';

const decide = (lines: readonly string[]) => decidingLineOf(lines)?.line;

describe('the reason above what only follows from it', () => {
  it.each<[string, readonly string[], string]>([
    [
      'the error of a server whose later request is cancelled, with the level as a letter in a column',
      [
        "rm: cannot remove '/data/member_removal.log': No such file or directory",
        '2026-11-20 09:28:52.675047 E | store: the member has been permanently removed from the cluster',
        '2026-11-20 09:28:52.675059 I | store: the data-dir used by this member must be removed.',
        '2026-11-20 09:28:52.675092 E | store: publish error: request cancelled',
        '2026-11-20 09:28:52.675106 I | store: aborting publish because server is stopped',
      ],
      'store: the member has been permanently removed from the cluster',
    ],
    [
      'an error that a structured log has as a warning',
      [
        '{"level":"warn","msg":"server error","error":"the member has been permanently removed from the cluster"}',
        '{"level":"info","msg":"added member","id":"c330302d396f2768"}',
        '{"level":"warn","msg":"data-dir used by this member must be removed"}',
        '{"level":"warn","msg":"failed to publish local member","error":"request cancelled"}',
      ],
      'the member has been permanently removed from the cluster',
    ],
    [
      'the code of a tool above the outcome without one',
      [
        "Service 'web' has been stopped",
        '',
        'TOOL failed with error code 4312',
        '',
        'Failed to update the configuration',
      ],
      'TOOL failed with error code 4312',
    ],
    [
      'the outcome that states its reason, below a code',
      [
        'TOOL failed with error code 4312',
        'Failed to update the configuration: the section is locked by a parent',
      ],
      'the section is locked by a parent',
    ],
    [
      'an error that is printed as a warning',
      [
        "Warning: Error in library: there is no package called 'leaflet'",
        'Stack trace (innermost first):',
        '    41: library',
        '     1: runApp',
        'Error : An error has occurred. Check your logs or contact the app author for clarification.',
      ],
      "there is no package called 'leaflet'",
    ],
    [
      'the warning above the lines of a trace that have a level each',
      [
        '2026-11-20T09:30:04Z WRN tracer/bpf.go:243 > load objects failed: map create: operation not permitted (MEMLOCK may be too low)',
        '2026-11-20T09:30:04Z ERR tracer/main.go:113 > goroutine 1 [running]:',
        '2026-11-20T09:30:04Z ERR tracer/main.go:113 > runtime/debug.Stack()',
        '2026-11-20T09:30:04Z ERR tracer/main.go:113 >   /usr/local/go/src/runtime/debug/stack.go:24 +0x5e',
        '2026-11-20T09:30:04Z ERR tracer/main.go:113 >   /app/tracer/main.go:110 +0x34',
      ],
      'MEMLOCK may be too low',
    ],
    [
      'the first failure of a script, above one that the shell reports with its line',
      [
        "mkdir: can't create directory '/opt/out/state/': Permission denied",
        "/opt/entrypoint.sh: line 35: can't create /opt/out/state/variables: nonexistent directory",
      ],
      "mkdir: can't create directory '/opt/out/state/': Permission denied",
    ],
    [
      'the boot of Erlang that ends',
      ['Building Child Chain', 'init terminating in do_boot ({undef,[{Elixir.Provider,init,[[_]],[]}]})'],
      'init terminating in do_boot',
    ],
  ])('is %s', (_, lines, expected) => {
    expect(decide(lines)).toContain(expected);
  });

  it.each<[string, readonly string[], string]>([
    [
      'a call of a program with its level',
      ['2026-11-20T09:30:04Z ERROR connect(): dial tcp 10.1.2.3:5432: connection refused'],
      'connection refused',
    ],
    [
      'an error below a warning with an error',
      [
        '{"level":"warn","msg":"retry","error":"connection reset"}',
        '{"level":"error","msg":"no leader was elected"}',
      ],
      'no leader was elected',
    ],
  ])('is also %s', (_, lines, expected) => {
    expect(decide(lines)).toContain(expected);
  });

  it('is none where warnings have no error', () => {
    expect(
      decide(['{"level":"warn","msg":"deprecated option"}', 'Warning: Errata are listed below']),
    ).toBeUndefined();
  });
});
