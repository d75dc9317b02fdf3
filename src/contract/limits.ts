/**
 * Every bound of the service, with its number and its source. A queue, cache, loop or timeout takes its bound
 * from here or from the configuration.
 */

const KiB = 1024;
const MiB = 1024 * KiB;

/** spec: Request size. The cap if `GATEWAY_MAX_BODY_SIZE` is unset. */
export const bodyBytesMaxDefault = 25 * MiB;
/** The largest cap an operator may set; one contiguous buffer must hold it. */
export const bodyBytesMaxCeiling = 1024 * MiB;
/** spec: Request size, dashboard API. */
export const keysApiBodyBytesMax = 10 * MiB;
/** design: Intake. Bodies up to this size need no reservation in the byte budget. */
export const bodyBytesUnreserved = 64 * KiB;
/** design: Intake. From this size on a body is in shared memory, so that a worker reads it in place. */
export const bodyBytesShared = 128 * KiB;
/** Bytes of larger request bodies that one turn of the loop checks for being JSON: about a millisecond. */
export const bodyBytesLookedAtPerTurn = 512 * KiB;
/** Bytes of complete bodies that one turn copies or reads, all bodies together: about a millisecond too … */
export const bodyBytesWorkedOnPerTurn = 512 * KiB;
/** … in steps of this size. */
export const bodyBytesPerStep = 256 * KiB;
/**
 * Request bodies and buffered answers in flight, all together: four bodies of 100 MB, or one of the largest
 * cap.
 */
export const bodyBudgetBytes = 512 * MiB;
/** Bodies that wait for the byte budget, first come first served; one more is answered 503. */
export const bodyBudgetWaitersMax = 256;
/** How long a body waits for the byte budget before it is answered 503. */
export const bodyBudgetWaitMsMax = 10_000;
/** How long a client may take no bytes in the middle of an answer before it is cut. */
export const clientStallMsMax = 120_000;
/**
 * If a request is answered before its body has ended, and its connection will be closed, the rest of the body
 * is read first, up to this many bytes. That is over twice the cap of the hosted gateway. A client that reads
 * while it sends needs none of it.
 */
export const lingerBytesMax = 256 * MiB;
/**
 * The longest total time of that reading, and the longest pause in it. Apache's httpd uses the same times.
 */
export const lingerMsMax = 30_000;
export const lingerIdleMsMax = 2_000;
/** uWS cuts a client that takes nothing for 10 s. To wait longer, its clock is restarted this often. */
export const clientStallCheckMs = 4_000;

/** The value of `UWS_HTTP_MAX_HEADERS_SIZE`. Without it, uWS caps headers at 4 KiB. */
export const requestHeadersBytesMax = 16 * KiB;

/** JSON nesting in a request body. Provider schemas need less than 20; tool schemas may nest. */
export const jsonDepthMax = 128;
/** Top-level members of a request body. Provider schemas define fewer than 60. */
export const jsonTopLevelMembersMax = 1_024;
/** Bytes of a top-level member's key whose name is decoded; the names that Weir acts on need 126. */
export const jsonMemberNameBytesMax = 256;
/** Bytes of one JSON number; no double needs more than 800. */
export const jsonNumberBytesMax = 4 * KiB;

/** Keys held in the in-memory snapshot. */
export const keysMax = 1_000_000;
/** spec: Authentication 3, design section 7: the oldest key snapshot that may still answer. */
export const keySnapshotAgeMsMax = 60_000;
/** How often the key snapshot is checked against the store. */
export const keySnapshotCheckMs = 5_000;
/** The longest service key that is looked up; a longer text is no key. Weir's keys have 54 characters. */
export const keySecretCharsMax = 128;
/** Rows in one page of a list of the keys API … */
export const keysPageMax = 1_000;
/** … and the number if the request names no `limit`. */
export const keysPageDefault = 100;
/** A page of any list ends after the row with which it reaches about this size, so one turn can answer it. */
export const listPageBytesMin = 1 * MiB;
/** Rows that are read and written as JSON in one step. The largest have some 100 KiB … */
export const listRowsPerStep = 8;
/** … and the cost of one row besides its bytes: a row of 450 bytes takes 10 µs, one of 64 KB 200 µs. */
export const listRowCost = 2 * KiB;
/**
 * Bytes of JSON, plus `listRowCost` for each row, before other work gets its turn: one to two milliseconds.
 */
export const listCostPerTurn = 256 * KiB;
/**
 * Keys that a search reads in one step, and the cost of each besides its bytes: it takes 4 µs, and a row that is
 * shown 10.
 */
export const keysReadPerStep = 64;
export const keyReadCost = 1 * KiB;
/** A page of a search in the order of creation ends after so many keys, also if few were found: about 0.1 s. */
export const keysReadPerPage = 20_000;
/** Rows of a download that are made in one step … */
export const downloadRowsPerStep = 64;
/** … and the cost of such a step besides its bytes. */
export const downloadStepCost = downloadRowsPerStep * listRowCost;
/** How often the times at which keys were last used are written. */
export const keyUsesWriteMs = 60_000;
/** Characters of a text by which keys are searched: as many as an id has. */
export const keySearchCharsMax = 128;
/** Keys in one transaction of those times; each key costs the loop a microsecond or two. */
export const keyUsesPerWrite = 256;
/** design section 7, Keys: the longest grace period of a rotated secret, seconds. */
export const keyGraceSecondsMax = 604_800;
/** The longest id that is looked up. Weir's ids have under 50 characters, names of accounts 64. */
export const idCharsMax = 128;
/**
 * The longest name of a model, including its provider's prefix. A record is kept for good and holds no more
 * of a name.
 */
export const modelCharsMax = 384;
/** A name or label in the keys API, characters. */
export const nameCharsMax = 128;
/** The largest `rateLimit`, in requests per minute. It is more than one process can serve. */
export const rateLimitMax = 1_000_000;
/** Models that a key may be restricted to. */
export const allowedModelsMax = 1_024;
/** Days that an organization's readable content may be kept; ten years. */
export const retentionDaysMax = 3_650;
/** Organizations held in memory. */
export const organizationsMax = 100_000;
/** Usage limits held in memory. */
export const usageLimitsMax = 200_000;
/** Usage limits of one key, or of one organization as a whole; each request checks all of them. */
export const usageLimitsPerScopeMax = 32;
/** Security policies of one organization; one may hold 100 KB. */
export const policiesPerOrganizationMax = 100;
/** Address space first reserved for the store. Nothing is allocated; lmdb maps more when it is full. */
export const storeMapBytes = 16 * 1024 * MiB;
/** Below this free disk space the store writes nothing. It is more than one transaction needs. */
export const storeFreeBytesMin = 16 * MiB;
/** Changes of managed resources that wait for the writing thread; one more is refused. */
export const storeChangesWaitingMax = 1_024;
/** How long a backup waits until a gateway's store has what its journal had at the start … */
export const backupStoreWaitMsMax = 30_000;
/** … and how often it looks. */
export const backupStorePollMs = 20;
/** Named databases in the store; each costs a slot in every transaction. */
export const storeDatabasesMax = 64;

/** The configuration file: thousands of models take less than 1 MiB. */
export const configurationBytesMax = 4 * MiB;
/** Accounts in the configuration file. */
export const providerAccountsMax = 256;
/** Models of one account; the largest public catalogs list under a thousand. */
export const accountModelsMax = 4_096;
/** The longest timeout that an account may set: one hour. */
export const timeoutMsCeiling = 3_600_000;
/** Scan workers that an operator may ask for. */
export const scanWorkersMax = 256;
/** Proxy threads that an operator may ask for. */
export const proxyThreadsMax = 64;
/** How long a proxy thread's messages wait for more, if nothing waits for them. */
export const proxyThreadPostMs = 5;
/** A proxy thread that does not answer the main thread for this long counts as dead … */
export const proxyThreadAnswerMsMax = 30_000;
/** … and it is asked this often if there is no other question. */
export const proxyThreadBeatMs = 10_000;
/** How long a proxy thread that has closed everything may take to end by itself. */
export const proxyThreadExitMsMax = 2_000;
/** design section 7, Scan numbers: scans a minute per workspace. */
export const scanRequestsPerMinuteDefault = 600;
/** Token counts a minute of a key without a rate limit. Claude Code asks 40 to 50 times at its start. */
export const tokenCountsPerMinuteDefault = 600;

/** Scans that wait for a worker; one more is answered 503 `detector_unavailable`. */
export const scanQueueMax = 4_096;
/** Bytes of bodies that wait for a worker. They are already counted in the body budget if large. */
export const scanQueueBytesMax = 256 * MiB;
/** Scans that travel to a worker as one task. */
export const scanBatchMax = 32;
/** Bytes of small bodies that travel as one task. */
export const scanBatchBytesMax = 512 * KiB;
/** How long one task may run in a worker before its thread is replaced and its scans answered 503. */
export const scanTaskMsMax = 30_000;
/**
 * Heap of a thread that serves no requests itself, MB. A scan keeps a few pieces of text, whatever the size
 * of the body, and a batch of the journal has at most `journalPendingBytesMax`.
 */
export const workerHeapMegabytesMax = 512;
/**
 * Young generation of a thread that serves no requests itself, MB. V8 takes a third of it for each of its two
 * halves. With the process's own setting (`--min-semi-space-size`), every thread would in the end hold 32 MB;
 * a thread that allocates little would do so after an hour.
 */
export const workerYoungMegabytesMax = 12;
/**
 * How often such a thread collects its garbage even if it need not. Each time takes 4 to 12 ms (measured
 * on a quiet gateway).
 */
export const quietThreadCollectMs = 300_000;
/** Text that is scored for injection at once; longer text is cut into pieces that overlap. */
export const injectionTextBytesMax = 16 * KiB;
/** A text shorter than this is scored together with the next message's or tool's. */
export const injectionTextBytesMin = 64;
/** The longest label of a text's place in a refusal and its headers. */
export const placeLabelBytesMax = 200;
/** How far two such pieces overlap: more than a window of the detector. */
export const injectionTextOverlapBytes = 1 * KiB;
/** Scores and token counts of texts that one worker remembers; 32 bytes each, taken at the start. */
export const rememberedTextsMax = 65_536;
/** Texts from this length on are remembered; shorter ones are scored in the time of their hash. */
export const rememberedTextBytesMin = 512;
/** Scores of request bodies that one proxy thread remembers; 32 bytes each, taken at the start. */
export const rememberedBodiesMax = 16_384;
/**
 * Longer bodies are always scanned: they are seldom sent twice, and their hash would block the loop.
 */
export const rememberedBodyBytesMax = 8 * KiB;
/**
 * A run of letters, signs or spaces that is tokenized whole. The tokenizer's time is quadratic in its length.
 */
export const tokenRunCharsMax = 256;
/** Merged words that one worker's tokenizer remembers; each is at most such a run. */
export const tokenMergeCacheMax = 10_000;
/** Text in which names are searched at once, UTF-16 units. Neighbours outside it count as absent. */
export const nameWindowUnits = 8_192;
/** The largest distance between a value and a keyword of its detector. */
export const entityKeywordReachBytes = 128;
/** The largest distance between a value and its context words: 60 characters of three bytes. */
export const entityContextReachBytes = 180;
/** The largest distance from a match's beginning to its keyword's; the longest host name has 253. */
export const entityKeywordOffsetBytesMax = 256;
/**
 * The part of a text that is searched at first after the beginning of an unbounded match: addresses and
 * numbers are short, tokens and keys are not.
 */
export const entityMatchBytesExpectedMax = { pii: 512, phi: 512, credential: 4 * KiB } as const;
/** A match of a pattern without keywords must end within this length. */
export const entityUnkeyedMatchBytesMax = 256;
/** The longest entity; a private key of 16,384 bits fits. A longer one is cut. */
export const entityMatchBytesMax = 64 * KiB;
/** Text that one call of RE2 searches, besides one match that begins in it. */
export const entityWindowBytes = 64 * KiB;
/**
 * Text that a set of patterns searches at once. The few patterns that it finds are searched in the same text.
 */
export const entityCandidateWindowBytes = 2 * KiB;
/** Memory of the automaton of one set of patterns, five a worker. */
export const entityCandidateMemoryBytesMax = 16 * MiB;
/** spec: Scan limits. Serialized content of one scan (design section 7). */
export const scanContentBytesMaxDefault = 4 * MiB;
/** spec: Scan limits, Custom pattern object. */
export const customPatternsMax = 50;
export const customPatternNameCharsMax = 64;
export const customPatternRegexCharsMax = 512;
export const redactionTokenCharsMax = 64;
/** spec: Scan-specific codes. Errors of custom patterns that are listed; the others are counted. */
export const customPatternErrorsMax = 10;
/** spec: Scan limits. Matches of one pattern in one content part. */
export const customPatternMatchesMax = 1_000;
/** spec: Scan limits. Findings of custom patterns in one scan. */
export const customPatternFindingsMax = 5_000;
/** design section 8, re2: text that one call of RE2 sees for a custom pattern. */
export const customPatternWindowBytes = 16 * KiB;
/** How far those windows overlap; a longer match may be found in pieces. */
export const customPatternMatchBytesMax = 4 * KiB;
/**
 * JSON of one list in a scan's report. Each finding and each row repeats its whole location. So without a
 * bound a report grows with the length of a key times the number of values below it. The bound is the
 * length of the longest content.
 */
export const reportListBytesMax = 4 * MiB;
/** Time that the custom patterns of one scan may take; then 503 `detector_unavailable`. */
export const customPatternMsMax = 1_000;
/** Compiled custom patterns, one cache a worker; one may hold 3 MB, most hold a few KB. */
export const customPatternCacheMax = 128;

/** A worker frees shared memory from this size on at once, not only when its heap has grown. */
export const sharedBytesCollected = 1 * MiB;

/** Shared memory of request bodies that may be garbage before the main thread collects it. */
export const sharedBytesPerCollection = 64 * MiB;

/**
 * Header lines of one part of a multipart body. A part with more is scanned as text, independent of its
 * type.
 */
export const multipartHeadBytesMax = 8 * KiB;
/**
 * Delimiters of a multipart body that the loop checks, one more than its parts. Other servers accept as many.
 */
export const multipartDelimitersMax = 1_000;
/** spec: `control_plane_busy`. Reads of providers' settings at once. */
export const controlPlaneReadsMax = 32;
/** Paths of the control plane that a configuration may list. */
export const controlPlanePathsMax = 64;
/** Connections to one upstream origin. */
export const upstreamConnectionsMax = 4_096;
/** Idle upstream connections kept to one origin. */
export const upstreamIdleConnectionsMax = 512;
/** An idle upstream connection is closed after this time, unless the provider names another one. */
export const upstreamKeepAliveMs = 15_000;
/** The longest idle time that a provider can name. */
export const upstreamKeepAliveMsMax = 600_000;
/** How often the deadlines of upstream connections are looked at. */
export const upstreamSweepMs = 100;
/** One read of an upstream connection. The memory for it is shared by all connections of a thread. */
export const upstreamReadBytesMax = 64 * 1024;
/** The head of a provider's response, and the trailer of a chunked one. */
export const upstreamHeadBytesMax = 64 * 1024;
/** Headers in a provider's response. */
export const upstreamHeadersMax = 1_000;
/** Interim responses (1xx) before the answer. */
export const upstreamInterimMax = 16;
/** The most bytes of chunk extensions: the text behind the size in the line of a chunk. */
export const upstreamChunkLineBytesMax = 4 * 1024;
/** Spellings of caller-named upstreams whose check is remembered. Each is at most as long as a header. */
export const checkedUpstreamsMax = 256;
/**
 * Upstream origins remembered at once, this many of the operator's and this many of the callers'. The least
 * recently used idle one makes room for a new one of its kind.
 */
export const upstreamOriginsMax = 1_024;
/** How long a provider may keep the response of a stream open after its terminal event. */
export const upstreamEndMsMax = 1_000;
/**
 * Default of a provider account's `responseBytesMax`: the longest answer that is buffered whole, JSON or an
 * error.
 */
export const responseBytesMaxDefault = 64 * MiB;
/** Defaults of a provider account's `timeoutsMs`. */
export const connectTimeoutMsDefault = 5_000;
export const headersTimeoutMsDefault = 120_000;
export const idleTimeoutMsDefault = 300_000;
/**
 * With own keys: the official SDKs wait ten minutes for an answer. If a gateway gives up earlier, they try
 * again, at their user's cost.
 */
export const byokHeadersTimeoutMs = 600_000;
/** Bounds of a model's `priority` and `weight` in a pool. */
export const poolPriorityMax = 100;
export const poolWeightMax = 1_000;
/** Accounts tried for one request. */
export const attemptsMax = 4;

/** Circuit breaker: failures are counted over this sliding window … */
export const circuitWindowMs = 30_000;
/** … it opens at this many calls in the window … */
export const circuitCallsMin = 10;
/** … of which at least this share failed … */
export const circuitFailureShare = 0.5;
/** … and lets one probe through after this long. */
export const circuitOpenMs = 10_000;

/** SIGTERM: how long open exchanges may go on before the process ends them. */
export const drainMsMax = 600_000;
/**
 * A signal that follows the first within this time is the same wish to stop. The reason is that `npm start`
 * passes on a signal that its process group also got, which takes a while on a busy machine. A person who
 * sends a second signal does so later.
 */
export const signalRepeatMsMax = 2_000;
/** … and how long the exchanges that were then cut may take until they are settled and recorded. */
export const cutSettleMsMax = 5_000;
/** Names that `no_route` suggests. */
export const suggestedModelsMax = 5;
/** The number of them in the message, which is a line on a terminal. */
export const suggestedInMessageMax = 3;
/** The longest name that a message repeats. */
export const nameShownCharsMax = 100;
/**
 * How long one scan searches for entities. Detectors that have not run by then are reported as degraded. The
 * slowest known text, numbers that are nearly telephone numbers, takes 0.4 s per MB.
 */
export const entityTimeMsMax = 2_000;
/**
 * A scan request without its target: 50 patterns with 640 characters in all three strings, each character
 * escaped as two surrogates, which are 12 bytes, with room to spare.
 */
export const scanOptionsBytesMax = 512 * KiB;
/** After this long the thread of the custom patterns is replaced: a call of RE2 can't be stopped. */
export const customPatternTaskMsMax = 10_000;
/** Scans with custom patterns that wait for their thread; one more is answered 503. */
export const customPatternQueueMax = 64;
/**
 * A stream holds back matches of one pattern up to this many characters. For longer matches it holds the
 * block.
 */
export const policyMatchCharsMax = 4_096;
/** Matches in one text on which a policy decides. If there are more, the text is blocked. */
export const policyMatchesMax = 50_000;
/**
 * A text that a pattern without a bound searches at once, which can't be interrupted. A longer text is
 * blocked.
 */
export const policyWholeTextBytesMax = 1 * MiB;
/** How long a policy's rules may search one text. After that there is no verdict. */
export const policyTimeMsMax = 2_000;
/** How long one task of the policy threads may run. After that its thread is replaced. */
export const policyTaskMsMax = 10_000;
/** How long a task waits for a policy thread: as long as five tasks that use all the time of their texts. */
export const policyWaitMsMax = 10_000;
/** Requests, answers and steps of streams that wait for a thread for policies. */
export const policyQueueMax = 1_024;
/**
 * Text of one block of a stream that waits for its end, UTF-16 code units. A longer block stops the stream.
 */
export const policyBufferedTextUnitsMax = 256 * KiB;
/** Texts in one event of a stream under rules. An event with more can't be read. */
export const policyEventTextsMax = 1_024;
/**
 * Texts of one stream that may continue at once: choices, their reasoning, their tool calls. More stop the
 * stream.
 */
export const policyOpenTextsMax = 1_024;
/** Bytes of one stream's events that wait for a rule's verdict. More stop the stream. */
export const policyBufferedBytesMax = 4 * MiB;
/** Bytes of one stream's events that wait for a thread. Beyond it the provider is paused. */
export const policyUnsearchedBytesMax = 256 * KiB;
/** One event of a stream under rules. A longer one can't be read. */
export const policyEventBytesMax = 1 * MiB;
/**
 * The shortest match of a custom pattern that is redacted. A shorter one blocks (spec: Custom pattern
 * object).
 */
export const redactedCharsMin = 3;

/** design section 5, Durability: a crash can lose this much of the changes that no answer waited for. */
export const journalFlushMs = 50;
/**
 * A flush that takes longer counts as failed until it ends. By then the answers that wait for it are sent
 * without their promise (`settlementFlushWaitMsMax`).
 */
export const journalFlushMsMax = 2_000;
/** How soon a flush that failed is tried again. */
export const journalRetryMs = 1_000;

/**
 * A flush writes about so much at once: some thousand requests. While a shared store is away far more gathers, and a flush
 * that takes longer than `sharedQueryMsMax` would never end.
 */
export const journalBatchBytes = 2 * MiB;

/** A PostgreSQL that gives no answer for so long counts as gone. */
export const sharedQueryMsMax = 10_000;
export const sharedConnectMsMax = 3_000;
/** How soon a broken connection to it is made again. */
export const sharedReconnectMs = 250;
/** A gateway that has nothing to write still tells this often that it lives. */
export const sharedBeatMs = 5_000;
/** After it sent its last acknowledged flush, a gateway may act on what it knows for so long. */
export const sharedLeaseMs = 20_000;
/** A gateway whose flushes stand still for so long is taken for dead by the others. */
export const sharedFenceMs = 30_000;
/** How long a start waits for another gateway to show the keys of the first start, or to be taken for dead. */
export const sharedFirstRunMsMax = sharedFenceMs + 2 * sharedBeatMs;
/** How long a start that has failed tries to tell the others that it is gone. */
export const sharedLeaveMsMax = 3_000;
/** How often one of the gateways removes limits that count nothing any more, and how many of each kind at once. */
export const sharedSweepMs = 60_000;
export const sharedSweptMax = 10_000;
/** If a limit has nothing free, other gateways return what they don't use: when it is asked again … */
export const grantWaitsMs = [20, 80, 150] as const;
/** … and how long requests are refused without a question after that. */
export const grantScarceMs = 500;
/** Questions of one request; it has three windows at most, and requests of other threads may be faster. */
export const grantTriesMax = 16;
/** Requests that wait for one limit at once; one more is refused. */
export const grantWaitersMax = 4_096;
/** How often parts of limits that are not used are looked for … */
export const limitLookMs = 250;
/** … how many limits are looked at then, and how many slots whether they are free: two milliseconds. */
export const limitsLookedAtMax = 2_048;
export const limitSlotsLookedAt = 256;
/** How often runs of the log get their places, and are followed. */
export const sharedFollowMs = 250;
/** Runs, and bytes of them, that a copy takes in at once. */
export const sharedRunsAtOnce = 256;
export const sharedRunBytesAtOnce = 4 * MiB;
/** Changes of the configuration that a copy takes in at once. */
export const sharedChangesAtOnce = 100;
/** A change of the configuration that others were faster than is made anew so often. */
export const sharedChangeTriesMax = 20;
/** What a gateway was granted and does not use for so long goes back. */
export const sharedIdleMs = 1_000;
/** A move into a shared store makes runs of about so many events and bytes, and tells of its progress this often. */
export const movedRunEvents = 1_024;
export const movedRunBytes = 1 * MiB;
export const movedProgressMs = 5_000;
/** How long PostgreSQL may take for one statement of an operator's command: a move counts all rows at its end. */
export const operatorQueryMsMax = 3_600_000;
/** Runs of a shared store's log that such a command gives their places at once. */
export const operatorRunsAtOnce = 10_000;
/** How long the answer to a change waits until every gateway acts on it. A dead one is fenced meanwhile. */
export const sharedInForceMsMax = 60_000;
/**
 * Flushed batches are written into LMDB this much later, or once they have this size in memory, or when a
 * caller wants to read them. A transaction for each flush would take most of the CPU of a paid request.
 */
export const journalApplyMs = 100;
export const journalApplyBytes = 1 * MiB;
/** Bytes of records that one transaction of LMDB applies: some 20 ms of the writing thread. */
export const journalAppliedAtOnceBytes = 1 * MiB;
/** The journal's file: a second of many flushes. If LMDB is further behind, flushes wait for it. */
export const journalFileBytes = 8 * MiB;
/** The longest record of that file; a larger batch is one transaction of LMDB. */
export const journalRecordBytesMax = 1 * MiB;
/** Events and changes that wait for a flush. Beyond it no new request is served. */
export const journalPendingBytesMax = 64 * MiB;
/**
 * Submissions of batch jobs that wait for a flush; one more is answered 500. One workspace may have as many.
 */
export const journalPayloadBytesMax = 256 * MiB;
/** Characters of log lines that are written together … */
export const logWrittenCharactersMax = 64 * KiB;
/** … and how long a line waits for others. */
export const logGatherMs = 100;
/** Bytes of packed log lines that wait, for an output that takes none; more are dropped … */
export const logRingBytes = 4 * MiB;
/** … how soon it is tried again … */
export const logRetryMs = 100;
/** … and for how long the end of the process tries: a supervisor waits for it. */
export const logFlushMsMax = 1_000;
/** Memory for packed records that is kept from one to the next; two kept bodies fit. */
export const packedBytesKeptMax = 256 * KiB;
/** How long a stopping gateway tries to write the rest of the journal. */
export const journalCloseWaitMsMax = 10_000;
/**
 * How long an answer waits for its debit to be durable. After that it is sent without the promise
 * that the debit is durable.
 */
export const settlementFlushWaitMsMax = 2_000;
/** Digits before the point of an amount in US dollars. No balance reaches a trillion. */
export const usdWholeDigitsMax = 12;
/** US dollars on one account: a trillion. The 64 bits of micro-dollars have room for nine trillion. */
export const balanceUsdMax = 1_000_000_000_000;
/** Tokens in one count of a usage object. If a count is larger, the object is ignored. */
export const usageTokensMax = 1_000_000_000;
/** The largest cost that a provider may report for one request, US dollars. A larger one is ignored. */
export const reportedCostUsdMax = 100_000;
/** The `n` of a request; the providers allow 128 or less. */
export const choicesMax = 128;
/** Lookups of prices that are remembered; models come from accounts, of which there are fewer. */
export const priceLookupsMax = 8_192;
/** How long one request may last at most: its hold covers prices that take effect in that time. */
export const requestMsMax = 24 * 3_600_000;
/** Bytes of one SSE event in which a usage object is looked for. */
export const usageEventBytesMax = 1 * MiB;
/** design section 5: live holds of one workspace; one more is answered `payg_busy`. */
export const holdsPerOrganizationMax = 1_000;
/** How long a hold lasts without being renewed. */
export const holdLeaseMs = 60_000;
/** How often leases are checked, and debts are tried again. */
export const ledgerSweepMs = 15_000;
/** Debts that one turn reads and tries to debit: about two milliseconds … */
export const recoveryDebtsPerTurn = 64;
/**
 * … and how many debts of one organization are tried before other organizations get a turn. A top-up's
 * answer waits for this many.
 */
export const recoveryDebtsPerSlice = 16 * recoveryDebtsPerTurn;
/** Organizations whose debts one sweep of a shared store's books debits. */
export const recoveryOrgsPerSweep = 16;
/** Organizations with debts that one turn checks. */
export const recoveryDebtorsPerTurn = 1_024;
/** Debts of an older release that are in memory at once while they are sorted. */
export const debtsPerMigrationStep = 4_096;
/** Refused entries that one turn takes back; there should be none. */
export const refusedEntriesPerTurn = 64;
/** Ledger entries in one page of a list. */
export const ledgerPageMax = 1_000;
/** spec: Balance refusals 2. About how long a request holds its worst case. */
export const paygRetryAfterSeconds = 2;
/**
 * The longest `Retry-After` of a refusal for which a retry is useless. Codex, opencode and Qwen Code sleep
 * for that time, even a day, and tell their user nothing.
 */
export const vainRetryAfterSecondsMax = 120;

/** design section 7, Tags. Of one request; names and values have 64 characters at most. */
export const tagsMax = 8;
/** Threads that may attach to one table of shared slots over its life; each has a spare cell in it. */
export const slotTableThreadsMax = proxyThreadsMax;
/**
 * Tries of one change in shared memory; beyond it the request is refused. A try fails only if another
 * thread's change, of the same 0.2 µs, has succeeded. So two failures in a row are already rare.
 */
export const slotChangeTriesMax = 1_000;
/**
 * Tries for the lock of such a table, which only new ids need; beyond it the request is refused. All tries
 * take 20 to 100 µs. The lock is held for about 1 µs, unless its thread is suspended.
 */
export const tableLockTriesMax = 2_000;
/** Places of shared slots that a thread remembers, twice; some 150 bytes each. */
export const sharedSlotCacheMax = 16_384;
/** Service tiers of one configured price; providers have three or four. */
export const serviceTiersMax = 16;
/** The name of a tier in a record; a longer one of a provider is not kept. */
export const serviceTierCharsMax = 64;
/** Long-context thresholds of one configured price; providers have one. */
export const longContextTiersMax = 8;
/** spec: Rate limits 1. The sliding window … */
export const rateWindowMs = 60_000;
/** … its buckets. A refusal may last this much longer than an exact one. */
export const rateBucketMs = 250;
export const rateBuckets = rateWindowMs / rateBucketMs;
/** Keys, organizations and workspaces that are active in one minute; 1 KB each once used. */
export const rateWindowSlots = 65_536;
/** Addresses that are counted at once for keyless passthrough; one more is refused. */
export const passthroughWindowSlots = 16_384;
/** spec: Rate limits 4. Requests of one address in 60 seconds. */
export const passthroughRequestsPerWindow = 100;
/** How often windows are written to the store. */
export const windowFlushMs = 1_000;
/** Windows without a count for this long may make room: a rate window is empty by then. */
export const windowIdleMs = 61_000;
/** Usage windows that are checked for being empty at each `windowFlushMs`: under a millisecond. */
export const windowsLookedAtOnce = 1_024;
/** Counts of usage limits are gathered for this long before they are added to their windows' rows … */
export const usageFoldMs = 1_000;
/** … or until they take this many characters: some 9,000 counts, at most 0.1 s of the journal's thread. */
export const usageLogCharactersMax = 512 * KiB;
/** Idle windows of callers that one flush removes: under a millisecond. */
export const windowsReclaimedPerFlush = 1_024;
/** Windows that one change writes, so that the loop is free after a few milliseconds. */
export const windowRowsPerWrite = 256;
/** How long a change waits for the journal; then it is written once more with the next one. */
export const windowWriteWaitMsMax = 5_000;
/** Organizations with a prepaid account: each may have one; 80 bytes each. */
export const accountsMax = organizationsMax;
/** spec: Usage limit. The rolling windows; a month is 30 days. */
export const usageWindowMs = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
} as const;
/** Buckets of each window. A refusal lasts at most one bucket longer than an exact one. */
export const usageWindowBuckets = 120;
/** Windows that count at once: every usage limit, and budgets of organizations and teams. */
export const usageWindowSlots = 262_144;
/** The wait that a refusal names if only requests in flight stand in the way. */
export const usageWindowRetryMs = 1_000;
/** Output tokens that a usage limit expects of a request without a cap of its own. */
export const outputTokensAssumed = 4_096;
/**
 * The default path on the gateway. A key that was refused may still call it, and it shows the balance.
 */
export const billingPathDefault = "/v1/me";
/** The default path on the dashboard, which shows the balance to whoever signs in. */
export const dashboardBillingPath = "/billing";
/** Balances below it are counted in the metrics. */
export const lowBalanceUsdDefault = "1.00";
/** Months that a list of a ledger's months shows. */
export const ledgerMonthsMax = 120;

/** A message of the Model Context Protocol without its params, and its params without a tool's arguments. */
export const mcpMessageBytesMax = 64 * KiB;
/** How long a client of the Model Context Protocol may remember the list of tools. */
export const mcpListTtlMs = 3_600_000;
/** The gateway signs a checkpoint of the audit log after this many new events. */
export const checkpointEventsMax = 1_000;
/** If there are new events, it also signs a checkpoint after this time. */
export const checkpointMsMax = 60_000;
/** Audit events that one page of a list examines; the next page continues after them. */
export const auditPageScannedMax = 50_000;
/** Audit events that one step of a page examines; other work gets its turn between steps. */
export const auditTurnScannedMax = 4_096;
/** The cost of one examined event, so that one such step uses up `listCostPerTurn`. */
export const auditScannedCost = listCostPerTurn / auditTurnScannedMax;
/** Audit events that match and that one step returns. Neighbours are in one row and are read together. */
export const auditRowsPerStep = 64;
/** Audit events in one row of the store. */
export const auditRowEventsMax = 256;
/** Blocks of audit events whose times one turn compares with a time filter: about 2 ms. */
export const auditTimesLooksMax = 1_024;
/** Events of an older release whose times one transaction indexes: about 15 ms of the writing thread. */
export const auditTimesStepEvents = 4_096;
/** The pause between two such transactions, so that the index takes a small part of the thread's time. */
export const auditTimesStepMs = 100;
/** Roots of subtrees that one export remembers; a proof has 50 at most. */
export const auditRootsRememberedMax = 4_096;
/** Audit events in one page of a list. */
export const auditPageMax = 1_000;
export const auditPageDefault = 100;

/** design section 7, Batch. Items of one job. */
export const batchItemsMax = 1_000;
/** design section 7, Batch. Unfinished items of one workspace. */
export const batchBacklogItemsMax = 10_000;
/** design section 7, Batch. Bytes of the unfinished items of one workspace. */
export const batchBacklogBytesMax = 256 * MiB;
/** `Retry-After` if the backlog is full. It is fixed, because the time that its items need is unknown. */
export const batchBacklogRetryAfterSeconds = 60;
/** design section 7, Batch. An item that is unfinished after this time fails with `scan_job_expired`. */
export const batchJobMsMax = 24 * 3_600_000;
/** design section 7, Batch. How long a job is kept after its end. */
export const batchResultsMs = 29 * 24 * 3_600_000;
/** spec: Scan limits. Attempts of one item that may end with `payg_reserved` or `payg_busy`. */
export const batchAttemptsMax = 3;
/** For this long after the submission, such an end does not count as an attempt. */
export const batchFreeRetriesMs = 30 * 60_000;
/** The delay before an item is tried again, if its refusal names none. */
export const batchRetryMs = 1_000;
/** How soon the runner looks for work again if it could start nothing. */
export const batchPollMs = 200;
/** Payloads whose job has not come by then are of a gateway that has ended. A submission takes minutes at most. */
export const batchPiecesMsMax = 3_600_000;
/** So many of such submissions are watched at once; the rest later. */
export const batchPiecesWatchedMax = 1_024;
/** How often the gateway looks for jobs that have expired, and for those of gateways that have ended. */
export const batchSweepMs = 60_000;
/** Expired items that one turn marks as failed: about a millisecond. */
export const batchExpiredPerTurn = 64;
/** Bytes of a submission that one write stores. Another write then waits 10 to 20 ms for it. */
export const batchPayloadBytesPerWrite = 1 * MiB;
/** Ended jobs that one write removes; each may have 1,000 results. */
export const batchRemovalsAtOnce = 16;
/**
 * Time for checking the custom patterns of one submission; it equals the time for those of one scan. Without a
 * bound, 50 patterns of each item could take minutes, and the patterns of all callers share one thread.
 */
export const batchPatternsMsMax = customPatternTaskMsMax;
/** Submitted bytes that one turn validates. */
export const batchValidationBytesPerTurn = 256 * KiB;
/** Bytes of a job's results that one turn reads for an answer. */
export const batchResultsBytesPerTurn = 256 * KiB;

/** The least number of batch items that run at once: one is prepared while the other is scanned. */
export const batchItemsAtOnceMin = 2;
/** For this long after the scan of a request, a batch runs one item at a time. */
export const batchYieldWindowMs = 50;
/** The pause between two such items, about ten times the time of a short item. */
export const batchYieldGapMs = 5;

/** The first bytes of a body that are kept as readable content. A stream keeps them in memory until it ends. */
export const contentBodyBytesMax = 64 * KiB;
/** The last characters of a cut body that are not shown masked: a value may be cut there. A private key is shorter. */
export const maskedTailCharsMin = 4 * KiB;
/** Threads that mask readable content before somebody sees it. */
export const maskThreads = 1;
/** The longest reason for reading content that is not masked. */
export const contentReasonCharsMax = 500;
/** Readable content that waits to be written. Content beyond this is dropped and counted. */
export const contentPendingBytesMax = 32 * MiB;
/** How soon waiting content is written. */
export const contentFlushMs = 250;
/** Waiting content is written at once when it reaches this size. */
export const contentFlushBytes = 2 * MiB;
/** spec: Data retention. Days that readable content is kept if the organization sets no number. */
export const retentionDaysDefault = 90;
/** How often a part of the ids of provider state is looked through for those that are too old, … */
export const providerStateReapMs = 5_000;
/** … how many each time: some 2 ms of the loop, … */
export const providerStateReapRows = 1_000;
/** … and how long nothing is looked at after all of them were. */
export const providerStateReapPauseMs = 3_600_000;
/** How often the gateway looks for expired content. */
export const contentReapMs = 600_000;
/** Rows that one transaction removes, so that new content is not delayed. */
export const contentRowsPerWrite = 256;
/** Organizations in which one step looks for expired content: about 5 ms. */
export const contentOrganizationsPerStep = 1_024;

/** Bytes of answers that the response cache holds if the configuration sets no number. */
export const cacheBytesMaxDefault = 64 * MiB;
/** The largest such number in a configuration. The cache is in memory. */
export const cacheBytesMaxCeiling = 4_096 * MiB;
/** The share of the cache that one organization may use, so that it can't evict all others. */
export const cacheOrganizationShare = 0.5;
/** A further share, for streams that are being recorded for the cache. */
export const cacheWatchedShare = 0.25;
/** The longest answer that is cached; a longer one is only relayed. */
export const cacheAnswerBytesMax = 1 * MiB;
/** Memory of a cache entry besides its answer. */
export const cacheEntryOverheadBytes = 512;
/** Answers in the cache of one thread. */
export const cacheEntriesMax = 65_536;
/** A request with a longer body is not looked up, because its hash would block the loop. */
export const cacheRequestBytesMax = 1 * MiB;
/** How long an answer is cached if neither the key nor the request sets a time. */
export const cacheTtlSecondsDefault = 3_600;
/**
 * The longest such time. Readable content is kept for at least a day (`retentionDays`), so no answer outlives it.
 */
export const cacheTtlSecondsMax = 86_400;
/** How often the cache looks for expired answers. */
export const cacheSweepMs = 10_000;
/** Answers that one turn of this search examines: about a millisecond if it removes them all. */
export const cacheSweptPerTurn = 4_096;
/** Events of a cached stream that one turn writes. */
export const cacheEventsPerTurn = 32;

/** Open exchanges of one proxy thread, including streams; one more is refused. */
export const openExchangesMax = 16_384;
/**
 * How long one turn of the loop may accept new requests; it refuses the rest. All other work waits until the
 * turn ends, and a request waits for three to six turns.
 */
export const overloadTurnMsMax = 5;
/** One turn accepts this many requests even if that takes longer, because a pause is no overload. */
export const overloadTurnRequestsMin = 64;
/** A request is refused if it would wait longer than this for its scan, and both conditions below hold. */
export const overloadScanWaitMsMax = 25;
/** First condition: the first scan in the queue has waited this long. A burst alone is no overload. */
export const overloadScanWaitedMsMin = 10;
/** Second condition: more scans than two full tasks wait for each thread. One long scan is no overload. */
export const overloadScansMin = 2 * scanBatchMax;
/** While the loop is busy, a request is refused if the requests in hand need longer than this. */
export const overloadInHandMsMax = 45;
/** With this many requests in hand or fewer, none is refused for it. */
export const overloadInHandMin = 64;
/** The loop counts as busy if it worked for this share of the last sample. */
export const overloadBusyShareMin = 0.9;
/** The length of one sample. */
export const overloadSampleMs = 20;
/** The pace, at which requests in hand are finished, is averaged over this time. */
export const overloadPaceMs = 100;
/** A burst of this many requests is accepted although they wait: a thousand streams may begin together. */
export const overloadBurstMax = 1_024;
/** The allowance for a burst is renewed after this long without overload. */
export const overloadRestMs = 1_000;
/** Requests of a burst that begin in one turn of the loop: one or two milliseconds of work. */
export const overloadLateStartsPerTurn = 32;
/** The largest `Retry-After` of a refused request; the smallest is one second. */
export const overloadRetrySecondsMax = 8;
/** How often the range of `Retry-After` is recalculated. */
export const overloadPeriodMs = 1_000;

/** What usage is counted in: every time zone of today is a multiple of it away from UTC. */
export const usageQuarterMs = 15 * 60_000;
/** How often the read model looks for new events. */
export const recordsFollowMs = 1_000;
/** Events that the read model appends in one transaction: some 50 ms of its process. */
export const recordsAppendedAtOnce = 10_240;
/** Rows that are handed to the database together; its own vectors are as long. */
export const recordsChunkRows = 2_048;
/** Memory of the read model's database … */
export const recordsMemoryMegabytes = 256;
/** … and what it may write to the disk for a question that needs more. */
export const recordsSpillMegabytesMax = 1_024;
/** A question that takes longer is interrupted. */
export const recordsQueryMsMax = 10_000;
/** Questions that are answered at once: the database has one thread. */
export const recordsQueriesAtOnce = 1;
/** Questions that wait for their turn; one more is refused. */
export const recordsQueriesWaitingMax = 64;
/** How long a question waits until the read model has what was recorded before it. */
export const recordsBehindMsMax = 3_000;
/** With more events to follow than this, a question is not kept waiting. */
export const recordsBehindMax = 100_000;
/** `Retry-After` of such a question. */
export const recordsRetryAfterSeconds = 5;
/** Free bytes of its disk below which the read model stands still. The log needs them more. */
export const recordsFreeBytesMin = 256 * MiB;
/** How soon the read model's process is started again, and its file made anew; each time twice as long, up to … */
export const recordsRestartMs = 1_000;
export const recordsRestartMsMax = 60_000;
/** How often a rebuild tells the log how far it is. */
export const recordsProgressMs = 10_000;
/** The heap of the read model's process, without what its database and its libraries take. */
export const recordsHeapMegabytesMax = 512;
/** How far the read model stands back behind everything else on the machine, from 0 to 19. */
export const recordsNiceness = 5;
/** How long a shutdown waits for the read model. */
export const recordsCloseMsMax = 3_000;
/** Values of one facet. */
export const facetValuesMax = 20;
/** Events of one request that a lookup shows: three or four, more if its debit was recovered. */
export const recordLookupEventsMax = 50;
/** Records in one page of a list. */
export const recordsPageMax = 1_000;
export const recordsPageDefault = 50;
/** The range of a question on usage that names none: a day. */
export const usageRangeMsDefault = 86_400_000;
/** Steps of a series: five years of days, twelve weeks of hours, three weeks of quarters. */
export const usageStepsMax = 2_000;
/** Groups of a series; the others are one together. */
export const usageSeriesGroupsDefault = 10;
export const usageSeriesGroupsMax = 50;
/** Groups of a breakdown. An organization may have thousands of keys. */
export const usageBreakdownGroupsDefault = 100;
export const usageBreakdownGroupsMax = 10_000;
/** Records of a CSV that one question reads: some 20 ms of the read model's process. */
export const recordsCsvRows = 8_192;

/** Live tails: rows that one of them is told in a second; the others are counted. */
export const tailRowsPerSecond = 200;
/** How often a tail's key is checked, and a comment keeps its connection open. */
export const tailBeatMs = 5_000;
/** Open tails of a gateway, of an organization (operators are one), and of a key with all its sessions. */
export const tailsMax = 64;
export const tailsPerOrganizationMax = 16;
export const tailsPerKeyMax = 4;

/** Sign-in (design: Sign-in). A session ends after this time without a request … */
export const sessionIdleMs = 30 * 60_000;
/** … and in any case after this time. */
export const sessionMsMax = 12 * 3_600_000;
/** Open sessions of a gateway. The one that was idle longest makes room for a new one. */
export const sessionsMax = 10_000;
/** How late the store may learn that a session is in use. A crash ends a session by so much earlier. */
export const sessionSeenWriteMs = 60_000;
/** Attempts to sign in in 60 seconds, of one address; those that succeed count too. */
export const signInsPerMinute = 10;
/** Refused attempts to sign in that the audit log notes in 60 seconds, of all addresses together. */
export const refusedSignInsNotedPerMinute = 60;
/** Places of the log that one part of an export looks at; a part of an export has its turn among questions. */
export const exportPlacesAtOnce = 32_768;
/** How long an export is kept. */
export const exportMsMax = 86_400_000;
/** Exports that are kept, queued or running; one more is refused. */
export const exportsMax = 100;
/** Bytes of all exports on the disk; an export that would need more fails. */
export const exportsBytesMax = 4_096 * MiB;
/** How often exports that are over are looked for. */
export const exportsSweepMs = 60_000;
/** Bytes of a file that one step of its download reads. */
export const exportDownloadBytes = 256 * KiB;
/** How long a ticket for a download works (design: Sign-in). */
export const downloadTicketMs = 60_000;
/** Tickets that are open; the oldest makes room. */
export const downloadTicketsMax = 1_000;
/** Requests that the dashboard tries at a time; they pass by the shedding of load. */
export const trialsAtOnceMax = 8;
export const trialRetryAfterSeconds = 1;
/** Responses without an organization that operators can look up: 3 MB, in memory. */
export const unownedResponsesMax = 16_384;

/** The longest id of what a provider stores that is bound to an organization; a longer one is unknown. */
export const providerStateIdCharsMax = 256;
/** Ids of one answer: its own, and those of its items. */
export const providerStateIdsMax = 256;
/** Ids that a thread remembers until the store has them. */
export const providerStateRecentMax = 10_000;
/** How long an unknown id waits until what other threads have created is in the store. */
export const providerStateCatchUpMsMax = 5_000;
/** How long a thread waits for what it asked the shared store for. */
export const grantAnswerMsMax = 5_000;
