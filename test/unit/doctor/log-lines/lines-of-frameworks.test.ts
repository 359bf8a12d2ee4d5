import { describe, expect, it } from 'vitest';
import { decidingLineOf } from '#src/doctor/log-lines/deciding-line.js';
import { type EndingKind, endingOf } from '#src/doctor/log-lines/ending-kinds.js';

const decide = (lines: readonly string[]) => decidingLineOf(lines)?.line;

describe('the reason that a framework writes apart from the line with the level', () => {
  it.each<[string, readonly string[], string]>([
    [
      'below the message of a logger, the cause of its exception',
      [
        '[09:28:50 INF] Starting web host',
        '[09:28:55 FTL] Host terminated unexpectedly',
        'Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.4.0.5:5432',
        ' ---> System.Net.Sockets.SocketException (111): Connection refused',
        '   at Npgsql.Internal.NpgsqlConnector.Connect(NpgsqlTimeout timeout)',
        '   --- End of inner exception stack trace ---',
      ],
      '---> System.Net.Sockets.SocketException (111): Connection refused',
    ],
    [
      'in numbered causes below an empty heading, with colours',
      [
        '\u001b[91mError:\u001b[0m ',
        '   0: \u001b[91mfailed to read /etc/app/key.pem\u001b[0m',
        '   1: \u001b[91mNo such file or directory (os error 2)\u001b[0m',
        '',
        'Location:',
        '   \u001b[35msrc/tls.rs\u001b[0m:\u001b[35m31\u001b[0m',
      ],
      'No such file or directory (os error 2)',
    ],
    [
      'in the lines that a heading announces',
      [
        'ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.',
        'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
        '2026.11.20 09:28:55 INFO  app[][o.s.a.SchedulerImpl] SonarQube is stopped',
      ],
      'ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch. bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
    ],
    [
      'in the field below a count of fields that do not validate',
      [
        'Traceback (most recent call last):',
        '  File "/app/main.py", line 5, in <module>',
        '    settings = Settings()',
        'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings',
        'database_url',
        '  Field required [type=missing, input_value={}, input_type=dict]',
      ],
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings database_url',
    ],
    [
      'above the end of a check, in the words of the server',
      [
        '2026-11-20T09:28:50Z [1] INFO [e52b0] {general} ArangoDB 3.10.2 [linux] 64bit',
        '2026-11-20T09:28:50Z [1] ERROR [2eb08] {startup} Database directory version (31104) is higher than current version (31002).',
        '2026-11-20T09:28:50Z [1] FATAL [290c2] {startup} Version check failed: Aborting startup',
      ],
      '2026-11-20T09:28:50Z [1] ERROR [2eb08] {startup} Database directory version (31104) is higher than current version (31002).',
    ],
    [
      'above a line of code that only repeats that something failed',
      [
        'time=2026-11-20T09:28:50.000Z level=INFO source=server.go:376 msg="starting llama server"',
        'CUDA error: no kernel image is available for execution on the device',
        '  current device: 0, in function ggml_cuda_compute_forward at /go/src/ggml-cuda.cu:2304',
        '/go/src/ggml-cuda.cu:100: CUDA error',
        'SIGABRT: abort',
      ],
      'CUDA error: no kernel image is available for execution on the device',
    ],
    [
      'in a warning, where the errors below it only report the outcome',
      [
        'W1120 09:28:38.147148 1 pinned_memory_manager.cc:236] Unable to allocate pinned system memory: CUDA driver version is insufficient for CUDA runtime version',
        'I1120 09:28:38.147242 1 cuda_memory_manager.cc:115] CUDA memory pool disabled',
        '+-------+---------+--------+',
        '| Model | Version | Status |',
        '+-------+---------+--------+',
        '+-------+---------+--------+',
        'I1120 09:28:38.250360 1 server.cc:592] ',
        'I1120 09:28:38.350360 1 server.cc:264] Waiting for in-flight requests to complete.',
        'error: creating server: Internal - failed to load all models',
      ],
      'W1120 09:28:38.147148 1 pinned_memory_manager.cc:236] Unable to allocate pinned system memory: CUDA driver version is insufficient for CUDA runtime version',
    ],
    [
      'in information, where the program reports nothing graver',
      [
        '{"event": "Starting bootstrap", "level": "info", "timestamp": 1678283001.95}',
        '{"event": "PostgreSQL connection failed, retrying... (FATAL:  password authentication failed for user \\"authentik\\")", "level": "info", "timestamp": 1678283002.0}',
      ],
      'PostgreSQL connection failed, retrying... (FATAL:  password authentication failed for user "authentik")',
    ],
    [
      'in what the storage reports, above the list of what failed',
      [
        'time="2026-11-20T09:28:50Z" level=error msg="Failure running the storage provider startup check" error="the configured encryption key does not appear to be valid for this database"',
        'time="2026-11-20T09:28:50Z" level=fatal msg="The following providers had fatal failures during startup: storage"',
      ],
      'time="2026-11-20T09:28:50Z" level=error msg="Failure running the storage provider startup check" error="the configured encryption key does not appear to be valid for this database"',
    ],
    [
      'with levels and words in Korean',
      [
        '[2026-11-20 09:28:50] [정보] 서버 시작',
        '[2026-11-20 09:28:50] [오류] 환경 변수 DB_HOST가 설정되지 않았습니다',
        '[2026-11-20 09:28:50] [정보] 서버를 종료합니다',
      ],
      '[2026-11-20 09:28:50] [오류] 환경 변수 DB_HOST가 설정되지 않았습니다',
    ],
  ])('is found %s', (_, lines, reason) => {
    expect(decide(lines)).toBe(reason);
  });

  it.each<[string, readonly string[], string | undefined]>([
    [
      'information about a connection that came about later',
      [
        '{"event": "connection refused, retrying", "level": "info"}',
        '{"event": "database connected", "level": "info"}',
        '{"event": "bye", "level": "info"}',
      ],
      undefined,
    ],
    [
      'a warning above an error with a reason of its own',
      [
        'W1120 09:28:38.147148 1 pool.cc:236] CUDA driver version is insufficient for CUDA runtime version',
        'error: region eu-9 does not serve tenant 7',
      ],
      'error: region eu-9 does not serve tenant 7',
    ],
    [
      'information in Korean that nothing has changed',
      ['[정보] 변경 사항이 없습니다', '[정보] 서버를 종료합니다'],
      undefined,
    ],
  ])('is not %s', (_, lines, reason) => {
    expect(decide(lines)).toBe(reason);
  });

  it('is shown without what the server concludes below it', () => {
    const lines = [
      '2026-11-20T09:28:50.000000Z 1 [ERROR] [MY-013171] [InnoDB] Cannot boot server version 80037 on data directory built by version 80400. Downgrade is not supported',
      '2026-11-20T09:28:55.000000Z 1 [ERROR] [MY-010334] [Server] Failed to initialize DD Storage Engine',
      '2026-11-20T09:28:55.000001Z 0 [ERROR] [MY-010020] [Server] Data Dictionary initialization failed.',
      '2026-11-20T09:28:55.000002Z 0 [ERROR] [MY-010119] [Server] Aborting',
    ];
    expect(decidingLineOf(lines)?.lines).toEqual([lines[0]]);
  });
});

describe('the kind of what frameworks write', () => {
  it.each<[string, EndingKind | undefined]>([
    ['Property "DB_URL" is not available', 'setting'],
    ['the property is for sale and not yet sold', undefined],
    ['The application secret has not been set, and we are in prod mode', 'setting'],
    ['the secret has not been seen since', undefined],
    ['parsing config: line 12: time: invalid duration "30"', 'setting'],
    ['parsing config of 3 sites', undefined],
    ['1 validation error for Settings database_url', 'setting'],
    ['3 validation errors for Order', undefined],
    ['cookie_secret must be 16, 24, or 32 bytes to create an AES cipher, but is 29 bytes', 'setting'],
    ['the order must be paid by Friday', undefined],
    ['invalid environment: JWT_SECRET is Required', 'setting'],
    ['Error raised at top level: AppError.missingEnvironment("DATABASE_HOST")', 'setting'],
    ["ERROR: Database doesn't have Directus tables installed.", 'not-migrated'],
    ['the database does not have to be tuned', undefined],
    ['Database directory version (31104) is higher than current version (31002).', 'data-version'],
    ['the price is higher than the current one', undefined],
    ['error validating peerURLs: member count is unequal', 'other-cluster'],
    ['member count is 3', undefined],
    ["Wal error: Can't init WAL: failed to fill whole buffer", 'damaged-file'],
    ['tls handshake: failed to fill whole buffer', undefined],
    ['NoCredentialProviders: no valid providers in chain', 'credentials'],
    [`msg="Failed to do run loop\\nNoCredentialProviders: no valid providers"`, 'credentials'],
    ['the configured encryption key does not appear to be valid for this database', 'credentials'],
    ['Failed to create Minio bucket. Error: Access Denied.', 'credentials'],
    ['unexpected error from ListObjects on tempo: Access Denied.', 'credentials'],
    ['Access to the path /srv/app is denied', 'not-permitted'],
    ['Can not write to /var/jenkins_home/copy.log. Wrong volume permissions?', 'not-permitted'],
    ['Could not find base path /models/resnet for servable resnet', 'missing-file'],
    ['could not find a path to the goal', undefined],
    ['환경 변수 DB_HOST가 설정되지 않았습니다', 'setting'],
    ['설정 파일을 찾을 수 없습니다: /etc/app/config.yaml', 'missing-file'],
    ['데이터베이스에 연결할 수 없습니다', 'unreachable'],
    ['폴더에 쓸 권한이 없습니다', 'not-permitted'],
    ['비밀번호가 올바르지 않아 인증에 실패했습니다', 'credentials'],
    ['디스크 공간이 부족합니다', 'no-space'],
    ['연결되었습니다', undefined],
  ])('%s', (line, kind) => {
    expect(endingOf(line)).toBe(kind);
  });
});
