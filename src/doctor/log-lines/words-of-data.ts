import type { EndingWords } from './words-of-systems.js';

/** A database in which the program has made nothing yet, or a change that nobody wrote a migration for. */
const notPrepared =
  /\b(?:database|db|schema)\b.{0,24}\bneeds? (?:bootstrapping|initiali[sz]ation|evolutions?|to be (?:bootstrapped|initiali[sz]ed|migrated))\b|\bpending (?:model )?changes\b.{0,80}\bmigrations?\b/i;

/** What is wrong with data, with their record of migrations, or with who else has them. */
export const dataEndings = {
  'changed-migration': {
    from: 'running',
    says: [
      /\b(?:migrations?|change ?sets?|change ?log)\b.{0,160}\b(?:check ?sum|md5sum|(?:was|been) (?:modified|changed|edited)|not resolved locally)\b/i,
      /\b(?:check ?sum|hash)\b.{0,60}\b(?:migrations?|change ?sets?)\b/i,
      /\bmigration\b.{0,80}\bpreviously applied\b.{0,40}\bmissing\b/i,
    ],
  },
  'database-lock': {
    from: 'running',
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
  'no-file-locks': {
    says: [
      /\bno locks available\b/i,
      /\benolck\b/i,
      /\block(?:ing)? protocol\b/i,
      /\b(?:flock|fcntl|lockf|file locks?|file locking)\b.{0,80}\b(?:not (?:supported|implemented)|unsupported|enotsup|enosys)\b/i,
    ],
    but: /\bby (?:the )?(?:current|same|this) (?:process|virtual machine)\b/i,
  },
  'held-elsewhere': {
    says: [
      /\b(?:f?lock(?:ed|file|ing)?|opened|in use|used|using|held|owned|running|acquired|open)\b.{0,60}\b(?:by |in |with )?(?:another|other|a different|some other|an?other running) (?:process|program|instance|server|application|container|pod|node|client|writer|jvm|thread|copy|user|\w{1,30} (?:instance|process|server))/i,
      /\banother (?:process|program|instance|server|application|writer|\w{1,30} (?:instance|process|server))\b.{0,60}\b(?:lock|locked|holds?|holding|using|uses|running|owns?|has|is|already|active|access)\b/i,
      /\b(?:already|still) (?:being )?(?:locked|in use by|opened by|used by|held|running (?:on|in|at|with) (?:the )?(?:same|this|data))\b/i,
      /\block ?files?\b.{0,24}\b(?:already )?(?:in use|locked|taken)\b/i,
      /\block (?:is )?already (?:open|taken|acquired)\b/i,
      /\block\b.{0,24}\bfail(?:ed|ure)\b/i,
      /\balready\b.{0,24}\binstance\b.{0,40}\brunning\b/i,
      /\binstance\b.{0,60}\balready running\b/i,
      /\b(?:server|process|daemon|service|program)\b.{0,24}\balready running\b/i,
      /\balready running\b.{0,24}\bpid\b/i,
      /\block\w{0,12}\b.{0,120}\b(?:resource temporarily unavailable|eagain|ewouldblock|would block|already exists|already held|is held|hold by|held by)\b/i,
      /\b(?:resource temporarily unavailable|eagain)\b.{0,80}\block/i,
      /\b(?:cannot|can't|could not|couldn't|unable to|failed to|not able to|error)\b.{0,40}\b(?:acquir(?:e|ing)|obtain(?:ing)?|get(?:ting)?|tak(?:e|ing)|set(?:ting)?|plac(?:e|ing)|creat(?:e|ing))\b.{0,40}\b(?:file ?|directory |exclusive |node |data |database |db |store )?lock(?:s|file)?\b/i,
      /\b(?:cannot|can't|could not|unable to|failed to)(?: exclusively)? lock\b/i,
      /\b(?:database|file|directory|store|index|environment|db) (?:is (?:already |currently |exclusively )?|already )(?:locked|in use)\b/i,
      /\bshared memory block\b.{0,60}\bin use\b/i,
      /\bmay be already in use\b/i,
      /\bconflicting lock\b/i,
      /\b(?:file|directory|environment|database|store|index|data)\b.{0,60}\b(?:cannot|can't|could not|couldn't) be (?:exclusively )?locked\b/i,
      /\block ?obtain ?failed/i,
      /\b(?:lmdb|mdb|lightning|leveldb|rocksdb|badger|bolt|bbolt|tsdb|sqlite|storage|database)\w{0,20}\b.{0,120}\b(?:resource temporarily unavailable|eagain)\b/i,
      /\b(?:open(?:ing)? \S{1,200}\.(?:db|bolt|bbolt|dat)"?|b?bolt(?:db)?(?: file)?): timeout\b/i,
      /\bopen(?:ing)? (?:the )?(?:database|db|store)(?: file)?: timeout$/i,
      /다른 (?:프로세스|프로그램|인스턴스|서버)(?:가|에서|에 의해) .{0,80}(?:사용하고 있|사용 중|잠갔|잠그고|점유)/,
    ],
    but: /\b(?:no space left|permission denied|read-only (?:file|fs|volume|mount)|no such file|not a directory|input\/output error|(?<!\bshared )memory|deadlock|row|tuple|relation|address already|(?<!\b(?:lock|serial) )port|(?<!\bor\b.{0,200}\bis )stale|by (?:the )?(?:current|same|this) (?:process|virtual machine)|advisory|change ?log|migrations?\b(?!.{0,200}\bdatabase is locked))\b/i,
  },
  'other-cluster': {
    from: 'running',
    says: [
      /\b(?:cluster|system|instance|replica ?set)[ _-]?(?:id|uuid|name|identifier)s?\b.{0,120}(?:\b(?:mismatch|differ(?:s|ent)?|(?:doesn't|does not|did not) match|(?:is )?not matching)\b|!=)/i,
      /\b(?:saved|stored|mismatched) cluster[ _-]?(?:id|uuid|name)\b.{0,80}(?:\bconfigured\b|!=|\bin request\b)/i,
      /\b(?:join|member of|part of|node of|belongs? to)\b.{0,24}\b(?:wrong|another|different)\b.{0,16}\bcluster\b/i,
      /\bbelongs? to cluster\b.{0,80}\bbut\b/i,
      // The configured identity of the program differs from the one in its data.
      /\b(?:configured|expected)\b.{0,60}(?:\b(?:doesn't|does not|did not) match|!=).{0,24}\bstored\b/i,
      /\bdiffers? from (?:the )?(?:previous|stored|saved|persisted|recorded)\b/i,
      /\b(?:invalid|incompatible|inconsistent) cluster[. _-]?ids?\b/i,
      /\bmember count\b.{0,24}\b(?:unequal|mismatch|differs?|not equal)\b/i,
      /\b(?:member|node|broker|peer|replica|voter|server)\b.{0,40}\b(?:removed|decommissioned|expelled|evicted|banned)\b.{0,24}\bfrom (?:the |this |its )?(?:cluster|group|ring|quorum)\b/i,
    ],
  },
  'data-version': {
    from: 'running',
    says: [
      /\b(?:data|database|files?|index|store|storage|cluster|directory|format|metadata|node|schema|rdb|wal|journal|snapshot|tablespace|featurecompatibilityversion)\b.{0,160}\b(?:incompatible|not compatible|newer (?:version|than)|older (?:version|than)|(?:was|were) (?:initiali[sz]ed|created|written|saved|last used|upgraded) (?:by|with|using|in)|(?:is|are) too (?:old|new) (?:for|to)|cannot be (?:(?:read|opened) (?:by|with|in)|upgraded)|unsupported (?:version|format))\b/i,
      /\b(?:incompatible|unsupported|unknown|invalid|unexpected|can't handle|cannot handle|wrong)\b.{0,60}\b(?:(?:data|database|file|index|store|storage|on-disk|rdb|format|featurecompatibility|metadata) ?(?:format )?version|version of (?:the )?(?:data|database|file|index|store)|featurecompatibilityversion)\b/i,
      /\b(?:cannot|can't|unable to|refus(?:e|ing) to|not possible to|not supported to|invalid) (?:downgrade|upgrade)\b/i,
      /\b(?:downgrad|upgrad)(?:e|ing)\b.{0,60}\b(?:not supported|not possible|not allowed|unsupported|cannot|is required|fail(?:ed|s)?)\b/i,
      /\bunknown\b.{0,24}\b(?:meta(?:data)?|format|header|index|schema|snapshot|journal|wal) version\b/i,
      /\b(?:database|schema)\b.{0,60}\b(?:is|was) (?:for|from|of) an? (?:newer|later|more recent|older)\b/i,
      /\b(?:data|database|directory|store|storage|format|index|files?)\b.{0,40}\bversion\b.{0,24}\bis (?:higher|newer|greater|later) than\b/i,
      /\bupgrade problem\b/i,
      /\bbefore (?:the )?(?:upgrad(?:e|ing)|updating)\b/i,
      // The record of migrations is ahead of what the program has.
      /\bno migrations? (?:found )?for (?:schema |database )?version\b/i,
      /\b(?:can't|cannot|could not|unable to|failed to) (?:locate|find|resolve) (?:the )?(?:revision|migration)\b/i,
    ],
    but: notPrepared,
  },
  'failed-migration': {
    from: 'running',
    // It was tried, and stands in the way of the others until somebody corrects the record of it.
    says: [
      /\bfailed migrations?\b/i,
      /\bmigrations?\b.{0,80}\b(?:fail(?:ed|s)?|dirty)\b/i,
      /\bdirty\b.{0,40}\b(?:migrations?|database version)\b/i,
    ],
    but: /\b(?:pending|unapplied|not yet (?:applied|run|executed))\b/i,
  },
  'not-migrated': {
    from: 'running',
    says: [
      /\bmigrations?\b.{0,80}\b(?:not (?:be |been |yet )?(?:applied|run|executed|found)|pending|unapplied|required|missing|need(?:s|ed)?|out of date|not up to date)\b/i,
      /\b(?:pending|unapplied|missing|outstanding|run|apply)\b.{0,40}\bmigrations?\b/i,
      /\bpendingmigration\w{0,12}\b/i,
      /스키마.{0,60}(?:낮|오래|이전 버전)|마이그레이션을? ?(?:먼저|실행|적용)(?:하세요|해야| ?필요)/,
      /\b(?:relation|table|column|view|index|schema) ["'`]?[\w.]{1,120}["'`]?.{0,40}\b(?:does not exist|doesn't exist|not found|is missing)\b/i,
      /\bno such (?:table|column)\b/i,
      /\b(?:database|schema)\b.{0,24}\b(?:doesn't|does not) have\b.{0,40}\btables?\b/i,
      /\bunknown column\b/i,
      /\binvalid object name\b/i,
      /\bundefined(?:table|column)\b/i,
      /\b(?:database|db) schema\b.{0,60}\b(?:mismatch|out of date|outdated|not up to date|behind|older|version)\b/i,
      /\bschema version\b.{0,160}\b(?:mismatch|too old|behind|less than|lower than|below|at least)\b/i,
      /\b(?:requires?|expects?|needs?)\b.{0,40}\b(?:db|database|schema) version\b.{0,60}\bbut\b/i,
      /\b(?:need|have|must) (?:to )?(?:first )?initiali[sz]e the (?:database|db|schema)\b/i,
      notPrepared,
      /\bto migrate, run\b/i,
    ],
  },
  'damaged-file': {
    from: 'running',
    says: [
      /\b(?:corrupt(?:ed|ion|ions)?|corrupts|input\/output error)\b/i,
      /\b(?:checksum|crc|hash)\b.{0,30}\b(?:mismatch|error|fail(?:ed|ure)?|invalid|incorrect|does not match|not match)\b/i,
      /\b(?:disk image is malformed|not a database|bad magic|invalid magic|magic number|invalid page|torn page|unexpected end of (?:file|archive|data|zlib)|bad ?zip ?file|not a zip file|truncated (?:file|archive|record|wal|page))\b/i,
      /\bfile is not an? \S{1,20} (?:file|database|archive|image)\b/i,
      // A log of values or changes of which the end has to be cut off.
      /\b(?:value|write-ahead|redo|change|commit) ?log truncat(?:e|ion) (?:is )?(?:required|needed|necessary)\b/i,
      // A file that ends too early; one of settings is a matter of the settings.
      /^(?!.{0,500}(?:\/etc\/|conf|settings)).{0,500}(?<![\w:/.])\/[\w.@+-]{1,120}(?:\/[\w.@+-]{1,120}){0,20}["']?: .{0,80}\bunexpected (?:end of json input|eof)\b/i,
      // A file of Rust's that ends too early; a connection may end so too.
      /\b(?:wal|segment|file|storage|snapshot|index|shard|journal)\b.{0,200}\bfailed to fill whole buffer\b/i,
      /\bcould not locate a valid checkpoint\b/i,
      /\binvalid (?:primary )?checkpoint\b/i,
      /\bbad file (?:format|header)\b/i,
      /\b(?:could not|cannot|can't|unable to|failed to) (?:read|parse|decode)\b.{0,40}\b(?:descriptor|header|footer|trailer|superblock|checkpoint|magic)\b.{0,24}\b(?:in|of|from) (?:the )?(?:file|log|segment|journal)\b/i,
      /\binconsistenc(?:y|ies) (?:was |were |has been )?(?:detected|found)\b/i,
      /(?:파일|저널|데이터|인덱스|색인|블록|세그먼트).{0,40}(?:손상|깨졌)/,
      /\bbroken (?:data )?(?:parts|segments|chunks|blocks|pages|files)\b/i,
    ],
  },
} as const satisfies Readonly<Record<string, EndingWords>>;
