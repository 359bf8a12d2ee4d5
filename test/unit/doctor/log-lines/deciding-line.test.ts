import { describe, expect, it } from 'vitest';
import { decidingLineOf, withoutFrames } from '#src/doctor/log-lines/deciding-line.js';

function decide(text: string) {
  return decidingLineOf(text.split('\n'))?.line;
}

describe('the line of a log that names the reason', () => {
  it.each<[string, string, string]>([
    [
      'the failure, and not that its trace is the same',
      `2026-11-20 09:28:51 +0000 [error]: unexpected error error_class=Errno::EADDRINUSE error=#<Errno::EADDRINUSE: Address already in use - bind(2) for 0.0.0.0:31337>
  2026-11-20 09:28:51 +0000 [error]: suppressed same stacktrace`,
      '2026-11-20 09:28:51 +0000 [error]: unexpected error error_class=Errno::EADDRINUSE error=#<Errno::EADDRINUSE: Address already in use - bind(2) for 0.0.0.0:31337>',
    ],
    [
      'the sentence below an error that is only a code',
      `305 migrations found in prisma/migrations

Error: P3009

migrate found failed migrations in the target database, new migrations will not be applied.
The \`2024_add_model_indices\` migration started at 2026-11-20 08:12:11 UTC failed

Exiting...`,
      'Error: P3009 migrate found failed migrations in the target database, new migrations will not be applied.',
    ],
    [
      'what the kernel lacks, and not what failed without it',
      `libbpf: failed to find valid kernel BTF
libbpf: Error loading vmlinux BTF: -3
libpman: failed to load BPF object (errno: 3 | message: No such process)
An error occurred in an event source, forcing termination...
Events detected: 0`,
      'libbpf: Error loading vmlinux BTF: -3',
    ],
    [
      'the reason, and not how to see more of it',
      `ERROR (main) Failed to start server in (production) mode
ERROR (main) Connection to keycloak-db:5432 refused.
ERROR (main) Connection refused
ERROR (main) For more details run the same command passing the '--verbose' option.`,
      'ERROR (main) Connection refused',
    ],
    [
      'a reason that says in the same line how to see more of it',
      `INFO starting
Error: no bucket named archive. For more information, see https://docs.example/buckets`,
      'Error: no bucket named archive. For more information, see https://docs.example/buckets',
    ],
    [
      'the refused value above a service that did not start',
      `You provided an invalid option for the environment variable "SSL_MODE". Valid options are "off", "mixed", or "full".
Linking the storage...
s6-rc: warning: unable to start service configure-ssl: command exited 1`,
      'You provided an invalid option for the environment variable "SSL_MODE". Valid options are "off", "mixed", or "full".',
    ],
    [
      'the error before a value that is missing for it',
      `[2026-11-20T09:28:14Z ERROR r2d2] database is locked
[2026-11-20T09:28:14Z INFO  app] Launching webserver on http://0.0.0.0:8080
thread 'main' panicked at src/store.rs:31:14:
called \`Option::unwrap()\` on a \`None\` value`,
      '[2026-11-20T09:28:14Z ERROR r2d2] database is locked',
    ],
    [
      'the message inside the fields of a structured line',
      `{"timestamp":"2026-11-20T09:28:52Z","level":"ERROR","fields":{"message":"Shutting down: this storage has data-loss","kind":"SystemBoot"},"target":"core"}
{"timestamp":"2026-11-20T09:28:53Z","level":"INFO","fields":{"message":"Shutdown requested"},"target":"core"}`,
      'Shutting down: this storage has data-loss',
    ],
    [
      'the last cause of a Java trace',
      `INFO starting
org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'x'
\tat org.springframework.beans.Factory0.create(Factory0.java:100)
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: java.sql.SQLException: Could not connect to orders-db:3307
\tat com.db.Driver.connect(Driver.java:50)
\t... 44 common frames omitted
Caused by: java.net.ConnectException: Connection refused
\tat java.net.Socket.connect(Socket.java:600)
\t... 60 more`,
      'Caused by: java.net.ConnectException: Connection refused',
    ],
    [
      'the reason and not the orderly shutdown after it',
      `2026-11-20 09:27:01 ERROR c.a.App : Application run failed
java.lang.IllegalStateException: No bucket named archive
\tat com.acme.App.main(App.java:10)
2026-11-20 09:27:02 INFO c.a.App : Shutting down ExecutorService
2026-11-20 09:27:02 INFO c.z.h.HikariDataSource : HikariPool-1 - Shutdown completed.`,
      'java.lang.IllegalStateException: No bucket named archive',
    ],
    [
      'the panic of Go above its goroutines',
      `2026/11/20 09:28:14 starting
panic: open /data/index: file does not belong here

goroutine 1 [running]:
main.main()
\t/src/main.go:12 +0x1d
exit status 2`,
      'panic: open /data/index: file does not belong here',
    ],
    [
      'the error of Node above its frames',
      `/app/server.js:10
    throw new Error('x')
    ^

Error: queue "orders" has no consumer
    at Object.<anonymous> (/app/server.js:10:9)
    at Module._compile (node:internal/modules/cjs/loader:1105:14)

Node.js v20.1.0`,
      'Error: queue "orders" has no consumer',
    ],
    [
      'the exception of Python below its trace',
      `Traceback (most recent call last):
  File "/app/main.py", line 10, in <module>
    run()
  File "/app/main.py", line 5, in run
    raise ValueError("no region given")
ValueError: no region given`,
      'ValueError: no region given',
    ],
    [
      'an exception of Python whose class does not look like one',
      `Traceback (most recent call last):
  File "/app/main.py", line 10, in <module>
    run()
celery.exceptions.ImproperlyConfigured: broker is empty
INFO: worker stopped`,
      'celery.exceptions.ImproperlyConfigured: broker is empty',
    ],
    [
      'the first exception of Python where the last one only reports the outcome',
      `Traceback (most recent call last):
  File "/app/db.py", line 10, in connect
    connect()
ConnectionRefusedError: [Errno 111] Connection refused

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/main.py", line 5, in run
    start()
RuntimeError: application startup failed`,
      'ConnectionRefusedError: [Errno 111] Connection refused',
    ],
    [
      'the inner exception of .NET',
      `Unhandled exception. System.InvalidOperationException: The host did not start
 ---> System.Net.Sockets.SocketException (111): Connection refused
   at System.Net.Sockets.Socket.Connect(EndPoint remoteEP)
   --- End of inner exception stack trace ---
   at Program.Main(String[] args) in /src/Program.cs:line 12`,
      '---> System.Net.Sockets.SocketException (111): Connection refused',
    ],
    [
      'the message below the level of .NET',
      `info: Microsoft.Hosting.Lifetime[0]
      Application started.
crit: Acme.Worker[12]
      Queue orders has no reader
info: Microsoft.Hosting.Lifetime[0]
      Application is shutting down...`,
      'crit: Acme.Worker[12] Queue orders has no reader',
    ],
    [
      'the exception of Ruby',
      `I, [2026-11-20T09:28:14] INFO -- : booting
/app/lib/store.rb:31:in 'Store#open': no bucket given (ArgumentError)
\tfrom /app/config.ru:3:in '<main>'`,
      `/app/lib/store.rb:31:in 'Store#open': no bucket given (ArgumentError)`,
    ],
    [
      'the message of Rust below the place of the panic',
      `2026-11-20T09:28:14Z INFO app: starting
thread 'main' panicked at src/main.rs:5:10:
called \`Result::unwrap()\` on an \`Err\` value: NoRegion
stack backtrace:
   0: rust_begin_unwind
   1: core::panicking::panic_fmt
             at /rustc/abc/library/core/src/panicking.rs:72:14
note: Some details are omitted, run with \`RUST_BACKTRACE=full\``,
      "thread 'main' panicked at src/main.rs:5:10: called `Result::unwrap()` on an `Err` value: NoRegion",
    ],
    [
      'what() of C++',
      `terminate called after throwing an instance of 'std::runtime_error'
  what():  no shard 7
Aborted (core dumped)`,
      'what():  no shard 7',
    ],
    [
      'the last line of the gravest level',
      `level=error msg="scrape of peer took long"
level=fatal msg="no peers configured"
level=info msg="bye"`,
      'level=fatal msg="no peers configured"',
    ],
    [
      'message and error of a structured line',
      `{"level":"info","msg":"starting"}
{"level":"error","msg":"cannot load plan","error":"plan 7 is closed","stacktrace":"main.main\\n\\t/src/main.go:12"}
{"level":"info","msg":"stopped"}`,
      'cannot load plan: plan 7 is closed',
    ],
    [
      'the cause in the trace of a structured line',
      `{"@timestamp":"x","log.level":"ERROR","message":"start failed","error.stack_trace":"a.B: start failed\\n\\tat a.B.c(B.java:1)\\nCaused by: a.C: no tenant\\n\\tat a.C.d(C.java:2)"}`,
      'start failed: Caused by: a.C: no tenant',
    ],
    [
      'a structured line with the numbers of pino',
      `{"level":30,"msg":"up"}
{"level":60,"msg":"no tenant","err":{"type":"Error","message":"tenant 7 is gone","stack":"Error: tenant 7 is gone\\n    at x (y.js:1:1)"}}`,
      'no tenant: tenant 7 is gone',
    ],
    [
      'the object after the columns of a console encoder',
      `2026-11-20T09:28:14Z\tINFO\tsetup\tstarting manager
2026-11-20T09:28:15Z\tERROR\tsetup\tunable to set up\t{"error": "no region"}`,
      'unable to set up: no region',
    ],
    [
      'the letter of klog',
      `I1120 09:28:14.000000       1 main.go:12] starting
F1120 09:28:15.000000       1 main.go:20] no kubeconfig given
I1120 09:28:15.100000       1 main.go:30] done`,
      'F1120 09:28:15.000000       1 main.go:20] no kubeconfig given',
    ],
    [
      'the error before one that only reports the outcome',
      `ERROR [core.py:1195] ValueError: Free memory on device cuda:0 (0.4/79 GiB) on startup is less than desired
RuntimeError: Engine core initialization failed. See root cause above.`,
      'ERROR [core.py:1195] ValueError: Free memory on device cuda:0 (0.4/79 GiB) on startup is less than desired',
    ],
    [
      'a sentence about a failure where no line has a level',
      `starting
lock DB directory: resource temporarily unavailable`,
      'lock DB directory: resource temporarily unavailable',
    ],
    [
      'the end of PHP above its frames',
      `PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /app/db.php:3
Stack trace:
#0 /app/db.php(3): PDO->__construct()
#1 {main}
  thrown in /app/db.php on line 3`,
      'PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /app/db.php:3',
    ],
    [
      'the deepest of the causes that Rust numbers',
      `Error: failed to run migrations

Caused by:
    0: could not run step 3
    1: relation "jobs" does not exist

Stack backtrace:
   0: anyhow::error::<impl anyhow::Error>::msg
   1: jobs::main`,
      'relation "jobs" does not exist',
    ],
    [
      'the only cause that Rust names below its error',
      `Error: failed to open the store

Caused by:
    store.db is already locked by another process`,
      'Caused by: store.db is already locked by another process',
    ],
    [
      'the cause that Node prints inside the braces of an error',
      `TypeError: fetch failed
    at node:internal/deps/undici/undici:13185:13 {
  [cause]: Error: getaddrinfo ENOTFOUND vault.internal
      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:120:26) {
    code: 'ENOTFOUND'
  }
}`,
      '[cause]: Error: getaddrinfo ENOTFOUND vault.internal',
    ],
    [
      'the wrong flag above the help text',
      `flag provided but not defined: -enable-legacy
Usage of /manager:
  -log-level value
    \tOne of 'debug', 'info', 'error', 'panic'`,
      'flag provided but not defined: -enable-legacy',
    ],
    [
      'the missing argument below the usage',
      `usage: serve [-h] --port PORT
             [--fail-fast]
serve: error: the following arguments are required: --port`,
      'serve: error: the following arguments are required: --port',
    ],
    [
      'the structured exception above errors of the shutdown',
      JSON.stringify({
        level: 'ERROR',
        message: 'run failed',
        stack_trace: 'a.B: outer\n\tat a.B.c(B.java:1)\nCaused by: a.D: version 42 failed\n',
      }) +
        '\n' +
        JSON.stringify({ level: 'ERROR', message: 'Failed to stop the exporter' }),
      'run failed: Caused by: a.D: version 42 failed',
    ],
    [
      'the line of a logger, whose panic repeats its message without the error',
      `${JSON.stringify({ level: 'panic', msg: 'unable to open cache', error: 'open /data/cache.db: timeout' })}
panic: unable to open cache

goroutine 1 [running]:`,
      'unable to open cache: open /data/cache.db: timeout',
    ],
    [
      'the message of several lines above its frames',
      `ERROR boot - run failed
a.b.BeanException: Error creating bean 'db': Validate failed
Checksum mismatch for version 160
-> Applied to database : -10
-> Resolved locally    : -29
\tat a.b.C.d(C.java:1)
Caused by: a.b.ValidateException: Validate failed
Checksum mismatch for version 160
-> Applied to database : -10
\tat a.b.E.f(E.java:2)`,
      'Caused by: a.b.ValidateException: Validate failed Checksum mismatch for version 160',
    ],
    [
      'what a block of Spring describes',
      `2026-11-20 ERROR 1 --- [main] LoggingFailureAnalysisReporter   :

***************************
APPLICATION FAILED TO START
***************************

Description:

Failed to bind properties under 'pool.size' to int:

    Property: pool.size
    Value: "ten"
    Reason: failed to convert java.lang.String to int

Action:

Update your application's configuration`,
      "Failed to bind properties under 'pool.size' to int:",
    ],
    [
      'the failure with the detail that a server adds',
      `10:00:00 [7] FATAL:  data directory "/pg" has invalid permissions
10:00:00 [7] DETAIL:  Permissions should be u=rwx (0700).`,
      '10:00:00 [7] FATAL:  data directory "/pg" has invalid permissions DETAIL:  Permissions should be u=rwx (0700).',
    ],
    [
      'the error that a line only announces, before a blank line',
      `Error: decoding failed due to the following error(s):

'exporters' unknown type: "logging"`,
      `Error: decoding failed due to the following error(s): 'exporters' unknown type: "logging"`,
    ],
    [
      'the reason above the end that a runtime reports',
      `BOOT FAILED
===========
error:{badmatch,{listen_error,{acceptor,1883},eaddrinuse}}

    rabbit_mqtt:start/2, line 28
    application_master:start_it_old/4, line 293

Runtime terminating during boot ({badmatch,{error,{shutdown}}})
Crash dump is being written to: /var/log/erl_crash.dump...done`,
      'error:{badmatch,{listen_error,{acceptor,1883},eaddrinuse}}',
    ],
    [
      'the fatal error of Swift above its numbered frames',
      `Vapor/Environment.swift:84: Fatal error: Error raised at top level: App.ConfigurationError.missing("DATABASE_URL")
Current stack trace:
0    libswiftCore.so                    0x00007f3fd2cfb0a0 _swift_stdlib_reportFatalErrorInFile + 109`,
      'Vapor/Environment.swift:84: Fatal error: Error raised at top level: App.ConfigurationError.missing("DATABASE_URL")',
    ],
    [
      'the reason in a report of Java whose last line only names the report',
      `#
# There is insufficient memory for the Java Runtime Environment to continue.
# An error report file with more information is saved as:
# /tmp/hs_err_pid1.log`,
      '# There is insufficient memory for the Java Runtime Environment to continue.',
    ],
    [
      'the reason above what a program writes while it cleans up',
      `allocating 15317.02 MiB on device 0: cudaMalloc failed: out of memory
error loading model: unable to allocate CUDA0 buffer
srv: failed to load model
srv: cleaning up before exit...
main: exiting due to model loading error`,
      'error loading model: unable to allocate CUDA0 buffer',
    ],
    [
      'what failed before somebody stopped the program',
      `pthread_create failed for thread 41 of 64: Resource temporarily unavailable
Traceback (most recent call last):
  File "/app/serve.py", line 3, in <module>
    import numpy as np
KeyboardInterrupt`,
      'pthread_create failed for thread 41 of 64: Resource temporarily unavailable',
    ],
    [
      'the first line of a failure that a server reports in several, with notes in between',
      `[System] starting
[ERROR] Unable to lock ./segment1 error: 11
[Note] Check that no other server uses the same data.
[ERROR] Operating system error number 11 in a file operation.
[ERROR] Cannot open datafile './segment1'
[ERROR] Aborting
[System] Shutdown complete`,
      '[ERROR] Unable to lock ./segment1 error: 11',
    ],
    [
      'the first grave line of a failure of which no line names a kind',
      `[Note] reading the state
[ERROR] It was not the last one to leave the group, and may lack updates.
[ERROR] wsrep: connect(gcomm://) gave 7
[ERROR] Aborting`,
      '[ERROR] It was not the last one to leave the group, and may lack updates.',
    ],
    [
      'what the tools of the kernel say above the outcome',
      `modprobe: FATAL: Module ip_tables not found in directory /lib/modules/5.14.0
iptables: can't initialize table \`filter\`
Perhaps your kernel needs to be upgraded.
[FATAL] driver.go: Failed to set up iptables`,
      'modprobe: FATAL: Module ip_tables not found in directory /lib/modules/5.14.0',
    ],
    [
      'the cause of the failure, not what was suppressed while it was handled',
      `java.lang.IllegalStateException: startup failed
\tat a.B.start(B.java:41)
\tSuppressed: java.lang.IllegalStateException: pool is already closed
\t\tat a.Pool.close(Pool.java:77)
\tCaused by: java.io.IOException: Stream closed
\t\t... 1 more
Caused by: java.nio.file.AccessDeniedException: /srv/cache/index
\tat a.C.open(C.java:90)
\tSuppressed: java.io.IOException: Broken pipe
\t\tat a.D.close(D.java:168)`,
      'Caused by: java.nio.file.AccessDeniedException: /srv/cache/index',
    ],
    [
      'the exception of a trace that a structured line has as its message',
      JSON.stringify({
        severity: 'CRITICAL',
        message: `Traceback (most recent call last):\n  File "/app/main.py", line 8\nKeyError: 'DATABASE_URL'`,
      }),
      "KeyError: 'DATABASE_URL'",
    ],
  ])('is %s', (_, log, line) => {
    expect(decide(log)).toBe(line);
  });

  it.each([
    ['a log without a failure', 'starting\nlistening on :8080\nready'],
    ['a log of frames alone', '\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)'],
    ['warnings alone', 'WARN slow disk\nINFO done'],
    ['nothing', ''],
  ])('is none in %s', (_, log) => {
    expect(decide(log)).toBeUndefined();
  });

  it('does not take a failure that was overcome for the reason of a later one', () => {
    expect(
      decide(`ERROR redis: connection refused, retrying
INFO redis: connected
FATAL region eu-9 does not serve tenant 7`),
    ).toBe('FATAL region eu-9 does not serve tenant 7');
    expect(
      decide(`ERROR redis: connection refused, retrying
INFO redis: connected
ERROR Application failed to start`),
    ).toBe('ERROR Application failed to start');
  });

  it('comes after the other lines of the same failure', () => {
    const lines = decidingLineOf([
      'ERROR old: another failure',
      'INFO next attempt',
      'a.BException: outer',
      '\tat a.B.c(B.java:1)',
      'Caused by: a.C: middle',
      '\t... 3 more',
      'Caused by: a.D: inner',
      '\t... 4 more',
    ])?.lines;

    expect(lines).toEqual(['a.BException: outer', 'Caused by: a.C: middle', 'Caused by: a.D: inner']);
  });
});

describe('a log without frames', () => {
  it('keeps every other line, and all lines where nothing else is left', () => {
    expect(withoutFrames(['a', '\tat a.B.c(B.java:1)', 'b'])).toEqual(['a', 'b']);
    expect(withoutFrames(['\tat a.B.c(B.java:1)'])).toEqual(['\tat a.B.c(B.java:1)']);
  });
});
