import { describe, expect, it } from 'vitest';
import { decidingLineOf } from '#src/doctor/log-lines/deciding-line.js';
import { type EndingKind, endingOf } from '#src/doctor/log-lines/ending-kinds.js';

const decide = (lines: readonly string[]) => decidingLineOf(lines)?.line;

describe('the reason above the line in which a platform reports only the end', () => {
  it.each<[string, readonly string[], string]>([
    [
      'of a call that Elixir ended, the failure of the connection',
      [
        '10:11:12.123 [error] Postgrex.Protocol (#PID<0.2123.0>) failed to connect: ** (DBConnection.ConnectionError) tcp connect (db:5432): connection refused - :econnrefused',
        '10:11:20.123 [error] GenServer #PID<0.2125.0> terminating',
        '** (stop) exited in: DBConnection.Holder.checkout(#PID<0.2122.0>, [])',
        '    (db_connection 2.4.2) lib/db_connection/holder.ex:91: DBConnection.Holder.checkout/3',
      ],
      '10:11:12.123 [error] Postgrex.Protocol (#PID<0.2123.0>) failed to connect: ** (DBConnection.ConnectionError) tcp connect (db:5432): connection refused - :econnrefused',
    ],
    [
      'of a call that ended without another failure, the call',
      [
        '10:11:20.123 [error] GenServer #PID<0.2125.0> terminating',
        '** (stop) exited in: GenServer.call(Shop.Store, :load, 5000)',
        '    (elixir 1.15.7) lib/gen_server.ex:1074: GenServer.call/3',
      ],
      '** (stop) exited in: GenServer.call(Shop.Store, :load, 5000)',
    ],
    [
      'in the reason with which the kernel of Erlang ends',
      [
        '[error] 2026-11-20T09:28:50Z nonode@nohost <0.209.0> -------- Could not open server http',
        '[info] 2026-11-20T09:28:50Z nonode@nohost <0.9.0> -------- Application couch exited',
        '{"Kernel pid terminated",application_controller,"{application_start_failure,couch,{{badmatch,{error,eacces}},[{couch_server,init,1}]}}"}',
      ],
      '{"Kernel pid terminated",application_controller,"{application_start_failure,couch,{{badmatch,{error,eacces}},[{couch_server,init,1}]}}"}',
    ],
    [
      'not in that reason where it has none',
      [
        '[error] 2026-11-20T09:28:50Z nonode@nohost <0.209.0> -------- Could not open server http',
        '{"Kernel pid terminated",application_controller,"{application_start_failure,couch,shutdown}"}',
      ],
      '[error] 2026-11-20T09:28:50Z nonode@nohost <0.209.0> -------- Could not open server http',
    ],
    [
      'the exception of a worker above the bare name of an error',
      [
        '2026-11-20T09:28:50Z ERROR shard-manager: launcher: Shard complete standard error output:',
        '',
        'RuntimeError: Not enough memory to handle 16000 prefill tokens. You need to decrease `--max-batch-prefill-tokens`',
        '2026-11-20T09:28:50Z ERROR launcher: Shard 0 failed to start',
        '2026-11-20T09:28:50Z  INFO launcher: Shutting down shards',
        'Error: ShardCannotStart',
      ],
      'RuntimeError: Not enough memory to handle 16000 prefill tokens. You need to decrease `--max-batch-prefill-tokens`',
    ],
    [
      'an error with a message of its own',
      ['RuntimeError: retry', 'Error: model directory is empty'],
      'Error: model directory is empty',
    ],
    [
      'the first error of a server that starts all the same',
      [
        '09:28:50,000 ERROR [controller] (Boot Thread) Operation ("add") failed - failure description: {"Required services that are not installed:" => ["jdbc-driver.postgresql"]}',
        '09:28:50,100 ERROR [server] (Boot Thread) Server 26.1.0.Final started (with errors) in 5000ms - Started 300 of 600 services',
      ],
      '09:28:50,000 ERROR [controller] (Boot Thread) Operation ("add") failed - failure description: {"Required services that are not installed:" => ["jdbc-driver.postgresql"]}',
    ],
    [
      'the argument below a sentence that only announces it',
      [
        'error: the following required arguments were not provided:',
        '  --database-url <DATABASE_URL>',
        '',
        'Usage: server --database-url <DATABASE_URL>',
      ],
      'error: the following required arguments were not provided: --database-url <DATABASE_URL>',
    ],
    [
      'how a child ended, where nothing else was written',
      [
        "2026-11-20 09:28:50,000 INFO spawned: 'web' with pid 9",
        '2026-11-20 09:28:51,000 WARN exited: web (exit status 1; not expected)',
        '2026-11-20 09:28:54,000 INFO gave up: web entered FATAL state, too many start retries too quickly',
      ],
      '2026-11-20 09:28:51,000 WARN exited: web (exit status 1; not expected)',
    ],
    [
      'what the child wrote before it ended',
      [
        "2026-11-20 09:28:50,000 INFO spawned: 'web' with pid 9",
        'open /data/web.db: permission denied',
        '2026-11-20 09:28:51,000 WARN exited: web (exit status 1; not expected)',
      ],
      'open /data/web.db: permission denied',
    ],
  ])('%s', (_, lines, reason) => {
    expect(decide(lines)).toBe(reason);
  });

  it('is not a child that ended well', () => {
    expect(decide(['2026-11-20 09:28:51,000 INFO exited: setup (exit status 0; expected)'])).toBeUndefined();
  });
});

describe('the kind of what platforms write', () => {
  it.each<[string, EndingKind | undefined]>([
    ['thread 1 panic: unable to bind: error.AddressInUse', 'address-in-use'],
    ['error: Failed to start server. Is port 3000 in use?', 'address-in-use'],
    ['3000 connections in use', undefined],
    ['There is an issue connecting to your database with your username/password', 'credentials'],
    ['There is an issue about the page for the password', undefined],
    ['failed to retrieve server_version_num: host or service not provided, or not known', 'unreachable'],
    ['the service is not known to the mesh', undefined],
    ['Database needs bootstrapping or is older than Kong 1.0.', 'not-migrated'],
    ['database files are older than version 2 and cannot be opened', 'data-version'],
    [
      'Error: migration[305]: your database (migration version: 306) is for a newer Gitea, you can not use it',
      'data-version',
    ],
    ['data are from a newer feed', undefined],
    ["Missing `secret_key_base` for 'production' environment, set this string", 'setting'],
    ['Missing `user_id` in the answer of the server', undefined],
    [`Cannot resolve expression '\${env.DB_PASSWORD}'`, 'setting'],
    [`Error resolving property value [\${DB_URL}]. Property doesn't exist`, 'setting'],
    ['cannot resolve the type of an expression', undefined],
    ["Unknown output plugin 'elasticsearch'.", 'setting'],
    ["section 'es' tried to instance a plugin name that doesn't exist", 'setting'],
    ['plugin loaded; the index did not exist before', undefined],
    ['error: the following required arguments were not provided: --url <URL>', 'setting'],
    ['OptionsValidationException: The ConnectionString field is required.', 'setting'],
    ['java.lang.IllegalArgumentException: myid file is missing', 'missing-file'],
    ["the file is missing the key 'port'", 'setting'],
    [
      'Could not setup Async I/O: not enough request capacity in /proc/sys/fs/aio-max-nr. Try increasing that number',
      'kernel-setting',
    ],
    ['read /proc/sys/kernel/osrelease', undefined],
  ])('%s', (line, kind) => {
    expect(endingOf(line)).toBe(kind);
  });
});
