import { describe, expect, it } from 'vitest';
import { decidingLineOf } from '#src/doctor/log-lines/deciding-line.js';
import { type EndingKind, endingOf } from '#src/doctor/log-lines/ending-kinds.js';

type Case = readonly [name: string, lines: readonly string[], line: string, kind: EndingKind | undefined];

const decided = (lines: readonly string[]) => {
  const line = decidingLineOf(lines)?.line ?? '';
  return { line, kind: endingOf(line) };
};

describe('decidingLineOf with logs of databases and of what supervises them', () => {
  it.each<Case>([
    [
      'a report in a file that a fatal line announces',
      [
        '+ exec /cockroach/cockroach start --join=cockroachdb-0:26257',
        'F200609 09:23:56.697073 1 cli/start.go:481  From /cockroach/cockroach-data/auxiliary/_CRITICAL_ALERT.txt:',
        '',
        'ATTENTION:',
        '',
        'this node is terminating because a replica inconsistency was detected between [n3,s3,r148/3:/System/tsd/cr.node.{sy…-tx…}]',
        'and its other replicas. Please check your cluster-wide log files for more',
        'information and contact the CockroachDB support team. It is not necessarily safe',
        'to replace this node; cluster data may still be at risk of corruption.',
      ],
      'replica inconsistency',
      'damaged-file',
    ],
    [
      'a supervised child that ended before another child did not reach it',
      [
        "2023-11-14 11:50:41,850 INFO spawned: 'scylla' with pid 128",
        'FATAL: Exception during startup, aborting: std::runtime_error (Could not setup Async I/O: Resource temporarily unavailable. The most common cause is not enough request capacity in /proc/sys/fs/aio-max-nr. Try increasing that number or reducing the amount of logical CPUs available for your application)',
        '2023-11-14 11:50:42,850 INFO exited: scylla (exit status 7; not expected)',
        'Traceback (most recent call last):',
        '  File "/opt/scylladb/scripts/libexec/scylla-housekeeping", line 196, in <module>',
        '    args.func(args)',
        '  File "/opt/scylladb/scripts/libexec/scylla-housekeeping", line 122, in check_version',
        "    current_version = sanitize_version(get_api('/storage_service/scylla_release_version'))",
        'urllib.error.URLError: <urlopen error [Errno 111] Connection refused>',
        '2023-11-14 11:50:43,850 INFO gave up: scylla entered FATAL state, too many start retries too quickly',
      ],
      'aio-max-nr',
      'kernel-setting',
    ],
    [
      'an instance id that is another in the data',
      [
        '2023-12-12T10:03:04,513 - INFO  - [main-EventThread:ZooKeeperWatcherBase@130] - ZooKeeper client is connected now.',
        '2023-12-12T10:03:04,650 - ERROR - [main:Main@218] - Failed to build bookie server',
        'org.apache.bookkeeper.bookie.BookieException$InvalidCookieException: instanceId df26468b-558a-41fc-8705-3d7dc21d2817 is not matching with 67c327e1-d3d6-4e28-b731-85a9ae63920b',
        '\tat org.apache.bookkeeper.bookie.Cookie.verifyInternal(Cookie.java:168) ~[org.apache.bookkeeper-bookkeeper-server-4.16.2.jar:4.16.2]',
        '\tat org.apache.bookkeeper.server.Main.doMain(Main.java:216) ~[org.apache.bookkeeper-bookkeeper-server-4.16.2.jar:4.16.2]',
      ],
      'is not matching with',
      'other-cluster',
    ],
    [
      'an environment that cannot be locked',
      [
        '[info] o.t.s.ScalligraphApplicationImpl - Loading application ...',
        '[error] o.j.g.c.GraphDatabaseConfiguration - Could not open database',
        'com.sleepycat.je.EnvironmentLockedException: (JE 18.3.12) /opt/thp/thehive/db The environment cannot be locked for single writer access. ENV_LOCKED: The je.lck file could not be locked. Environment is invalid and must be closed.',
        '\tat com.sleepycat.je.log.FileManager.<init>(FileManager.java:446)',
        '\tat com.sleepycat.je.Environment.<init>(Environment.java:250)',
      ],
      'je.lck',
      'held-elsewhere',
    ],
    [
      'an exit that refers back to another instance',
      [
        '[2026-11-20T09:28:50,001][INFO ][logstash.runner          ] Starting Logstash {"logstash.version"=>"8.11.1"}',
        '[2026-11-20T09:28:50,101][FATAL][logstash.runner          ] Logstash could not be started because there is already another instance using the configured data directory.  If you wish to run multiple instances, you must change the "path.data" setting.',
        '[2026-11-20T09:28:50,201][FATAL][org.logstash.Logstash    ] Logstash stopped processing because of an error: (SystemExit) exit',
        'org.jruby.exceptions.SystemExit: (SystemExit) exit',
        '\tat org.jruby.RubyKernel.exit(org/jruby/RubyKernel.java:790) ~[jruby.jar:?]',
        '\tat RUBY.<main>(/usr/share/logstash/lib/bootstrap/environment.rb:90) ~[?:?]',
      ],
      'already another instance',
      'held-elsewhere',
    ],
    [
      'a title above the checks that failed',
      [
        '2026.11.20 09:28:50 INFO  app[][o.s.a.SchedulerImpl] Waiting for Elasticsearch to be up and running',
        '2026.11.20 09:28:55 ERROR es[][o.e.b.Elasticsearch] node validation exception',
        '[1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.',
        'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
        '2026.11.20 09:28:56 WARN  app[][o.s.a.p.AbstractManagedProcess] Process exited with exit value [ElasticSearch]: 78',
        '2026.11.20 09:28:56 INFO  app[][o.s.a.SchedulerImpl] Process[ElasticSearch] is stopped',
        '2026.11.20 09:28:56 INFO  app[][o.s.a.SchedulerImpl] SonarQube is stopped',
      ],
      'max_map_count',
      'kernel-setting',
    ],
    [
      'a field that the configuration lacks',
      [
        'ts=2026-11-20T09:28:50.001Z caller=factory.go:43 level=info msg="loading bucket configuration"',
        'ts=2026-11-20T09:28:50.010Z caller=main.go:161 level=error err="no s3 bucket in config file\\ncreate bucket client\\ngithub.com/thanos-io/objstore/client.NewBucket\\n\\t/go/pkg/mod/github.com/thanos-io/objstore@v0.0.0/client/factory.go:87\\nmain.runStore\\n\\t/app/cmd/thanos/store.go:313\\npreparing store command failed\\nmain.main\\n\\t/app/cmd/thanos/main.go:161"',
      ],
      'no s3 bucket in config file',
      'setting',
    ],
    [
      'a directory that a setting names',
      [
        '2026-11-20T09:28:50,001 INFO [main] org.apache.druid.guice.ExtensionsLoader - Loading extension [postgresql-metadata-storage]',
        'Exception in thread "main" org.apache.druid.java.util.common.ISE: Extension [/opt/druid/extensions/druid-s3-extension] specified in "druid.extensions.loadList" didn\'t exist!?',
        '\tat org.apache.druid.guice.ExtensionsLoader.getExtensionFilesToLoad(ExtensionsLoader.java:229)',
        '\tat org.apache.druid.cli.Main.main(Main.java:84)',
      ],
      "didn't exist",
      'missing-file',
    ],
    [
      'a property that nothing reads',
      [
        '2026-11-20T09:28:50.001Z\tINFO\tmain\tio.trino.server.Server\tTrino version: 432',
        '2026-11-20T09:28:55.001Z\tERROR\tmain\tio.trino.server.Server\tConfiguration errors:',
        '',
        "1) Error: Configuration property 'hive.metastore.urii' was not used",
        '',
        '1 error',
        'io.airlift.bootstrap.ApplicationConfigurationException: Configuration errors:',
        '',
        "1) Error: Configuration property 'hive.metastore.urii' was not used",
        '',
        '1 error',
        '\tat io.airlift.bootstrap.Bootstrap.configure(Bootstrap.java:259)',
      ],
      'was not used',
      'setting',
    ],
    [
      'a connection that was lost',
      [
        '2026-11-20 09:28:50,001 INFO  [main] master.HMaster: STARTING service HMaster',
        '2026-11-20 09:29:50,001 ERROR [main] master.HMasterCommandLine: Master exiting',
        'java.lang.RuntimeException: Failed construction of Master: class org.apache.hadoop.hbase.master.HMaster. ',
        '\tat org.apache.hadoop.hbase.master.HMaster.constructMaster(HMaster.java:3141)',
        'Caused by: org.apache.zookeeper.KeeperException$ConnectionLossException: KeeperErrorCode = ConnectionLoss for /hbase',
        '\tat org.apache.zookeeper.KeeperException.create(KeeperException.java:102)',
        '\t... 5 more',
      ],
      'ConnectionLoss',
      'unreachable',
    ],
    [
      'the ids of another cluster above an outcome',
      [
        '2026-11-20 09:28:50,001 INFO common.Storage: Lock on /hadoop/dfs/data/in_use.lock acquired by nodename 1@hdfs-datanode-0',
        '2026-11-20 09:28:50,101 WARN common.Storage: Failed to add storage directory [DISK]file:/hadoop/dfs/data',
        'java.io.IOException: Incompatible clusterIDs in /hadoop/dfs/data: namenode clusterID = CID-1a2b; datanode clusterID = CID-9z8y',
        '\tat org.apache.hadoop.hdfs.server.datanode.DataStorage.doTransition(DataStorage.java:736)',
        '2026-11-20 09:28:50,201 ERROR datanode.DataNode: Initialization failed for Block pool <registering> (Datanode Uuid 1f) service to namenode/10.2.3.4:8020. Exiting. ',
        'java.io.IOException: All specified directories have failed to load.',
        '\tat org.apache.hadoop.hdfs.server.datanode.DataStorage.recoverTransitionRead(DataStorage.java:557)',
        '2026-11-20 09:28:50,301 INFO datanode.DataNode: SHUTDOWN_MSG: ',
      ],
      'Incompatible clusterIDs',
      'other-cluster',
    ],
    [
      'a schema to migrate',
      [
        '2026-11-20 09:28:50 +0000 - dagster.daemon - INFO - Instance is configured with the following daemons',
        'dagster._core.errors.DagsterInstanceSchemaOutdated: Raised an exception that may indicate that the Dagster database needs to be be migrated. Database is at revision 5b467f7af3f6, head is 46b412388816. To migrate, run `dagster instance migrate`.',
        '  Stack Trace:',
        '  File "/usr/local/lib/python3.10/site-packages/dagster/_core/storage/sql.py", line 58, in handle_schema_errors',
      ],
      'To migrate, run',
      'not-migrated',
    ],
    [
      'a required setting in Korean',
      [
        '{"level":"INFO","msg":"워커 시작"}',
        '{"level":"FATAL","msg":"필수 설정값 TEMPORAL_ADDRESS가 없습니다"}',
        '{"level":"INFO","msg":"워커 종료"}',
      ],
      'TEMPORAL_ADDRESS',
      'setting',
    ],
    [
      'an expired certificate in Korean',
      [
        '2026-11-20 09:28:50 [정보] 게이트웨이 시작',
        '2026-11-20 09:28:51 [오류] 인증서가 만료되었습니다: /etc/tls/tls.crt (만료일 2026-11-01)',
        '2026-11-20 09:28:51 [정보] 게이트웨이 종료',
      ],
      '인증서',
      'certificate',
    ],
    [
      'memory of a GPU in Korean',
      [
        '[정보] 모델을 불러옵니다',
        '[오류] GPU 메모리가 부족합니다. 필요: 14336 MiB, 사용 가능: 2048 MiB',
        '[정보] 추론 서버를 종료합니다',
      ],
      'GPU 메모리',
      'device-memory',
    ],
    [
      'a damaged journal in Korean',
      [
        '[정보] 저널을 읽습니다',
        '[오류] 저널 파일이 손상되었습니다: /data/journal/00012.log',
        '[정보] 종료합니다',
      ],
      '손상',
      'damaged-file',
    ],
    [
      'a database file that cannot be opened',
      [
        '{"level":"info","msg":"config issuer: https://dex.example.com/"}',
        'failed to initialize storage: failed to perform migrations: creating migration table: unable to open database file',
      ],
      'unable to open database file',
      'not-permitted',
    ],
  ])('finds the reason: %s', (_, lines, part, kind) => {
    const found = decided(lines);
    expect(found.line).toContain(part);
    expect(found.kind).toBe(kind);
  });

  it('takes the last failure where a supervised child reported no reason before its end', () => {
    const { kind } = decided([
      "2026-11-20 09:28:50,001 INFO spawned: 'worker' with pid 12",
      '2026-11-20 09:28:51,001 INFO exited: worker (exit status 1; not expected)',
      'FATAL: connect to 10.96.1.2:5432: connection refused',
    ]);
    expect(kind).toBe('unreachable');
  });

  it.each<[string, EndingKind | undefined]>([
    // A reservation is no full disk.
    ["Can't start JetStream: insufficient storage resources available", undefined],
    ['Cannot write /data/x: not enough storage', 'no-space'],
    // An account is no file.
    ['The account cannot be locked: no such user', undefined],
    ['instance id of the image matches the one in its manifest', undefined],
    ['메모리가 부족하여 색인을 만들 수 없습니다', 'process-memory'],
    ['GPU 메모리가 부족합니다', 'device-memory'],
    ['인증서를 다시 읽었습니다', undefined],
    ['필수 설정을 모두 읽었습니다', undefined],
    ['the option was not changed', undefined],
  ])('tells kinds apart: %s', (line, kind) => {
    expect(endingOf(line)).toBe(kind);
  });
});
