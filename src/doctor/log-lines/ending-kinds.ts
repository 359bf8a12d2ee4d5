import { boundText } from '../../engine/language/text-scanning.js';

/**
 * Kinds of reasons for which programs end. A kind is a kind of sentence, whatever program writes it: the
 * words of the operating system, of a runtime, or what many programs say alike.
 */
export const endingKinds = [
  'service-variable',
  'kind-not-installed',
  'watch-limit',
  'file-limit',
  'no-space',
  'kernel-setting',
  'device-memory',
  'process-limit',
  'changed-migration',
  'database-lock',
  'no-file-locks',
  'held-elsewhere',
  'address-in-use',
  'read-only',
  'privileged-port',
  'api-forbidden',
  'connections-used-up',
  'credentials',
  'clock',
  'certificate',
  'other-cluster',
  'data-version',
  'failed-migration',
  'not-migrated',
  'damaged-file',
  'library-mismatch',
  'illegal-instruction',
  'process-memory',
  'call-refused',
  'not-permitted',
  'unreachable',
  'missing-file',
  'setting',
] as const;
export type EndingKind = (typeof endingKinds)[number];

interface Row {
  readonly kind: EndingKind;
  /** One of these is in the line. */
  readonly says: readonly RegExp[];
  /** All of these are in it as well. */
  readonly and?: readonly RegExp[];
  /** None of these is. */
  readonly but?: RegExp;
}

/** A line that is longer is cut. */
const searched = 2000;

/**
 * The first row that matches decides: words of the operating system stand before what programs conclude from
 * them.
 */
const rows: readonly Row[] = [
  {
    kind: 'service-variable',
    says: [/\b(?:tcp|udp|sctp):\/\/(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}\b/i],
    and: [
      // The last words are of the file system, to which a URL is the name of a file.
      /\b(?:pars(?:e|ing|ed)|invalid|integer|number|numeric|numberformat\w{0,12}|int\(\)|u16|port|convert\w{0,4}|digit|type mismatch|expected|too many colons|permission denied|no such file|not a directory)\b/i,
    ],
    but: /\b(?:refused|timed out|timeout|unreachable|no route|dial(?:ing)?|connect\w{0,4})\b/i,
  },
  {
    kind: 'kind-not-installed',
    says: [
      /\bno matches for kind\b|\bno (?:kind|resource) match(?:es)?\b/i,
      /\bcould not find the requested resource\b|\bdoesn't have a resource type\b/i,
      /\b(?:crds?|customresourcedefinitions?|custom resource definitions?)\b.{0,120}\b(?:not (?:be )?(?:found|installed|exist|present|registered|available)|missing|must be installed|should be installed|does not exist)\b/i,
      /\b(?:missing|not found|no such|please install|required?)\b.{0,60}\b(?:crds?|customresourcedefinitions?|custom resource definitions?)\b/i,
    ],
  },
  {
    kind: 'watch-limit',
    says: [
      /\binotify/i,
      /\bfile watchers?\b.{0,40}\b(?:limit|reached|exhausted)|\blimit for number of (?:file )?watch/i,
      /\b(?:fsnotify|(?:file ?)?watchers?)\b.{0,80}\btoo many open files\b/i,
    ],
    and: [
      /\b(?:limit|too many|reached|exhausted|no space|emfile|enospc|fail(?:ed)?|cannot|unable|increase|upper)\b/i,
    ],
  },
  {
    kind: 'file-limit',
    says: [
      /\btoo many open files\b|\b(?:emfile|enfile)\b/i,
      /\b(?:open files|nofile|file descriptors?|file-max|ulimit)\b.{0,80}\b(?:too low|too small|increase|exceeded|reached|insufficient|at least)\b/i,
    ],
  },
  {
    kind: 'no-space',
    says: [
      /\bno space left on\b|\benospc\b|\bdisk (?:is )?full\b|\bdisk quota exceeded\b|\bedquot\b/i,
      /\b(?:not enough|insufficient|no more|out of|no free|low on)(?: free| available)? (?:disk|storage|file ?system)\b(?: space)?/i,
      /\b(?:disk|volume|filesystem) space\b.{0,40}\b(?:exhausted|insufficient|exceeded|not enough)\b/i,
    ],
  },
  {
    kind: 'kernel-setting',
    says: [
      /\b(?:vm\.(?:max_map_count|overcommit_memory|overcommit_ratio|swappiness|nr_hugepages)|fs\.(?:file-max|nr_open|aio-max-nr)|net\.(?:core|ipv4|ipv6|netfilter|bridge)\.[\w.]{2,60}|kernel\.(?:shm|sem|msg|pid|threads|perf|sched|unprivileged|keys|core|panic)\w{0,40})\b/i,
      /\b(?:sysctl|kernel (?:parameter|setting|module|version|btf)|(?:vmlinux|without) btf)\b/i,
      /\bmax virtual memory areas\b|\bunprivileged user namespaces?\b|\b(?:modprobe|insmod)\b/i,
    ],
    and: [
      /\b(?:too low|too small|at least|must be|should be|requires?d?|increase|not supported|unsupported|disabled|not enabled|not loaded|cannot|can't|could not|unable|fail(?:ed|s)?|error|invalid|not found|no such|minimum|older|missing)\b/i,
    ],
  },
  {
    kind: 'device-memory',
    says: [
      /\b(?:cuda|hip|rocm|gpu|vram|device memory|video memory|on device|cublas\w{0,40}|cudnn\w{0,40}|cudamalloc|hbm|xla|npu|tpu)\b.{0,160}\b(?:out[ _]of[ _]memory|insufficient (?:free )?memory|not enough (?:free )?memory|memory[ _]?allocation|alloc_failed|failed to allocate|less than desired|no available memory|free memory)\b/i,
      /\b(?:out[ _]of[ _]memory|outofmemoryerror|free memory|not enough memory|no available memory|insufficient memory|failed to allocate|unable to allocate|resource[_ ]exhausted)\b.{0,120}\b(?:cuda\d?|hip|rocm|gpu(?:s|:\d)?|vram|device|cudamalloc|video memory|kv cache)\b/i,
      /\bkv cache\b.{0,60}\b(?:needed|required|larger than)\b|\blarger than\b.{0,80}\bkv cache\b/i,
      /\bcudaerrormemoryallocation\b|\bcublas_status_alloc_failed\b|\bcuda_error_out_of_memory\b/i,
    ],
    but: /\bno space left\b/i,
  },
  {
    kind: 'process-limit',
    says: [
      /\b(?:pthread_create|clone|v?fork)\b.{0,80}\b(?:resource temporarily unavailable|eagain|fail(?:ed|ure)?|retry)\b/i,
      /\b(?:unable|cannot|can't|could not|failed) (?:to )?(?:create|start|spawn)\b.{0,24}\bthreads?\b/i,
      /\b(?:pids?|process(?:es)?|threads?|nproc)\b.{0,24}\blimit\b.{0,24}\b(?:reached|exceeded)\b/i,
    ],
  },
  {
    kind: 'changed-migration',
    says: [
      /\b(?:migrations?|change ?sets?|change ?log)\b.{0,160}\b(?:check ?sum|md5sum|(?:was|been) (?:modified|changed|edited)|not resolved locally)\b/i,
      /\b(?:check ?sum|hash)\b.{0,60}\b(?:migrations?|change ?sets?)\b/i,
      /\bmigration\b.{0,80}\bpreviously applied\b.{0,40}\bmissing\b/i,
    ],
  },
  {
    kind: 'database-lock',
    says: [
      /\b(?:change ?log|migrations?|advisory|schema)[ _-]?lock/i,
      /\b(?:databasechangeloglock|pg_(?:try_)?advisory\w{0,16}|get_lock|sp_getapplock)\b/i,
      /\bmigrations? table\b.{0,24}\block/i,
      /\banother (?:database |schema )?migrations?\b.{0,40}\b(?:running|in progress)\b/i,
    ],
    and: [
      /\b(?:wait(?:s|ing)?|could not|cannot|can't|unable|fail(?:ed|s|ure)?|tim(?:ed|ing) out|timeout|exceeded|locked|held|holds|another|not granted|denied)\b/i,
    ],
    but: /\b(?:released|obtained|successfully|check ?sum|already exists|create table|read ?only)\b/i,
  },
  {
    kind: 'no-file-locks',
    says: [
      /\bno locks available\b|\benolck\b|\block(?:ing)? protocol\b/i,
      /\b(?:flock|fcntl|lockf|file locks?|file locking)\b.{0,80}\b(?:not (?:supported|implemented)|unsupported|enotsup|enosys)\b/i,
    ],
    but: /\bby (?:the )?(?:current|same|this) process\b/i,
  },
  {
    kind: 'held-elsewhere',
    says: [
      /\b(?:f?lock(?:ed|file|ing)?|opened|in use|used|using|held|owned|running|acquired|open)\b.{0,60}\b(?:by |in |with )?(?:another|other|a different|some other|an?other running) (?:process|program|instance|server|application|container|pod|node|client|writer|jvm|thread|copy|user|\w{1,30} (?:instance|process|server))/i,
      /\banother (?:process|program|instance|server|application|writer|\w{1,30} (?:instance|process|server))\b.{0,60}\b(?:lock|locked|holds?|holding|using|uses|running|owns?|has|is|already|active|access)\b/i,
      /\b(?:already|still) (?:being )?(?:locked|in use by|opened by|used by|held|running (?:on|in|at|with) (?:the )?(?:same|this|data))\b/i,
      /\block ?files?\b.{0,24}\b(?:already )?(?:in use|locked|taken)\b|\block (?:is )?already (?:open|taken|acquired)\b|\block\b.{0,24}\bfail(?:ed|ure)\b/i,
      /\balready\b.{0,24}\binstance\b.{0,40}\brunning\b|\binstance\b.{0,60}\balready running\b|\b(?:server|process|daemon|service|program)\b.{0,24}\balready running\b|\balready running\b.{0,24}\bpid\b/i,
      /\block\w{0,12}\b.{0,120}\b(?:resource temporarily unavailable|eagain|ewouldblock|would block|already exists|already held|is held|hold by|held by)\b/i,
      /\b(?:resource temporarily unavailable|eagain)\b.{0,80}\block/i,
      /\b(?:cannot|can't|could not|couldn't|unable to|failed to|not able to|error)\b.{0,40}\b(?:acquir(?:e|ing)|obtain(?:ing)?|get(?:ting)?|tak(?:e|ing)|set(?:ting)?|plac(?:e|ing)|creat(?:e|ing))\b.{0,40}\b(?:file ?|directory |exclusive |node |data |database |db |store )?lock(?:s|file)?\b/i,
      /\b(?:cannot|can't|could not|unable to|failed to)(?: exclusively)? lock\b/i,
      /\b(?:database|file|directory|store|index|environment|db) (?:is (?:already |currently |exclusively )?|already )(?:locked|in use)\b/i,
      /\bshared memory block\b.{0,60}\bin use\b/i,
      /\bmay be already in use\b|\bconflicting lock\b|\block ?obtain ?failed/i,
      /\b(?:lmdb|mdb|lightning|leveldb|rocksdb|badger|bolt|bbolt|tsdb|sqlite|storage|database)\w{0,20}\b.{0,120}\b(?:resource temporarily unavailable|eagain)\b/i,
      /\b(?:open(?:ing)? \S{1,200}\.(?:db|bolt|bbolt|dat)"?|b?bolt(?:db)?(?: file)?): timeout\b/i,
      /\bopen(?:ing)? (?:the )?(?:database|db|store)(?: file)?: timeout$/i,
    ],
    but: /\b(?:no space left|permission denied|read-only (?:file|fs|volume|mount)|no such file|not a directory|input\/output error|(?<!\bshared )memory|deadlock|row|tuple|relation|address already|(?<!\b(?:lock|serial) )port|(?<!\bor\b.{0,200}\bis )stale|by (?:the )?(?:current|same|this) process|advisory|change ?log|migrations?\b(?!.{0,200}\bdatabase is locked))\b/i,
  },
  {
    kind: 'address-in-use',
    says: [
      /\baddress already in use\b|\beaddrinuse\b/i,
      /\bport\b.{0,40}\b(?:already |is )(?:in use|used|allocated|bound|taken|occupied)\b/i,
      /\b(?:bind|listen|binding|listening)\w{0,8}\b.{0,120}\b(?:in use|errno[ =:]{0,3}98|os error 98)\b|\bonly one usage of each socket address\b/i,
    ],
  },
  {
    kind: 'read-only',
    says: [/\bread-?only file ?system\b|\berofs\b|\breadonlyfilesystem/i, /\bos error 30\b|\berrno 30\b/i],
  },
  {
    kind: 'privileged-port',
    says: [
      /\b(?:bind|listen|socket)\w{0,24}\b.{0,160}\b(?:permission denied|eacces|access denied|operation not permitted)\b/i,
      /\b(?:permission denied|eacces)\b.{0,80}\b(?:bind|listen|0\.0\.0\.0:\d{1,3}\b|:::\d{1,3}\b|port)/i,
    ],
    // A socket file, or the other end of a connection.
    but: /\.sock\b|\bunix\b|\bconnect/i,
  },
  {
    kind: 'api-forbidden',
    says: [
      /\bsystem:serviceaccount:[\w:.-]{1,200}"? cannot\b|\bis forbidden: user\b/i,
      /\b403\b.{0,200}\/apis?\/(?:v1|[\w.-]{1,80}\/v\d)|\/apis?\/(?:v1|[\w.-]{1,80}\/v\d).{0,200}\b403\b/i,
    ],
  },
  {
    kind: 'connections-used-up',
    says: [
      /\btoo[ _]many (?:open )?(?:clients?|connections|sessions)\b|\bconnection slots are reserved\b|\bno more connections\b|\b(?:max(?:imum)?(?: number of)? (?:clients?|connections|sessions)|(?:connection|session)s? limit)\b.{0,40}\b(?:reached|exceeded)\b/i,
    ],
  },
  {
    kind: 'clock',
    says: [
      /\bnot (?:yet valid|valid yet)\b.{0,80}\bis before\b/i,
      /(?<!\bexpired or is )\bnot (?:yet valid|valid yet)\b|not(?:yetvalid|validyet)/i,
      /\btoken used before issued\b|\b(?:issued|iat|nbf)\b.{0,24}\bin the future\b|\brequesttimetooskewed\b|\bclock ?skew\b|\bclocks?\b.{0,24}\b(?:not synchroni[sz]ed|out of sync|skewed|synchroni[sz]ation error)\b/i,
    ],
  },
  {
    kind: 'certificate',
    says: [
      /\bx509\b|\bpkix\b|\bsslhandshake|\bcertificate(?:expired|revoked)/i,
      /\bcertificate\b.{0,60}\b(?:expired|not (?:yet )?valid|verify failed|verification failed|unknown authority|unable to|untrusted|not trusted|self[- ]signed|mismatch|invalid|required|is valid for|revoked)\b/i,
      /\b(?:self[- ]signed|unable to (?:get|verify)|invalid|untrusted|expired)\b.{0,40}\bcert(?:ificate)?s?\b/i,
      /\b(?:private|public) key\b.{0,60}\b(?:not match|mismatch)|\bcert_(?:has_expired|untrusted|\w{3,40})\b|\btlsv1 alert\b|\bssl(?:v3)? alert\b/i,
    ],
  },
  {
    kind: 'credentials',
    says: [
      /\b(?:authentication|authorization|login|sasl|auth)\b.{0,60}\b(?:fail(?:ed|ure)?|denied|rejected|unsuccessful|invalid|error)\b/i,
      /\b(?:fail(?:ed|ure)|unable|could not|cannot)(?: to)? (?:authenticate|log ?in|authorize)\b/i,
      /\b(?:log-?in|log-?on|authentication|access)\b.{0,24}\brefused\b|\baccess_refused\b/i,
      /\baccess denied for user\b|\blogin failed for\b|\brole "[^"]{1,80}" does not exist\b/i,
      /\b(?:invalid|incorrect|wrong|bad|expired|unknown|missing|rejected)\b.{0,24}\b(?:username|user name|password|passphrase|credentials?|api[- _]?key|access key|token|client secret|secret key)\b/i,
      /\b(?:password|credentials?|api[- _]?key|access key|token)\b.{0,40}\b(?:invalid|incorrect|wrong|expired|revoked|rejected|not valid|mismatch|did not match)\b/i,
      /\b(?:wrongpass|noauth|noperm|invalidaccesskeyid|signaturedoesnotmatch|accessdenied|expiredtoken|unauthenticated|invalidclienttokenid)\b/i,
      /\b(?:401|403)\b.{0,24}\b(?:unauthori[sz]ed|forbidden)\b|\bunauthori[sz]ed\b/i,
      /\bno credentials\b|\b(?:could not|unable to|cannot|failed to)\b.{0,40}\bcredentials\b|\bnot authori[sz]ed\b/i,
    ],
  },
  {
    kind: 'library-mismatch',
    says: [
      /\berror while loading shared libraries\b|\bcannot open shared object file\b|\bsymbol lookup error\b|\bundefined symbol\b|\berror relocating\b|\bcannot load library\b/i,
      /\bversion [`'"]?(?:glibc|glibcxx|cxxabi|gcc|openssl)\w{0,2}_[\d.]{1,10}['"`]? not found\b/i,
      /\bdriver\b.{0,80}\b(?:insufficient|too old|outdated|not compatible|incompatible|mismatch|unsupported|does not support|older)\b/i,
      /\bforward compatibility was attempted\b|\bno kernel image is available\b|\b(?:library version mismatch|driver\/library)\b|\b(?:update|upgrade) (?:your |the )?driver\b/i,
      /\b(?:incompatible|mismatch\w{0,3}|unsupported)\b.{0,40}\b(?:driver|librar(?:y|ies)|abi)\b/i,
      /\bunsupportedclassversion\w{0,6}\b|\bcompiled by a more recent version\b|\bnode_module_version\b|\bcompiled against a different\b|\bcompiled (?:using|with|for) (?:a )?(?:different|numpy)\b/i,
    ],
  },
  {
    kind: 'illegal-instruction',
    says: [
      /\billegal (?:hardware )?instruction\b|\bsigill\b/i,
      /\b(?:cpu|processor|machine|hardware)\b.{0,80}\b(?:does not|doesn't|not) (?:support|meet|have)\b/i,
      /\b(?:avx\w{0,6}|sse\w{0,4}|x86-64-v\d|bmi2?|fma)\b.{0,60}\b(?:required?s?|not (?:available|supported|found)|missing|support|unsupported|need(?:s|ed)?)\b/i,
      /\b(?:requires?|needs?)\b.{0,40}\b(?:cpu|processor) (?:with|that|support)/i,
      /\bexec format error\b|\bcannot execute binary file\b|\bwrong elf class\b/i,
    ],
  },
  {
    kind: 'other-cluster',
    says: [
      /\b(?:cluster|system|replica ?set)[ _-]?(?:id|uuid|name|identifier)s?\b.{0,120}(?:\b(?:mismatch|differ(?:s|ent)?|(?:doesn't|does not|did not) match)\b|!=)/i,
      /\b(?:saved|stored|mismatched) cluster[ _-]?(?:id|uuid|name)\b.{0,80}(?:\bconfigured\b|!=|\bin request\b)/i,
      /\b(?:join|member of|part of|node of|belongs? to)\b.{0,24}\b(?:wrong|another|different)\b.{0,16}\bcluster\b|\bbelongs? to cluster\b.{0,80}\bbut\b/i,
    ],
  },
  {
    kind: 'data-version',
    says: [
      /\b(?:data|database|files?|index|store|storage|cluster|directory|format|metadata|node|schema|rdb|wal|journal|snapshot|tablespace|featurecompatibilityversion)\b.{0,160}\b(?:incompatible|not compatible|newer (?:version|than)|older (?:version|than)|(?:was|were) (?:initiali[sz]ed|created|written|saved|last used|upgraded) (?:by|with|using|in)|(?:is|are) too (?:old|new) (?:for|to)|cannot be (?:read|opened|upgraded)|unsupported (?:version|format))\b/i,
      /\b(?:incompatible|unsupported|unknown|invalid|unexpected|can't handle|cannot handle|wrong)\b.{0,60}\b(?:(?:data|database|file|index|store|storage|on-disk|rdb|format|featurecompatibility|metadata) ?(?:format )?version|version of (?:the )?(?:data|database|file|index|store)|featurecompatibilityversion)\b/i,
      /\b(?:cannot|can't|unable to|refus(?:e|ing) to|not possible to|not supported to|invalid) (?:downgrade|upgrade)\b|\b(?:downgrad|upgrad)(?:e|ing)\b.{0,60}\b(?:not supported|not possible|not allowed|unsupported|cannot|is required|fail(?:ed|s)?)\b|\bupgrade problem\b|\bbefore (?:the )?(?:upgrad(?:e|ing)|updating)\b/i,
      // The record of migrations is ahead of what the program has.
      /\bno migrations? (?:found )?for (?:schema |database )?version\b|\b(?:can't|cannot|could not|unable to|failed to) (?:locate|find|resolve) (?:the )?(?:revision|migration)\b/i,
    ],
  },
  {
    // It was tried, and stands in the way of the others until somebody corrects the record of it.
    kind: 'failed-migration',
    says: [
      /\bfailed migrations?\b|\bmigrations?\b.{0,80}\b(?:fail(?:ed|s)?|dirty)\b|\bdirty\b.{0,40}\b(?:migrations?|database version)\b/i,
    ],
    but: /\b(?:pending|unapplied|not yet (?:applied|run|executed))\b/i,
  },
  {
    kind: 'not-migrated',
    says: [
      /\bmigrations?\b.{0,80}\b(?:not (?:be |been |yet )?(?:applied|run|executed|found)|pending|unapplied|required|missing|need(?:s|ed)?|out of date|not up to date)\b/i,
      /\b(?:pending|unapplied|missing|outstanding|run|apply)\b.{0,40}\bmigrations?\b|\bpendingmigration\w{0,12}\b/i,
      /\b(?:relation|table|column|view|index|schema) ["'`]?[\w.]{1,120}["'`]?.{0,40}\b(?:does not exist|doesn't exist|not found|is missing)\b/i,
      /\bno such (?:table|column)\b|\bunknown column\b|\binvalid object name\b|\bundefined(?:table|column)\b/i,
      /\b(?:database|db) schema\b.{0,60}\b(?:mismatch|out of date|outdated|not up to date|behind|older|version)\b/i,
      /\bschema version\b.{0,160}\b(?:mismatch|too old|behind|less than|lower than|below|at least)\b/i,
    ],
  },
  {
    kind: 'damaged-file',
    says: [
      /\b(?:corrupt(?:ed|ion|ions)?|corrupts|input\/output error)\b/i,
      /\b(?:checksum|crc|hash)\b.{0,30}\b(?:mismatch|error|fail(?:ed|ure)?|invalid|incorrect|does not match|not match)\b/i,
      /\b(?:disk image is malformed|not a database|bad magic|invalid magic|magic number|invalid page|torn page|unexpected end of (?:file|archive|data|zlib)|bad ?zip ?file|not a zip file|truncated (?:file|archive|record|wal|page))\b/i,
      // A file that ends too early; one of settings is a matter of the settings.
      /^(?!.{0,500}(?:\/etc\/|conf|settings)).{0,500}(?<![\w:/.])\/[\w.@+-]{1,120}(?:\/[\w.@+-]{1,120}){0,20}["']?: .{0,80}\bunexpected (?:end of json input|eof)\b/i,
      /\bcould not locate a valid checkpoint\b|\binvalid (?:primary )?checkpoint\b|\bbad file (?:format|header)\b/i,
    ],
  },
  {
    kind: 'process-memory',
    says: [
      /\bheap out of memory\b|\bjava heap space\b|\bgc overhead limit\b|\bmetaspace\b|\bruntime: out of memory\b|\bcannot allocate memory\b|\benomem\b|\bmemoryerror\b|\bstd::bad_alloc\b|\bmemory allocation of \d{1,20} bytes failed\b/i,
      /\b(?:out of memory|outofmemory(?:error|exception))\b|\b(?:insufficient memory for the java|could not reserve enough space for|native memory allocation .{0,24}failed)\b/i,
    ],
  },
  {
    kind: 'call-refused',
    says: [/\boperation not permitted\b|\beperm\b|\bos error 1\b/i],
    // A file, or its owner and mode, may not be read or changed.
    but: /(?<![\w/.])\/[\w.-]{1,80}|\b(?:permission denied|chown|chmod|chgrp|ownership|permissions of|files?|directory|folder|mkdir|utime)\b/i,
  },
  {
    kind: 'not-permitted',
    says: [
      /\bpermission denied\b|\beacces\b|\beperm\b|\boperation not permitted\b|\bos error (?:1|13)\b|\berrno 13\b/i,
      /\b(?:accessdenied|unauthorizedaccess|accesscontrol)exception\b/i,
      /\baccess (?:to the path .{1,200} )?(?:is )?denied\b/i,
      /\b(?:is |are )?not (?:writable|writeable|readable)\b|\bno write (?:permission|access)\b|\breadonly database\b|\bdatabase is read ?only\b/i,
      /\b(?:invalid|wrong|bad|incorrect|insecure|unsafe) (?:file )?permissions\b|\bpermissions?\b.{0,120}\b(?:should be|must be|too open)\b/i,
    ],
    but: /\bfor (?:table|schema|relation|database|sequence|function|user)\b/i,
  },
  {
    kind: 'unreachable',
    says: [
      /\bconnection ?(?:was )?refused|\beconnrefused\b|\bconnect call failed\b|\b(?:errno|os error) 111\b|\bconnect(?:ion)?\b.{0,40}\b(?:timed? ?out|timeout)\b|\betimedout\b|\bno route to host\b|\behostunreach\b|\bnetwork is unreachable\b/i,
      /\bno such host\b|\bname or service not known\b|\benotfound\b|\beai_again\b|\bunknownhostexception\b|\bcould not (?:resolve|translate) host\b|\btemporary failure in name resolution\b|\bname does not resolve\b|\bfailed to (?:resolve|lookup)\b(?! (?:placeholder|substitution|variable))|\bhost not found\b|\bserver misbehaving\b/i,
      /\b(?:cannot|can't|could not|couldn't|unable to|failed to|failure to)\b.{0,24}\b(?:connect|reach|dial)(?:ing|ion)?\b|\berror (?:while |when |on )?(?:connect|reach|dial)ing\b/i,
      /\b(?:pool timed out|i\/o timeout|no reachable servers|server selection (?:error|timeout|timed out)|all (?:the )?(?:connection )?(?:attempts|brokers) (?:failed|down)|communications link failure|connection (?:reset|closed|lost|aborted))\b/i,
    ],
  },
  {
    kind: 'setting',
    says: [
      /\b(?:unknown|unrecogni[sz]ed|unexpected|undefined|invalid|unsupported|illegal|no such|bad)\b.{0,20}\b(?:flag|flags|option|options|argument|arguments|parameter|switch|command[- ]line|subcommand|keyword|field|key|property|directive|setting|configuration|config|value|variant)\b/i,
      /\bfield \S{1,80} not found in type\b|\bmissing:? {1,4}\(?-{1,2}[a-z][\w-]{0,60}/i,
      /\b(?:could not|cannot|unable to|failed to) (?:resolve|bind|substitute)\b.{0,24}\b(?:placeholder|substitution|variable|propert(?:y|ies))\b|\bunknown type: /i,
      /\bports?\b.{0,24}\b(?:must be|out of range|not a number|not a valid|is not valid|is invalid)\b|\binvalid (?:\w{1,12} )?port\b|\bdirective\b.{0,80}\b(?:not terminated|not allowed|duplicate|invalid number of arguments)\b|\bflag provided but not defined\b|\bflag needs an argument\b|\b(?:flag|option|argument)s? (?:has been |is |are )?(?:removed|not recogni[sz]ed|required)\b/i,
      /\b(?:environment variables?|env(?:ironment)? ?vars?|variable|setting|configuration|config|option|flag|property|parameter|key|value)\b.{0,80}\b(?:not (?:set|defined|specified|provided|given|found|configured)|is (?:required|missing|undefined|empty|mandatory)|missing|must (?:be|not be) (?:set|specified|provided|defined|given|one of|a |an )|required|unset)\b/i,
      /\b(?:missing|required|must (?:set|specify|provide)|undefined|no value for)\b.{0,60}\b(?:environment variables?|env(?:ironment)? ?vars?|variable|setting|configuration|config|option|flag|property|parameter|key)\b/i,
      /\b(?:cannot|can't|could not|failed to|unable to|error)\b.{0,24}\b(?:pars(?:e|ing)|unmarshal\w{0,5}|decod(?:e|ing)|load(?:ing)?|read(?:ing)?)\b.{0,60}\b(?:config\w{0,12}|yaml|toml|json|settings?|properties)\b/i,
      /\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}\b.{0,40}\b(?:not set|is required|missing|must be set|undefined|is empty)\b|\bKeyError: ["'][A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}["']/,
    ],
  },
  {
    kind: 'missing-file',
    says: [
      /\bno such file or directory\b|\bjar manifest missing\b|\benoent\b|\bfilenotfound\w{0,12}\b|\bnosuchfileexception\b/i,
      /\b(?:cannot|can't|could not|unable to) (?:find|locate)\b.{0,24}\b(?:module|file|class|package|assembly|script)\b|\b(?:can't|cannot|could not) locate \S{1,200}\.p[lm] in\b|\bis not recogni[sz]ed as (?:the name of|an internal or external)\b|\bcould not load file or assembly\b/i,
      /\b(?:module|package|library|gem|crate) [`'"‘]?[\w.:/@-]{1,120}[`'"’]? not found\b|\bno package called\b|\b(?:modulenotfounderror|no module named|classnotfoundexception|noclassdeffounderror|could not find or load main class|cannot load such file)\b/i,
    ],
  },
];

/**
 * The kind of ending that a line names; `undefined` for any other. Reads at most its first 2,000 characters.
 */
export function endingOf(line: string): EndingKind | undefined {
  const text = withoutPlace(line);
  return rows.find(
    ({ says, and = [], but }) =>
      says.some((each) => each.test(text)) &&
      and.every((each) => each.test(text)) &&
      !(but?.test(text) ?? false),
  )?.kind;
}

/** Without the place in the code of the program, whose path is none that the program uses. */
function withoutPlace(line: string): string {
  return boundText(line, searched).replace(places, '');
}

const places =
  /\b(?:panicked )?at [^\s:]{1,300}(?::\d{1,7}){1,2}:?|\b(?:in|at) \/[^\s:]{1,300}(?::\d{1,7}|(?: on)? line \d{1,7})\b|^\S{1,300}:\d{1,7}(?=:in [`'])|(?<![^\s[(])\/[^\s:]{1,300}\.(?:go|rs|py|rb|[jt]s|java|cs?|cc|cpp|php|lua|exs?|nim):\d{1,7}:/g;

/** An absolute path in a line, without what surrounds it; `undefined` where there is none. */
export function pathIn(line: string): string | undefined {
  const found = /(?<![\w:/.])\/[\w.@+-]{1,120}(?:\/[\w.@+-]{1,120}){0,20}/.exec(withoutPlace(line));
  return found?.[0];
}
