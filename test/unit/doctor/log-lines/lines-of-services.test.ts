import { describe, expect, it } from 'vitest';
import { decidingLineOf } from '#src/doctor/log-lines/deciding-line.js';
import { type EndingKind, endingOf } from '#src/doctor/log-lines/ending-kinds.js';

type Case = readonly [name: string, lines: readonly string[], line: string, kind: EndingKind | undefined];

const decided = (lines: readonly string[]) => {
  const line = decidingLineOf(lines)?.line ?? '';
  return { line, kind: endingOf(line) };
};

describe('decidingLineOf with logs of services', () => {
  it.each<Case>([
    [
      'a GPU below Vulkan that has no memory left',
      [
        'ggml_vulkan: Device memory allocation of size 36507222016 failed.',
        'ggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory',
        'alloc_tensor_range: failed to allocate Vulkan0 buffer of size 36507222016',
        'llama_model_load: error loading model: unable to allocate Vulkan0 buffer',
        'llama_model_load_from_file_impl: failed to load model',
        'main: exiting due to model loading error',
      ],
      'ErrorOutOfDeviceMemory',
      'device-memory',
    ],
    [
      'a value log that was cut',
      [
        '{"level":"fatal","msg":"Failed to init storage factory","error":"during db.vlog.open error: Value log truncate required to run DB. This might result in data loss"}',
      ],
      'Value log truncate required',
      'damaged-file',
    ],
    [
      'a file that is none of its database',
      [
        '6a1b2c3d.0a1b2c3d 0x7f1c mdb_db_open: database "dc=example,dc=org" cannot be opened: MDB_INVALID: File is not an LMDB file (-30793). Restore from backup!',
        '6a1b2c3d.0a1b2c3d 0x7f1c backend_startup_one (type=mdb, suffix="dc=example,dc=org"): bi_db_open failed! (-30793)',
        '6a1b2c3d.0a1b2c3d 0x7f1c slapd stopped.',
      ],
      'File is not an LMDB file',
      'damaged-file',
    ],
    [
      'a data center that is another than the one of the data',
      [
        "ERROR [main] 2026-11-20 09:28:52,300 CassandraDaemon.java:898 - Cannot start node if snitch's data center (dc1) differs from previous data center (datacenter1). Please fix the snitch configuration, decommission and rebootstrap this node or use the flag -Dcassandra.ignore_dc=true.",
      ],
      'differs from previous data center',
      'other-cluster',
    ],
    [
      'a format above an outcome with the words of the operating system',
      [
        "1:1:M 20 Nov 2026 09:28:50.010 # Can't handle RDB format version 12",
        '1:1:M 20 Nov 2026 09:28:50.011 # Fatal error loading the DB: Invalid argument. Exiting.',
      ],
      "Can't handle RDB format version 12",
      'data-version',
    ],
    [
      'a model that has changes without a migration',
      [
        "Unhandled exception. System.InvalidOperationException: An error was generated for warning 'Microsoft.EntityFrameworkCore.Migrations.PendingModelChangesWarning': The model for context 'AppDbContext' has pending changes. Add a new migration before updating the database.",
        '   at Program.Main(String[] args)',
      ],
      'has pending changes',
      'not-migrated',
    ],
    [
      'a database that needs evolutions',
      [
        '[error] p.a.d.e.ApplicationEvolutions - Your production database [default] needs evolutions, including downs! ',
        'Oops, cannot start the server.',
      ],
      'needs evolutions',
      'not-migrated',
    ],
    [
      'ports that are all in use',
      [
        '2026-11-20 09:28:52,001 ERROR org.apache.flink.runtime.entrypoint.ClusterEntrypoint [] - Could not start cluster entrypoint StandaloneApplicationClusterEntryPoint.',
        'org.apache.flink.util.FlinkException: Could not create the DispatcherResourceManagerComponent.',
        '\tat org.apache.flink.runtime.entrypoint.ClusterEntrypoint.startCluster(ClusterEntrypoint.java:253)',
        'Caused by: java.net.BindException: Could not start rest endpoint on any port in port range 8081',
        '\tat org.apache.flink.runtime.rest.RestServerEndpoint.start(RestServerEndpoint.java:286)',
      ],
      'on any port in port range 8081',
      'address-in-use',
    ],
    [
      'a socket that may not be bound, above the outcome',
      [
        "[1795166930] unbound[1:0] error: can't bind socket: Permission denied for 0.0.0.0 port 53",
        '[1795166930] unbound[1:0] fatal error: could not open ports',
      ],
      "can't bind socket: Permission denied",
      'privileged-port',
    ],
    [
      'a line of a configuration file',
      [
        '2026/11/20 09:28:50| FATAL: Bungled /etc/squid/squid.conf line 12: http_acces allow all',
        '2026/11/20 09:28:50| Squid Cache (Version 5.7): Terminated abnormally.',
      ],
      '/etc/squid/squid.conf line 12',
      'setting',
    ],
    [
      'a library that is named in a message of several lines',
      [
        'PrismaClientInitializationError: Unable to require(`/app/node_modules/.prisma/client/libquery_engine-linux-musl.so.node`).',
        "The Prisma engines do not seem to be compatible with your system. Please refer to the documentation about Prisma's system requirements: https://pris.ly/d/system-requirements",
        '',
        'Details: Error loading shared library libssl.so.1.1: No such file or directory (needed by /app/node_modules/.prisma/client/libquery_engine-linux-musl.so.node)',
        '    at t (/app/node_modules/@prisma/client/runtime/library.js:112:2109)',
      ],
      'Error loading shared library libssl.so.1.1',
      'library-mismatch',
    ],
    [
      'a package of the system that the image lacks',
      [
        "Process terminated. Couldn't find a valid ICU package installed on the system. Please install libicu (or icu-libs) using your package manager and try again.",
        '   at System.Environment.FailFast(System.String)',
      ],
      "Couldn't find a valid ICU package",
      'missing-file',
    ],
    [
      'a failure below a job that another instance runs',
      [
        "2026-11-20 08:46:12.001 INFO 1 --- [scheduling-1] n.j.s.core.DefaultLockingTaskExecutor : Not executing 'nightly'. It's locked by another instance.",
        '2026-11-20 09:29:40.001 WARN 1 --- [nio-8080-exec-1] o.s.b.a.h.DataSourceHealthIndicator : DataSource health check failed: Connection is not available, request timed out after 30000ms.',
      ],
      'DataSource health check failed',
      'unreachable',
    ],
    [
      'a lock of another process below a failure that was reported before',
      [
        '2026-11-20 08:46:12.001 WARN 1 --- [main] c.e.Client : connection to config:8888 refused, retrying',
        '2026-11-20 08:46:14.001 INFO 1 --- [main] c.e.Store : /data/store is locked by another process, waiting',
      ],
      'locked by another process',
      'held-elsewhere',
    ],
    [
      'a Korean line about a schema that is too old',
      [
        '[정보] 정산 서버를 시작합니다',
        '[오류] 데이터베이스 스키마 버전(12)이 애플리케이션이 요구하는 버전(14)보다 낮습니다. 마이그레이션을 먼저 실행하세요.',
        '[정보] 서버를 종료합니다',
      ],
      '마이그레이션을 먼저 실행하세요',
      'not-migrated',
    ],
    [
      'a Korean line about a port in use',
      ['[정보] 서버 시작', '[오류] 포트 8080이(가) 이미 사용 중입니다', '[정보] 종료'],
      '포트 8080',
      'address-in-use',
    ],
    [
      'a Korean line about a lock of another process',
      [
        '[오류] 저장소가 잠겨 있습니다: 다른 프로세스가 /data/store/LOCK 파일을 사용하고 있습니다',
        '[정보] 종료',
      ],
      '/data/store/LOCK',
      'held-elsewhere',
    ],
  ])('is %s', (_, lines, line, kind) => {
    const found = decided(lines);
    expect(found.line).toContain(line);
    expect(found.kind).toBe(kind);
  });
});

describe('endingOf beside the words of services', () => {
  it.each<readonly [name: string, line: string, kind: EndingKind | undefined]>([
    [
      'a lock that the own process has',
      'LockObtainFailedException: Lock held by this virtual machine: /var/solr/data/index/write.lock',
      undefined,
    ],
    [
      'a lock that another program has',
      'LockObtainFailedException: Lock held by another program: /var/solr/data/index/write.lock',
      'held-elsewhere',
    ],
    ['an argument that a call refuses', 'Fatal error loading the DB: Invalid argument. Exiting.', undefined],
    ['an argument of a flag', 'invalid argument "5x" for "--workers" flag: strconv.ParseInt', 'setting'],
    ['a value that is required', 'value of API_TOKEN is required', 'setting'],
    [
      'a value that differs from one of an earlier request',
      'etag differs from the one in the request',
      undefined,
    ],
    ['an archive of another format', 'content is not an image', undefined],
    [
      'a port of a device that is in use',
      '시리얼 포트를 다른 프로세스가 잠갔습니다: /dev/ttyUSB0',
      'held-elsewhere',
    ],
    ['a migration that failed in Korean', '마이그레이션을 완료했습니다', undefined],
    ['a step that comes before an upgrade', 'disable the flag before upgrading the cluster', 'data-version'],
  ])('reads %s', (_, line, kind) => {
    expect(endingOf(line)).toBe(kind);
  });
});
