import { describe, expect, it } from 'vitest';
import { type EndingKind, endingKinds, endingOf, pathIn } from '#src/doctor/log-lines/ending-kinds.js';

/** Sentences of different programs, as their authors or people who reported them wrote them. */
const sentences: Readonly<Record<EndingKind, readonly string[]>> = {
  'service-variable': [
    `invalid overriding value 'tcp://10.43.161.118:9000' from API_PORT: strconv.ParseInt: parsing "tcp://10.43.161.118:9000": invalid syntax`,
    `ValueError: invalid literal for int() with base 10: 'tcp://10.0.8.3:5432'`,
    `java.lang.NumberFormatException: For input string: "tcp://10.96.3.4:6379"`,
    `panic: strconv.Atoi: parsing "tcp://172.20.9.1:80": invalid syntax`,
    `Error: Invalid value "tcp://10.1.2.3:4000" for PORT: expected a port number`,
  ],
  'kind-not-installed': [
    'if kind is a CRD, it should be installed before calling Start: no matches for kind "OpAMPBridge" in version "opentelemetry.io/v1alpha1"',
    'failed to list *v1.HTTPRoute: the server could not find the requested resource (get httproutes.gateway.networking.k8s.io)',
    'CustomResourceDefinition ciliumnodes.cilium.io not found, waiting for it to be installed',
    'error: the server doesn\'t have a resource type "virtualservices"',
  ],
  'watch-limit': [
    'failed to create fsnotify watcher: inotify_init1: too many open files',
    'failed to create fsnotify watcher: too many open files',
    'unable to start file watcher: too many open files',
    "Error: ENOSPC: System limit for number of file watchers reached, watch '/app/config'",
    'System.IO.IOException: The configured user limit (128) on the number of inotify instances has been reached',
    'inotify_add_watch: No space left on device: upper limit on inotify watches reached',
  ],
  'file-limit': [
    'accept tcp [::]:8080: accept4: too many open files',
    "Error: EMFILE: too many open files, open '/data/segment'",
    'max file descriptors [4096] for elasticsearch process is too low, increase to at least [65535]',
  ],
  'no-space': [
    'opening storage failed: lock DB directory: open /data/lock: no space left on device',
    'FATAL:  could not write lock file "postmaster.pid": No space left on device',
    'sqlite3.OperationalError: database or disk is full',
    "Error: ENOSPC: no space left on device, write '/var/lib/app/cache'",
    'java.io.IOException: Disk quota exceeded',
  ],
  'kernel-setting': [
    'max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
    'FATAL: kernel.shmmax must be at least 1073741824 on this host',
    'sysctl: error setting key "net.ipv4.ip_forward": cannot write, Read-only setting',
    'bpf program requires kernel version 5.10 or higher',
    'modprobe: FATAL: Module ip_tables not found in directory /lib/modules/5.14.0',
    'modprobe: ERROR: could not insert nbd: Operation not permitted',
  ],
  'device-memory': [
    'ValueError: Free memory on device cuda:0 (0.41/79.18 GiB) on startup is less than desired GPU memory utilization (0.85, 67.3 GiB).',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.77 GiB of which 1.12 GiB is free.',
    'ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory',
    'RuntimeError: HIP out of memory. Tried to allocate 512.00 MiB',
    'E0000 failed to allocate 22.3GiB on device: CUDA_ERROR_OUT_OF_MEMORY',
    "ValueError: To serve at least one request with the model's max seq len (1048576), 22.5 GiB KV cache is needed, which is larger than the available KV cache memory (17.39 GiB).",
    "The model's max seq len (4096) is larger than the maximum number of tokens that can be stored in KV cache (3664).",
    'No available memory for the cache blocks on the GPU. Try increasing gpu_memory_utilization.',
  ],
  'held-elsewhere': [
    'FATAL:  pre-existing shared memory block (key 5432001, ID 0) is still in use',
    'duckdb.duckdb.IOException: IO Error: Could not set lock on file "/data/a.duckdb": Conflicting lock is held in PID 0.',
    'cannot open a storage at /storage: cannot acquire lock on file "/storage/flock.lock": resource temporarily unavailable',
    'deploy_mode: single instance lock wal path failed.',
    'java.lang.IllegalStateException: Nexus lock file already in use: /nexus-data/lock',
    'StoreLockException: Store and its lock file has been locked by another process: /data/databases/store_lock. Please ensure no other process is using this database, and that the directory is writable (required even for read-only access)',
    'db file is flocked by another process, or taking too long',
    'unable to open boltdb; is there another process running? timeout',
    'opening storage failed: lock DB directory: resource temporarily unavailable',
    'Database at /var/lib/kache/planner.db/LOCK is already locked by another process',
    'LightningDB.LightningException: MDB_env_open: Resource temporarily unavailable',
    'Cannot acquire directory lock on "/data/badger". Another process is using this Badger database. error: resource temporarily unavailable',
    'DBPathInUse: Unable to lock the lock file: /data/db/mongod.lock (Resource temporarily unavailable). Another mongod instance is already running on the /data/db directory',
    '[ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 11',
    'org.apache.kafka.common.KafkaException: Failed to acquire lock on file .lock in /var/lib/kafka/data. A Kafka instance in another process or thread is using this directory.',
    'java.lang.IllegalStateException: failed to obtain node locks, tried [/usr/share/elasticsearch/data]; maybe these locations are not writable or multiple nodes were started on the same data path?',
    'IO Error: Could not set lock on file "/data/app.duckdb": Conflicting lock is held in PID 0',
    'open milvus.db failed, the file has been opened by another program',
    'org.h2.jdbc.JdbcSQLNonTransientConnectionException: Database may be already in use: "/data/app.mv.db". Possible solutions: close all other connection(s)',
    'org.apache.lucene.store.LockObtainFailedException: Lock held by another program: /var/solr/data/index/write.lock',
    'IO error: While lock file: /data/LOCK: Resource temporarily unavailable',
    'open /var/lib/grafana/app.db: timeout',
    'sqlite3.OperationalError: database is locked',
    'FATAL: cannot create lock file in "/storage": make sure a single process has exclusive access: cannot acquire lock on file',
  ],
  'address-in-use': [
    'listen tcp :9100: bind: address already in use',
    'Error: listen EADDRINUSE: address already in use 0.0.0.0:3000',
    'Web server failed to start. Port 8080 was already in use.',
    'OSError: [Errno 98] error while attempting to bind on address: in use',
  ],
  'read-only': [
    "Error: EROFS: read-only file system, open '/app/tmp/cache'",
    'mkdir: cannot create directory /var/run/nginx: Read-only file system',
    'java.nio.file.ReadOnlyFileSystemException',
  ],
  'privileged-port': [
    'Unhandled exception. System.Net.Sockets.SocketException (13): Permission denied',
    'java.net.SocketException: Permission denied (Bind failed)',
    'nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)',
    'Error: listen EACCES: permission denied 0.0.0.0:443',
    'listen tcp :53: bind: permission denied',
  ],
  'api-forbidden': [
    'component reflector cannot be created: Error(Status(403), "https://10.0.0.1/apis/core.hydra.io/v1alpha1/namespaces/default/components?")',
    'pods is forbidden: User "system:serviceaccount:shop:default" cannot list resource "pods" in API group "" at the cluster scope',
    'leases.coordination.k8s.io "lock" is forbidden: User "system:serviceaccount:ops:ctl" cannot get resource "leases"',
    'Failure executing: GET at: https://10.96.0.1/api. Message: services is forbidden: User "system:serviceaccount:a:b" cannot watch resource',
  ],
  credentials: [
    'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused using authentication mechanism AMQPLAIN.',
    'FATAL:  password authentication failed for user "orders"',
    "Access denied for user 'app'@'10.2.3.4' (using password: YES)",
    'WRONGPASS invalid username-password pair or user is disabled.',
    'MongoServerError: Authentication failed.',
    'InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.',
    'GET https://vault/v1/secret: 401 Unauthorized',
  ],
  clock: [
    'x509: certificate has expired or is not yet valid: current time 2026-11-20T09:28:58Z is before 2026-11-21T00:00:00Z',
    'java.security.cert.CertificateNotYetValidException: NotBefore: Sat Nov 21 00:00:00 GMT 2026',
    'invalid peer certificate: NotValidYet',
    'jwt.exceptions.ImmatureSignatureError: The token is not yet valid (iat)',
    'error parsing token: Token used before issued',
    'botocore.exceptions.ClientError: An error occurred (RequestTimeTooSkewed) when calling the PutObject operation',
    'ClickHouse: clock synchronization error: the clocks of the nodes are out of sync by 812 ms',
  ],
  certificate: [
    'x509: certificate has expired or is not yet valid: current time 2026-11-20T09:28:58Z is after 2026-11-19T00:00:00Z',
    'Caused by: java.security.cert.CertificateExpiredException: NotAfter: Wed Jun 10 09:25:02 GMT 2026',
    'error:14094415:SSL routines:ssl3_read_bytes:sslv3 alert certificate expired',
    'tls: private key does not match public key',
    'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired',
    'javax.net.ssl.SSLHandshakeException: PKIX path building failed',
    'Error: self-signed certificate in certificate chain',
  ],
  'data-version': [
    'migrate up: up: no migration found for version 120: read down for version 120 .: file does not exist',
    "FAILED: Can't locate revision identified by '0039'",
    'Unable to resolve migration 20240310_add_index',
    'Feature flags: `stream_queue`: required feature flag not enabled! It must be enabled before upgrading RabbitMQ.',
    'DETAIL:  The data directory was initialized by PostgreSQL version 12, which is not compatible with this version 13.2.',
    "Can't handle RDB format version 10",
    'java.lang.IllegalStateException: cannot downgrade a node from version [8.11.0] to version [8.9.0]',
    '[ERROR] [MY-013171] [InnoDB] Cannot boot server version 80021 on data directory built by version 80030. Downgrade is not supported',
    'Wrong mongod version: UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document',
  ],
  'not-migrated': [
    'sql schema version compatibility check failed: version mismatch for keyspace/database: "temporal". Expected version: 1.10 cannot be greater than Actual version: 1.9.',
    'database schema version 14 is below the required 15',
    'django.db.utils.ProgrammingError: relation "accounts_user" does not exist',
    "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'app.users' doesn't exist",
    'ActiveRecord::PendingMigrationError: Migrations are pending. To resolve this issue, run: bin/rails db:migrate',
    'error: Dirty database version 42. Fix and force version.',
    'sqlite3.OperationalError: no such table: sessions',
  ],
  'damaged-file': [
    'opening storage failed: read meta information /prometheus/01HF/meta.json: unexpected end of JSON input',
    'could not open /data/index/segment_7: unexpected EOF',
    'sqlite3.DatabaseError: database disk image is malformed',
    'PANIC:  could not locate a valid checkpoint record',
    'Corruption: checksum mismatch: expected 123, got 456 in /data/000012.sst',
    'zipfile.BadZipFile: File is not a zip file',
  ],
  'library-mismatch': [
    'app: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or directory',
    "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /app/server)",
    'RuntimeError: The NVIDIA driver on your system is too old (found version 11040)',
    'CUDA driver version is insufficient for CUDA runtime version',
    'java.lang.UnsupportedClassVersionError: com/acme/Main has been compiled by a more recent version of the Java Runtime',
    'Failed to initialize NVML: Driver/library version mismatch',
  ],
  'illegal-instruction': [
    'Illegal instruction (core dumped)',
    'Fatal glibc error: CPU does not support x86-64-v2',
    'WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!',
    '/entrypoint.sh: line 3: /app/server: cannot execute binary file: Exec format error',
  ],
  'process-memory': [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'java.lang.OutOfMemoryError: Java heap space',
    'fatal error: runtime: out of memory',
    'memory allocation of 8589934592 bytes failed',
  ],
  'not-permitted': [
    'FATAL:  data directory "/pgdata/pg14" has invalid permissions',
    'open /etc/app/tls.key: permission denied',
    "PermissionError: [Errno 13] Permission denied: '/data/state'",
    'java.nio.file.AccessDeniedException: /var/lib/app/data',
    'System.UnauthorizedAccessException: Access to the path /keys is denied.',
    "mkdir: cannot create directory '/bitnami/postgresql/data': Permission denied",
  ],
  unreachable: [
    '[emerg] 1#1: host not found in upstream "backend.shop.svc.cluster.local" in /etc/nginx/conf.d/default.conf:5',
    'lookup pg-rw.db on 10.96.0.10:53: server misbehaving',
    'Caused by: java.net.ConnectException: Connection refused (Connection refused)',
    'dial tcp: lookup orders-db on 10.96.0.10:53: no such host',
    'Error: getaddrinfo ENOTFOUND redis',
    'Error: pool timed out while waiting for an open connection',
    'redis.exceptions.ConnectionError: Error 111 connecting to redis:6379. Connection refused.',
  ],
  setting: [
    "KeyError: 'DATABASE_URL'",
    '\'exporters\' unknown type: "logging" for id: "logging" (valid values: [debug nop otlp])',
    `application.conf @ file:/app/conf/application.conf: 12: Could not resolve substitution to a value: \${DB_URL}`,
    "Failed to bind properties under 'spring.datasource.hikari.maximum-pool-size' to int:",
    'Error: unknown flag: --enable-foo',
    'panic: environment variable DATABASE_URL is not set',
    'error: Missing required option --cluster-name',
    'Field required: SECRET_KEY environment variable is missing',
    'failed to parse config: yaml: line 12: did not find expected key',
  ],
  'missing-file': [
    'open /etc/app/config.yaml: no such file or directory',
    "Error: Cannot find module 'express'",
    "ModuleNotFoundError: No module named 'flask'",
    'java.lang.ClassNotFoundException: com.acme.Main',
  ],
  'process-limit': [
    'OpenBLAS blas_thread_init: pthread_create failed for thread 41 of 64: Resource temporarily unavailable',
    'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
    "RuntimeError: can't start new thread",
    'runtime: failed to create new OS thread (have 5 already; errno=11)',
    '-bash: fork: retry: Resource temporarily unavailable',
  ],
  'changed-migration': [
    'Caused by: FlywayValidateException: Validate failed: Migrations have failed validation Migration checksum mismatch for migration version 160',
    'Validation Failed: 1 changesets check sum db/changelog.xml::7::ann was: 8:1d2f but is now: 8:77aa',
    'error: migration 20240102 was previously applied but has been modified',
    'The migration `20210313140442_init` was modified after it was applied.',
  ],
  'database-lock': [
    'Could not acquire change log lock. Currently locked by 10.2.3.4 since 09:00',
    'Waiting for changelog lock....',
    'Error: P1002 Timed out trying to acquire a postgres advisory lock (SELECT pg_advisory_lock(72707369)).',
    'Number of retries exceeded while attempting to acquire PostgreSQL advisory lock',
    'MigrationLocked: Migration table is already locked',
    'Cannot run migrations because another migration process is currently running.',
    'Could not complete migration, timeout: the migration lock is held since 08:12',
  ],
  'no-file-locks': [
    'java.io.IOException: No locks available',
    'sqlite3.OperationalError: locking protocol',
    'flock /data/index.db: function not implemented: file locking is not supported',
  ],
  'connections-used-up': [
    'FATAL:  sorry, too many clients already',
    'Error: ER_CON_COUNT_ERROR: Too many connections',
    'ERR max number of clients reached',
    'ORA-00018: maximum number of sessions exceeded',
    'FATAL: remaining connection slots are reserved for roles with the SUPERUSER attribute',
  ],
  'other-cluster': [
    "InconsistentClusterIdException: The Cluster ID ReXkQr doesn't match stored clusterId Some(vbL1fO) in meta.properties. The broker is trying to join the wrong cluster.",
    'org.apache.cassandra.exceptions.ConfigurationException: Saved cluster name Test Cluster != configured name production',
    'This node previously joined a cluster with UUID [a1] and is now trying to join a different cluster with UUID [b2]',
    'request cluster ID mismatch (got 7e27652122e8b2ae want cdf818194e3a8c32)',
  ],
  'call-refused': [
    'called `Result::unwrap()` on an `Err` value: Os { code: 1, kind: PermissionDenied, message: "Operation not permitted" }',
    'failed to set memlock rlimit: operation not permitted',
    "thread 'main' panicked at src/threads.rs:107:14: Operation not permitted (os error 1)",
  ],
};

const said = endingKinds.flatMap((kind) => sentences[kind].map((sentence) => [kind, sentence] as const));

describe('the kind of ending that a line names', () => {
  it.each(said)('is %s: %s', (kind, sentence) => {
    expect(endingOf(sentence)).toBe(kind);
  });

  it('has at least three sentences of different programs for each kind', () => {
    expect(endingKinds.filter((kind) => sentences[kind].length < 3)).toEqual([]);
  });

  it.each([
    [
      'an address of a Service that does not answer',
      'dial tcp://10.43.1.2:9000: connection refused',
      'unreachable',
    ],
    ['a memory lock that the kernel refuses', 'memory lock failed: ENOMEM', 'process-memory'],
    ['a file whose owner may not be changed', 'chown: /data: Operation not permitted', 'not-permitted'],
    ['a broker of a cluster that is joined', 'joined the cluster with ID a1 as node 3', undefined],
    [
      'a path of the code of the program',
      'panicked at /home/ci/src/main.rs:7:9: region eu-9 is closed',
      undefined,
    ],
    ['threads that were started', 'started 64 threads in the pool', undefined],
    ['a lock file on a full volume', 'cannot create lock file: no space left on device', 'no-space'],
    [
      'a lock file that may not be written',
      'could not create lock file "/data/.lock": Permission denied',
      'not-permitted',
    ],
    [
      'a deadlock of transactions',
      'ERROR: deadlock detected: could not obtain lock on row in relation "jobs"',
      undefined,
    ],
    ['a lock for migrations that was taken', 'Successfully acquired change log lock', undefined],
    ['an advisory lock that is free again', 'released advisory lock after waiting 3 s', undefined],
    [
      'a connection without a file descriptor',
      'Failed to watch *v1.Pod: dial tcp 10.96.0.1:443: socket: too many open files',
      'file-limit',
    ],
    ['the level of a line about a connection', 'ERROR cluster: connect(gcomm://) gave 7', undefined],
    ['settings that end too early', 'load /etc/app/settings.json: unexpected end of JSON input', undefined],
    ['an answer that ends too early', 'Get "http://api/v1/items": unexpected EOF', undefined],
    ['a key that a map lacks', "KeyError: 'tenant'", undefined],
    ['a cache that is large enough', 'GPU KV cache size: 214,000 tokens', undefined],
    ['a schema that is right', 'schema version 14, nothing to migrate', undefined],
    [
      'memory of the program, not of a device',
      'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 3 GiB',
      undefined,
    ],
    ['rights on a table, not on a file', 'ERROR: permission denied for table users', undefined],
    ['a message without a failure', 'listening on 0.0.0.0:8080', undefined],
    ['a watch that starts', 'watching /etc/config with inotify', undefined],
    ['a migration that ran', 'Applied 3 migrations in 2.1s', undefined],
    ['an index that was built', 'index opened, version 7', undefined],
  ])('is not taken from %s', (_, sentence, kind) => {
    expect(endingOf(sentence)).toBe(kind);
  });
});

describe('the path in a line', () => {
  it.each([
    ['lock DB directory: open /data/lock: no space left on device', '/data/lock'],
    [`Permission denied: '/var/lib/app/state'`, '/var/lib/app/state'],
    ['GET https://vault/v1/secret failed', undefined],
    ['no path', undefined],
  ])('%s', (line, path) => {
    expect(pathIn(line)).toBe(path);
  });
});
