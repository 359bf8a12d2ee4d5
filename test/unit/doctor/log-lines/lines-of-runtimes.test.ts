import { describe, expect, it } from 'vitest';
import { decidingLineOf } from '#src/doctor/log-lines/deciding-line.js';
import { endingOf, pathIn } from '#src/doctor/log-lines/ending-kinds.js';

function decide(lines: readonly string[]) {
  return decidingLineOf(lines)?.line;
}

describe('the reason between lines that runtimes and supervisors add', () => {
  it.each<[string, readonly string[], string]>([
    [
      'an error above headings that have the level of the error',
      [
        "2026-11-20 09:28:01.112 [error] <0.222.0> Timeout contacting cluster nodes: ['a@mq-1','a@mq-2'].",
        '2026-11-20 09:28:01.113 [error] <0.222.0>',
        '2026-11-20 09:28:01.114 [error] <0.222.0> BACKGROUND',
        '2026-11-20 09:28:01.115 [error] <0.222.0> ==========',
      ],
      "2026-11-20 09:28:01.112 [error] <0.222.0> Timeout contacting cluster nodes: ['a@mq-1','a@mq-2'].",
    ],
    [
      'the first of several fields that a parser lists',
      [
        'failed parsing config: /etc/app/config.yml: yaml: unmarshal errors:',
        '  line 7: field chunk_gzip not found in type ingester.Config',
        '  line 70: field log not found in type app.Wrapper',
        'Use `-expand-env=true` flag if you want to expand environment variables',
      ],
      'failed parsing config: /etc/app/config.yml: yaml: unmarshal errors: line 7: field chunk_gzip not found in type ingester.Config',
    ],
    [
      'the exception of a trace whose lines a logger wrote one by one',
      [
        '[service:catalog] 2026-11-20 09:28:08+0000 [-] [MainThread] [engine.service/initialize()] [ERROR] Uncaught exception',
        '[service:catalog] 2026-11-20 09:28:08+0000 [-] Traceback (most recent call last):',
        '[service:catalog] 2026-11-20 09:28:08+0000 [-]   File "/usr/lib/python3.6/site-packages/engine/service.py", line 120, in initialize',
        '[service:catalog] 2026-11-20 09:28:08+0000 [-]     self._init_db()',
        '[service:catalog] 2026-11-20 09:28:08+0000 [-] Exception: cannot connect to configured DB: exception - could not connect to server: Connection refused',
        '[service:catalog] 2026-11-20 09:28:09+0000 [-] Main loop terminated.',
        '[service:catalog] 2026-11-20 09:28:09+0000 [-] Server Shut Down.',
      ],
      'Exception: cannot connect to configured DB: exception - could not connect to server: Connection refused',
    ],
    [
      'an error that a server reports as information',
      [
        '{"s":"I","c":"CONTROL","msg":"Build Info","attr":{"buildInfo":{"version":"6.0.3"}}}',
        '{"s":"I","c":"ACCESS","id":20254,"msg":"Read security file failed","attr":{"error":{"code":30,"codeName":"InvalidPath","errmsg":"permissions on /etc/mongo/keyfile are too open"}}}',
      ],
      'Read security file failed: permissions on /etc/mongo/keyfile are too open',
    ],
    [
      'the failure and not information with an error of another sort',
      [
        '{"level":"info","msg":"watch ended","error":"context canceled"}',
        'open /etc/app/tls.key: permission denied',
        '{"level":"info","msg":"watch ended","error":"context canceled"}',
      ],
      'open /etc/app/tls.key: permission denied',
    ],
    [
      'the reason in a term of Erlang above its frames',
      [
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>     reason: {badmatch,',
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                 {error,',
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                     {{shutdown,',
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                          {failed_to_start_child,auth,',
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                              {"Cookie file /var/lib/mq/.cookie must be accessible by owner only",',
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                               [{auth,init_no_setcookie,0,',
        '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                                    [{file,"auth.erl"},{line,360}]},',
      ],
      '2026-11-20 09:28:51.543668+00:00 [error] <0.131.0>                              {"Cookie file /var/lib/mq/.cookie must be accessible by owner only",',
    ],
    [
      'the first of two lines about the same key, which gives the reason',
      [
        "Permissions 0644 for '/etc/sftp/config/hostKey' are too open.",
        'This private key will be ignored.',
        'Unable to load host key "/etc/sftp/config/hostKey": bad permissions',
        'Unable to load host key: /etc/sftp/config/hostKey',
        'sshd: no hostkeys available -- exiting.',
      ],
      'Unable to load host key "/etc/sftp/config/hostKey": bad permissions',
    ],
    [
      'the exception of Nim below its frames',
      [
        'Traceback (most recent call last)',
        '/usr/src/app/server.nim(20) server',
        '/root/.nimble/pkgs/httpbeast-0.2.0/httpbeast.nim(420) run',
        'SIGSEGV: Illegal storage access. (Attempt to read from nil?)',
      ],
      'SIGSEGV: Illegal storage access. (Attempt to read from nil?)',
    ],
    [
      'the level behind the zone of a time, with its detail',
      [
        '2026-11-20 07:47:49 UTC [351]: [1-1] 5e4ce825.15f 0     FATAL:  data directory "/pgdata/data" has invalid permissions',
        '2026-11-20 07:47:49 UTC [351]: [2-1] 5e4ce825.15f 0     DETAIL:  Permissions should be u=rwx (0700).',
        '2026-11-20 07:47:49,443 INFO: failed to start postgres',
      ],
      '2026-11-20 07:47:49 UTC [351]: [1-1] 5e4ce825.15f 0     FATAL:  data directory "/pgdata/data" has invalid permissions DETAIL:  Permissions should be u=rwx (0700).',
    ],
    [
      'the level behind the name of a program and its role',
      [
        's6-supervise (child): fatal: unable to exec run: No such file or directory',
        's6-supervise sidecar: warning: unable to spawn ./run - waiting 10 seconds',
      ],
      's6-supervise (child): fatal: unable to exec run: No such file or directory',
    ],
    [
      'what was reported above an exception without a message',
      [
        '2026-11-20T06:43:11,784+0000 [main] ERROR bookie.CookieValidation - There are directories without a cookie',
        '2026-11-20T06:43:11,785+0000 [main] ERROR server.Main - Failed to build bookie server',
        'org.apache.bookkeeper.bookie.BookieException$InvalidCookieException: ',
        '\tat org.apache.bookkeeper.bookie.CookieValidation.check(CookieValidation.java:116)',
      ],
      '2026-11-20T06:43:11,784+0000 [main] ERROR bookie.CookieValidation - There are directories without a cookie',
    ],
    [
      'the sentence below an exception of Ruby that has only its class',
      [
        'bin/rails aborted!',
        'ActiveRecord::PendingMigrationError:  (ActiveRecord::PendingMigrationError)',
        '',
        'Migrations are pending. To resolve this issue, run:',
        '',
        '        bin/rails db:migrate',
      ],
      'ActiveRecord::PendingMigrationError:  (ActiveRecord::PendingMigrationError) Migrations are pending. To resolve this issue, run: bin/rails db:migrate',
    ],
    [
      'the sentence below a code that a logger announces',
      [
        '2026-11-20 07:06:52,884 PM error [database] Failed to migrate database... exiting...',
        '2026-11-20 07:06:52,885 PM error [database] Error: P3009',
        'migrate found failed migrations in the target database, new migrations will not be applied.',
        'The `2021_new_url` migration started at 2026-11-20 18:20:54 UTC failed',
        '    at Object.<anonymous> (/app/index.js:46:1)',
      ],
      '2026-11-20 07:06:52,885 PM error [database] Error: P3009 migrate found failed migrations in the target database, new migrations will not be applied.',
    ],
    [
      'the last words of a virtual machine of Erlang',
      [
        'Kernel pid terminated (application_controller) ("{application_start_failure,shop,{bad_return}}")',
        '',
        'Crash dump is being written to: erl_crash.dump...done',
      ],
      'Kernel pid terminated (application_controller) ("{application_start_failure,shop,{bad_return}}")',
    ],
    [
      'the last cause below frames of Crystal',
      [
        'Unhandled exception:  (DB::ConnectionRefused)',
        "  from lib/sqlite3/src/sqlite3/connection.cr:10:11 in '->'",
        "  from src/invidious.cr:43:15 in '__crystal_main'",
        "Caused by: Error connecting to 'db:5432': Connection refused (Socket::ConnectError)",
        "  from /usr/share/crystal/src/socket/addrinfo.cr:82:11 in 'connect'",
      ],
      "Caused by: Error connecting to 'db:5432': Connection refused (Socket::ConnectError)",
    ],
    [
      'the first failed command of a script that goes on',
      [
        'Creating user and group...',
        'addgroup: /etc/group: Read-only file system',
        'adduser: unknown group app',
        'su-exec: app: Success',
      ],
      'addgroup: /etc/group: Read-only file system',
    ],
    [
      'what a child reported, and not how it ended',
      [
        '{"level":"info","msg":"initdb: unrecognized option \'--no-data-checksums\'","pipe":"stderr"}',
        '{"level":"info","msg":"initdb: hint: Try \\"initdb --help\\" for more.","pipe":"stderr"}',
        'Error: error while creating the data directory: exit status 1',
      ],
      "initdb: unrecognized option '--no-data-checksums'",
    ],
    [
      'the file that an agent of the virtual machine lacks',
      [
        'Error occurred during initialization of VM',
        'Error opening zip file or JAR manifest missing : agents/jolokia.jar',
        'agent library failed to init: instrument',
      ],
      'Error opening zip file or JAR manifest missing : agents/jolokia.jar',
    ],
    [
      'the module that Perl does not find',
      [
        "Can't locate DBD/Pg.pm in @INC (you may need to install the DBD::Pg module) at /app/DB.pm line 7.",
        'BEGIN failed--compilation aborted at /app/DB.pm line 7.',
        'Compilation failed in require at /app/worker.pl line 12.',
      ],
      "Can't locate DBD/Pg.pm in @INC (you may need to install the DBD::Pg module) at /app/DB.pm line 7.",
    ],
    [
      'the option that a virtual machine does not know',
      [
        "Unrecognized VM option 'UseConcMarkSweepGC'",
        "Did you mean '(+/-)UseG1GC'?",
        'Error: Could not create the Java Virtual Machine.',
        'Error: A fatal exception has occurred. Program will exit.',
      ],
      "Unrecognized VM option 'UseConcMarkSweepGC'",
    ],
    [
      'the keyword above the number of errors in the settings',
      [
        "[ALERT] (1) : config : parsing [/etc/haproxy.cfg:31] : unknown keyword 'option httplogs'",
        '[ALERT] (1) : config : Error(s) found in configuration file : /etc/haproxy.cfg',
        '[ALERT] (1) : config : Fatal errors found in configuration.',
      ],
      "[ALERT] (1) : config : parsing [/etc/haproxy.cfg:31] : unknown keyword 'option httplogs'",
    ],
    [
      'the refused file above the supervisor that ends the container',
      [
        'chown: /config: Operation not permitted',
        's6-rc: warning: unable to start service init-adduser: command exited 1',
        '/run/s6/basedir/scripts/rc.init: fatal: stopping the container.',
      ],
      'chown: /config: Operation not permitted',
    ],
    [
      'the command above the record that PowerShell prints of its error',
      [
        "sqlcmd : The term 'sqlcmd' is not recognized as the name of a cmdlet or operable program.",
        'At C:\\app\\start.ps1:7 char:1',
        '+ sqlcmd -S $env:DB -Q "select 1"',
        '+ ~~~~~~',
        '    + CategoryInfo          : ObjectNotFound: (sqlcmd:String) [], CommandNotFoundException',
      ],
      "sqlcmd : The term 'sqlcmd' is not recognized as the name of a cmdlet or operable program.",
    ],
    [
      'the exception above the call stack of Haskell',
      [
        'warp: Network.Socket.bind: resource busy (Address already in use)',
        'CallStack (from HasCallStack):',
        '  error, called at src/Main.hs:22:5 in main:Main',
      ],
      'warp: Network.Socket.bind: resource busy (Address already in use)',
    ],
    [
      'what a script reports, and not its lines that the shell prints',
      [
        '+ psql -h pg.shop -f /migrations/1.sql',
        'psql: error: connection to server at "pg.shop" failed: FATAL:  database "orders" does not exist',
        '+ echo error while migrating >> /tmp/log',
      ],
      'psql: error: connection to server at "pg.shop" failed: FATAL:  database "orders" does not exist',
    ],
    [
      'the failed check before a launcher that refers to its log',
      [
        '{"log.level":"ERROR","message":"node validation exception\\ncheck failure [1] of [1]: vm.max_map_count [65530] is too low"}',
        'ERROR: The server did not exit normally - check the logs at /usr/share/server/logs/a.log',
      ],
      'node validation exception\ncheck failure [1] of [1]: vm.max_map_count [65530] is too low',
    ],
    [
      'the last cause of an error that is an object with causes in it',
      [
        '{"level":"ERROR","message":"Failed to start application","exception":{"exceptionType":"java.lang.RuntimeException","message":"OIDC server is not available","causedBy":{"exception":{"exceptionType":"java.net.UnknownHostException","message":"oidc.iam"}}}}',
      ],
      'Failed to start application: java.net.UnknownHostException: oidc.iam',
    ],
    [
      'the exception of a trace in the field of the error',
      [
        '{"event":"worker crashed","level":"critical","exception":"Traceback (most recent call last):\\n  File \\"/app/w.py\\", line 3, in main\\n    r.ping()\\nredis.exceptions.ConnectionError: Connection refused"}',
      ],
      'worker crashed: redis.exceptions.ConnectionError: Connection refused',
    ],
    [
      'the panic of a numbered thread',
      [
        'thread 1 panic: index out of bounds: index 4, len 4',
        '/src/main.zig:10:20: 0x21 in main (main)',
        '    const x = items[4];',
        '                   ^',
      ],
      'thread 1 panic: index out of bounds: index 4, len 4',
    ],
    [
      'what the program waits for, where it reports no failure at all',
      [
        '{"level":"info","msg":"db file is flocked by another process, or taking too long","path":"/data/db"}',
        '{"level":"info","msg":"closing listeners"}',
      ],
      'db file is flocked by another process, or taking too long',
    ],
    [
      'the sentence above the word of a runtime about the same',
      [
        'WARNING: version 5 requires a CPU with AVX support, and your system does not appear to have that!',
        '  see https://docs.example/avx',
        'Illegal instruction (core dumped)',
      ],
      'WARNING: version 5 requires a CPU with AVX support, and your system does not appear to have that!',
    ],
    [
      'the failed call with its argument, the variable of a Service',
      [
        '** (ArgumentError) errors were found at the given arguments:',
        '',
        '  * 1st argument: not a textual representation of an integer',
        '',
        '    :erlang.binary_to_integer("tcp://10.96.44.7:4369")',
        '    (relay 0.3.1) lib/relay/application.ex:12: Relay.Application.start/2',
      ],
      '** (ArgumentError) errors were found at the given arguments: * 1st argument: not a textual representation of an integer :erlang.binary_to_integer("tcp://10.96.44.7:4369")',
    ],
    [
      'the exception below the heading of a runtime, above frames of Dart',
      [
        'Unhandled exception:',
        "SocketException: Failed host lookup: 'orders.shop.svc' (OS Error: Name or service not known, errno = -2)",
        '#0      _NativeSocket.lookup.<anonymous closure> (dart:io-patch/socket_patch.dart:486:35)',
      ],
      "SocketException: Failed host lookup: 'orders.shop.svc' (OS Error: Name or service not known, errno = -2)",
    ],
    [
      'a message of Python that goes on below',
      [
        'Traceback (most recent call last):',
        '  File "/app/score.py", line 1, in <module>',
        'RuntimeError: built with baseline optimizations:',
        "(X86_V2) but your machine doesn't support:",
        '(X86_V2).',
      ],
      "RuntimeError: built with baseline optimizations: (X86_V2) but your machine doesn't support: (X86_V2).",
    ],
    [
      'a value that Rust prints over several lines',
      [
        "thread 'main' panicked at src/config.rs:24:11:",
        'Error {',
        '    context: "failed to parse",',
        '    source: Custom(',
        `        "invalid digit found in string while parsing value 'tcp://10.101.108.109:9120'",`,
        '    ),',
        '}',
        'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
      ],
      `thread 'main' panicked at src/config.rs:24:11: Error { context: "failed to parse", source: Custom( "invalid digit found in string while parsing value 'tcp://10.101.108.109:9120'", ), }`,
    ],
    [
      'the error that a line counts before a blank line',
      [
        "ERROR parsing the configuration file: '/etc/gw.json': 1 error(s) decoding:",
        '',
        `* cannot parse 'port' as int: strconv.ParseInt: parsing "tcp://10.43.126.100:80": invalid syntax`,
      ],
      `ERROR parsing the configuration file: '/etc/gw.json': 1 error(s) decoding: * cannot parse 'port' as int: strconv.ParseInt: parsing "tcp://10.43.126.100:80": invalid syntax`,
    ],
    [
      'the last error before a graver line that refers to it',
      [
        '09:28:01 ERROR [controller] Operation ("add") failed: {"jdbc.oracle" => "no driver of this class"}',
        '09:28:01 FATAL [server] Server boot has failed in an unrecoverable manner; exiting. See previous messages for details.',
      ],
      '09:28:01 ERROR [controller] Operation ("add") failed: {"jdbc.oracle" => "no driver of this class"}',
    ],
    [
      'the error above a table that a server prints of it',
      [
        `E1120 09:28:01.130000 1 lifecycle.cc:641] "failed to load 'ranker': unable to load shared library: libx.so: cannot open shared object file"`,
        'I1120 09:28:01.140000 1 server.cc:674]',
        '+--------+--------------------------------------+',
        '| Model  | Status                               |',
        '+--------+--------------------------------------+',
        '| ranker | UNAVAILABLE: unable to load          |',
        '+--------+--------------------------------------+',
        'error: creating server: Internal - failed to load all models',
      ],
      `E1120 09:28:01.130000 1 lifecycle.cc:641] "failed to load 'ranker': unable to load shared library: libx.so: cannot open shared object file"`,
    ],
    [
      'what the program reported, and not the signal that ended it',
      [
        'E20261120 09:28:01.100000 1 store.h:67] Error while initializing store: While lock file: /data/meta/LOCK: Resource temporarily unavailable',
        'E20261120 09:28:01.200000 1 backward.hpp:4199] Stack trace (most recent call last):',
        'E20261120 09:28:01.200000 1 backward.hpp:4199] Segmentation fault (Address not mapped to object [0x158])',
      ],
      'E20261120 09:28:01.100000 1 store.h:67] Error while initializing store: While lock file: /data/meta/LOCK: Resource temporarily unavailable',
    ],
    [
      'the locked file, and not what could not be done without it',
      [
        "2026-11-20T09:28:01Z E c.TableUtils cannot lock '/data/db/telemetry.lock' [errno=11, fd=7]",
        '2026-11-20T09:28:01Z E c.WriterPool could not lock [table=`telemetry`, thread=1]',
        'Exception in thread "main" app.SqlException: [27] cannot acquire table lock [lockedReason=unlocking]',
        '\tat app.SqlException.position(SqlException.java:60)',
      ],
      "2026-11-20T09:28:01Z E c.TableUtils cannot lock '/data/db/telemetry.lock' [errno=11, fd=7]",
    ],
    [
      'the exception that a notice of Elixir has inside',
      [
        '[notice] Application store exited: exited in: :store_app.start(:normal, [])',
        '    ** (EXIT) an exception was raised:',
        '        ** (MatchError) no match of right hand side value: :undefined',
        '            (store 0.7.0) src/store_utils.erl:258: anonymous fn/3 in :store_utils.init/0',
      ],
      '** (MatchError) no match of right hand side value: :undefined',
    ],
    [
      'the failed requirement above an exception that names only what was done',
      [
        '[ERROR] [a.A] [akka://system/user/Journal] requirement failed: default journal plug-in is not configured',
        'akka.actor.ActorInitializationException: akka://system/user/Journal: exception during creation',
        '        at akka.actor.ActorCell.create(ActorCell.scala:608)',
      ],
      '[ERROR] [a.A] [akka://system/user/Journal] requirement failed: default journal plug-in is not configured',
    ],
    [
      'the process file of a run that the program believes to go on',
      ['=> Booting Puma', 'A server is already running. Check /app/tmp/pids/server.pid.', 'Exiting'],
      'A server is already running. Check /app/tmp/pids/server.pid.',
    ],
  ])('is %s', (_, lines, expected) => {
    expect(decide(lines)).toBe(expected);
  });

  it('keeps a message of capitals that reports a failure', () => {
    expect(decide(['INFO starting', 'ERROR INVALID LICENSE'])).toBe('ERROR INVALID LICENSE');
    expect(decide(['INFO starting', 'ERROR E1042'])).toBe('ERROR E1042');
  });

  it.each([
    ["Can't locate JSON/XS.pm in @INC", 'missing-file'],
    ["The term 'sqlcmd' is not recognized as the name of a cmdlet", 'missing-file'],
    ["'node' is not recognized as an internal or external command", 'missing-file'],
    ["unknown keyword 'option httplogs' in 'defaults' section", 'setting'],
    ['error opening disk storage: store/storage: storage lock already open', 'held-elsewhere'],
    ['the certificate authority is not recognized as trusted', undefined],
    ['listen tcp: address tcp://10.152.183.152:44317: too many colons in address', 'service-variable'],
    ['listen tcp: address 10.0.0.1:80:90: too many colons in address', undefined],
    ['failed to create fsm: failed to open bolt file: timeout', 'held-elsewhere'],
    ['failed to open bolt connection: timeout after 5s', 'unreachable'],
    ['migration failed (id = create dashboard_tag table): database is locked', 'held-elsewhere'],
    ['migration failed (id = create dashboard_tag table): syntax error', 'failed-migration'],
    ["module 'resty.http' not found:", 'missing-file'],
    ['there is no package called ‘RPostgres’', 'missing-file'],
    ['unknown variant `remap_v2`, expected one of `aggregate`, `dedupe`', 'setting'],
    ['permissions 660 for /data/acme.json are too open, please use 600', 'file-mode'],
    ['pid=: Already running on PID:1 (or pid=/app/tmp/app.pid is stale)', 'held-elsewhere'],
    ['removed the lock file, which is stale, of another process', undefined],
    ['IO error: lock hold by current process: /data/db/LOCK: No locks available', undefined],
    ['flock /mnt/share/data/LOCK: No locks available', 'no-file-locks'],
    [
      'Database has migration lock; cannot run migrations. You can force-release it with the tool',
      'database-lock',
    ],
    ['UPDATE DATABASECHANGELOGLOCK SET LOCKED = TRUE: The database is read only', 'not-permitted'],
    ['attempt to write a readonly database', 'not-permitted'],
    ['port: ports must be within range 0 - 65535', 'setting'],
    ['directive "worker_processes" is not terminated by ";" in /etc/nginx/nginx.conf:4', 'setting'],
    ['reading the directive of the port', undefined],
  ])('takes %j for an ending of the kind %s', (line, kind) => {
    expect(endingOf(line)).toBe(kind);
  });

  it('reads no path of the program that the line names as the place of the failure', () => {
    const line = 'Uncaught PDOException: database is locked in /app/src/Store.php:44';
    expect(endingOf(line)).toBe('held-elsewhere');
    expect(pathIn(line)).toBeUndefined();
    expect(pathIn('ERROR /src/app/db.go:189: Unable to open database: timeout')).toBeUndefined();
    expect(pathIn('cannot lock file /data/db.lock in /data')).toBe('/data/db.lock');
    expect(pathIn("/gems/http_server.rb:206:in `pid=': pid=/app/tmp/app.pid is in use")).toBe(
      '/app/tmp/app.pid',
    );
  });
});
