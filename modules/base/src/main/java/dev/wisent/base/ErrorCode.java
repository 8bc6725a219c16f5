package dev.wisent.base;

/**
 * Every error number that clients may see, under its name. Drivers branch on the number and people
 * search for the name, so both are MongoDB's.
 *
 * <p>Numbers that MongoDB leaves unnamed are reported as {@code Location<number>}; here they get a
 * name of ours, at the end of the list.
 */
public enum ErrorCode {
  OK(0, "OK"),
  INTERNAL_ERROR(1, "InternalError"),
  BAD_VALUE(2, "BadValue"),
  NO_SUCH_KEY(4, "NoSuchKey"),
  GRAPH_CONTAINS_CYCLE(5, "GraphContainsCycle"),
  HOST_UNREACHABLE(6, "HostUnreachable"),
  HOST_NOT_FOUND(7, "HostNotFound"),
  UNKNOWN_ERROR(8, "UnknownError"),
  FAILED_TO_PARSE(9, "FailedToParse"),
  CANNOT_MUTATE_OBJECT(10, "CannotMutateObject"),
  USER_NOT_FOUND(11, "UserNotFound"),
  UNSUPPORTED_FORMAT(12, "UnsupportedFormat"),
  UNAUTHORIZED(13, "Unauthorized"),
  TYPE_MISMATCH(14, "TypeMismatch"),
  OVERFLOW(15, "Overflow"),
  INVALID_LENGTH(16, "InvalidLength"),
  PROTOCOL_ERROR(17, "ProtocolError"),
  AUTHENTICATION_FAILED(18, "AuthenticationFailed"),
  CANNOT_REUSE_OBJECT(19, "CannotReuseObject"),
  ILLEGAL_OPERATION(20, "IllegalOperation"),
  EMPTY_ARRAY_OPERATION(21, "EmptyArrayOperation"),
  INVALID_BSON(22, "InvalidBSON"),
  ALREADY_INITIALIZED(23, "AlreadyInitialized"),
  LOCK_TIMEOUT(24, "LockTimeout"),
  REMOTE_VALIDATION_ERROR(25, "RemoteValidationError"),
  NAMESPACE_NOT_FOUND(26, "NamespaceNotFound"),
  INDEX_NOT_FOUND(27, "IndexNotFound"),
  PATH_NOT_VIABLE(28, "PathNotViable"),
  NON_EXISTENT_PATH(29, "NonExistentPath"),
  INVALID_PATH(30, "InvalidPath"),
  ROLE_NOT_FOUND(31, "RoleNotFound"),
  ROLES_NOT_RELATED(32, "RolesNotRelated"),
  PRIVILEGE_NOT_FOUND(33, "PrivilegeNotFound"),
  CANNOT_BACKFILL_ARRAY(34, "CannotBackfillArray"),
  USER_MODIFICATION_FAILED(35, "UserModificationFailed"),
  REMOTE_CHANGE_DETECTED(36, "RemoteChangeDetected"),
  FILE_RENAME_FAILED(37, "FileRenameFailed"),
  FILE_NOT_OPEN(38, "FileNotOpen"),
  FILE_STREAM_FAILED(39, "FileStreamFailed"),
  CONFLICTING_UPDATE_OPERATORS(40, "ConflictingUpdateOperators"),
  FILE_ALREADY_OPEN(41, "FileAlreadyOpen"),
  LOG_WRITE_FAILED(42, "LogWriteFailed"),
  CURSOR_NOT_FOUND(43, "CursorNotFound"),
  USER_DATA_INCONSISTENT(45, "UserDataInconsistent"),
  LOCK_BUSY(46, "LockBusy"),
  NO_MATCHING_DOCUMENT(47, "NoMatchingDocument"),
  NAMESPACE_EXISTS(48, "NamespaceExists"),
  INVALID_ROLE_MODIFICATION(49, "InvalidRoleModification"),
  MAX_TIME_MS_EXPIRED(50, "MaxTimeMSExpired"),
  MANUAL_INTERVENTION_REQUIRED(51, "ManualInterventionRequired"),
  DOLLAR_PREFIXED_FIELD_NAME(52, "DollarPrefixedFieldName"),
  INVALID_ID_FIELD(53, "InvalidIdField"),
  NOT_SINGLE_VALUE_FIELD(54, "NotSingleValueField"),
  INVALID_DB_REF(55, "InvalidDBRef"),
  EMPTY_FIELD_NAME(56, "EmptyFieldName"),
  DOTTED_FIELD_NAME(57, "DottedFieldName"),
  ROLE_MODIFICATION_FAILED(58, "RoleModificationFailed"),
  COMMAND_NOT_FOUND(59, "CommandNotFound"),
  SHARD_KEY_NOT_FOUND(61, "ShardKeyNotFound"),
  OPLOG_OPERATION_UNSUPPORTED(62, "OplogOperationUnsupported"),
  WRITE_CONCERN_FAILED(64, "WriteConcernFailed"),
  MULTIPLE_ERRORS_OCCURRED(65, "MultipleErrorsOccurred"),
  IMMUTABLE_FIELD(66, "ImmutableField"),
  CANNOT_CREATE_INDEX(67, "CannotCreateIndex"),
  INDEX_ALREADY_EXISTS(68, "IndexAlreadyExists"),
  AUTH_SCHEMA_INCOMPATIBLE(69, "AuthSchemaIncompatible"),
  SHARD_NOT_FOUND(70, "ShardNotFound"),
  REPLICA_SET_NOT_FOUND(71, "ReplicaSetNotFound"),
  INVALID_OPTIONS(72, "InvalidOptions"),
  INVALID_NAMESPACE(73, "InvalidNamespace"),
  NODE_NOT_FOUND(74, "NodeNotFound"),
  WRITE_CONCERN_LEGACY_OK(75, "WriteConcernLegacyOK"),
  NO_REPLICATION_ENABLED(76, "NoReplicationEnabled"),
  OPERATION_INCOMPLETE(77, "OperationIncomplete"),
  COMMAND_RESULT_SCHEMA_VIOLATION(78, "CommandResultSchemaViolation"),
  UNKNOWN_REPL_WRITE_CONCERN(79, "UnknownReplWriteConcern"),
  ROLE_DATA_INCONSISTENT(80, "RoleDataInconsistent"),
  NO_MATCH_PARSE_CONTEXT(81, "NoMatchParseContext"),
  NO_PROGRESS_MADE(82, "NoProgressMade"),
  REMOTE_RESULTS_UNAVAILABLE(83, "RemoteResultsUnavailable"),
  INDEX_OPTIONS_CONFLICT(85, "IndexOptionsConflict"),
  INDEX_KEY_SPECS_CONFLICT(86, "IndexKeySpecsConflict"),
  CANNOT_SPLIT(87, "CannotSplit"),
  NETWORK_TIMEOUT(89, "NetworkTimeout"),
  CALLBACK_CANCELED(90, "CallbackCanceled"),
  SHUTDOWN_IN_PROGRESS(91, "ShutdownInProgress"),
  SECONDARY_AHEAD_OF_PRIMARY(92, "SecondaryAheadOfPrimary"),
  INVALID_REPLICA_SET_CONFIG(93, "InvalidReplicaSetConfig"),
  NOT_YET_INITIALIZED(94, "NotYetInitialized"),
  NOT_SECONDARY(95, "NotSecondary"),
  OPERATION_FAILED(96, "OperationFailed"),
  NO_PROJECTION_FOUND(97, "NoProjectionFound"),
  DB_PATH_IN_USE(98, "DBPathInUse"),
  UNSATISFIABLE_WRITE_CONCERN(100, "UnsatisfiableWriteConcern"),
  OUTDATED_CLIENT(101, "OutdatedClient"),
  INCOMPATIBLE_AUDIT_METADATA(102, "IncompatibleAuditMetadata"),
  NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE(103, "NewReplicaSetConfigurationIncompatible"),
  NODE_NOT_ELECTABLE(104, "NodeNotElectable"),
  INCOMPATIBLE_SHARDING_METADATA(105, "IncompatibleShardingMetadata"),
  DISTRIBUTED_CLOCK_SKEWED(106, "DistributedClockSkewed"),
  LOCK_FAILED(107, "LockFailed"),
  INCONSISTENT_REPLICA_SET_NAMES(108, "InconsistentReplicaSetNames"),
  CONFIGURATION_IN_PROGRESS(109, "ConfigurationInProgress"),
  CANNOT_INITIALIZE_NODE_WITH_DATA(110, "CannotInitializeNodeWithData"),
  NOT_EXACT_VALUE_FIELD(111, "NotExactValueField"),
  WRITE_CONFLICT(112, "WriteConflict"),
  INITIAL_SYNC_FAILURE(113, "InitialSyncFailure"),
  INITIAL_SYNC_OPLOG_SOURCE_MISSING(114, "InitialSyncOplogSourceMissing"),
  COMMAND_NOT_SUPPORTED(115, "CommandNotSupported"),
  DOC_TOO_LARGE_FOR_CAPPED(116, "DocTooLargeForCapped"),
  CONFLICTING_OPERATION_IN_PROGRESS(117, "ConflictingOperationInProgress"),
  NAMESPACE_NOT_SHARDED(118, "NamespaceNotSharded"),
  INVALID_SYNC_SOURCE(119, "InvalidSyncSource"),
  OPLOG_START_MISSING(120, "OplogStartMissing"),
  DOCUMENT_VALIDATION_FAILURE(121, "DocumentValidationFailure"),
  NOT_A_REPLICA_SET(123, "NotAReplicaSet"),
  INCOMPATIBLE_ELECTION_PROTOCOL(124, "IncompatibleElectionProtocol"),
  COMMAND_FAILED(125, "CommandFailed"),
  RPC_PROTOCOL_NEGOTIATION_FAILED(126, "RPCProtocolNegotiationFailed"),
  UNRECOVERABLE_ROLLBACK_ERROR(127, "UnrecoverableRollbackError"),
  LOCK_NOT_FOUND(128, "LockNotFound"),
  LOCK_STATE_CHANGE_FAILED(129, "LockStateChangeFailed"),
  SYMBOL_NOT_FOUND(130, "SymbolNotFound"),
  FAILED_TO_SATISFY_READ_PREFERENCE(133, "FailedToSatisfyReadPreference"),
  READ_CONCERN_MAJORITY_NOT_AVAILABLE_YET(134, "ReadConcernMajorityNotAvailableYet"),
  STALE_TERM(135, "StaleTerm"),
  CAPPED_POSITION_LOST(136, "CappedPositionLost"),
  INCOMPATIBLE_SHARDING_CONFIG_VERSION(137, "IncompatibleShardingConfigVersion"),
  REMOTE_OPLOG_STALE(138, "RemoteOplogStale"),
  JS_INTERPRETER_FAILURE(139, "JSInterpreterFailure"),
  INVALID_SSL_CONFIGURATION(140, "InvalidSSLConfiguration"),
  SSL_HANDSHAKE_FAILED(141, "SSLHandshakeFailed"),
  JS_UNCATCHABLE_ERROR(142, "JSUncatchableError"),
  CURSOR_IN_USE(143, "CursorInUse"),
  INCOMPATIBLE_CATALOG_MANAGER(144, "IncompatibleCatalogManager"),
  POOLED_CONNECTIONS_DROPPED(145, "PooledConnectionsDropped"),
  EXCEEDED_MEMORY_LIMIT(146, "ExceededMemoryLimit"),
  Z_LIB_ERROR(147, "ZLibError"),
  READ_CONCERN_MAJORITY_NOT_ENABLED(148, "ReadConcernMajorityNotEnabled"),
  NO_CONFIG_PRIMARY(149, "NoConfigPrimary"),
  STALE_EPOCH(150, "StaleEpoch"),
  OPERATION_CANNOT_BE_BATCHED(151, "OperationCannotBeBatched"),
  OPLOG_OUT_OF_ORDER(152, "OplogOutOfOrder"),
  CHUNK_TOO_BIG(153, "ChunkTooBig"),
  INCONSISTENT_SHARD_IDENTITY(154, "InconsistentShardIdentity"),
  CANNOT_APPLY_OPLOG_WHILE_PRIMARY(155, "CannotApplyOplogWhilePrimary"),
  CAN_REPAIR_TO_DOWNGRADE(157, "CanRepairToDowngrade"),
  MUST_UPGRADE(158, "MustUpgrade"),
  DURATION_OVERFLOW(159, "DurationOverflow"),
  MAX_STALENESS_OUT_OF_RANGE(160, "MaxStalenessOutOfRange"),
  INCOMPATIBLE_COLLATION_VERSION(161, "IncompatibleCollationVersion"),
  COLLECTION_IS_EMPTY(162, "CollectionIsEmpty"),
  ZONE_STILL_IN_USE(163, "ZoneStillInUse"),
  INITIAL_SYNC_ACTIVE(164, "InitialSyncActive"),
  VIEW_DEPTH_LIMIT_EXCEEDED(165, "ViewDepthLimitExceeded"),
  COMMAND_NOT_SUPPORTED_ON_VIEW(166, "CommandNotSupportedOnView"),
  OPTION_NOT_SUPPORTED_ON_VIEW(167, "OptionNotSupportedOnView"),
  INVALID_PIPELINE_OPERATOR(168, "InvalidPipelineOperator"),
  COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD(169, "CommandOnShardedViewNotSupportedOnMongod"),
  TOO_MANY_MATCHING_DOCUMENTS(170, "TooManyMatchingDocuments"),
  CANNOT_INDEX_PARALLEL_ARRAYS(171, "CannotIndexParallelArrays"),
  TRANSPORT_SESSION_CLOSED(172, "TransportSessionClosed"),
  TRANSPORT_SESSION_NOT_FOUND(173, "TransportSessionNotFound"),
  TRANSPORT_SESSION_UNKNOWN(174, "TransportSessionUnknown"),
  QUERY_PLAN_KILLED(175, "QueryPlanKilled"),
  FILE_OPEN_FAILED(176, "FileOpenFailed"),
  ZONE_NOT_FOUND(177, "ZoneNotFound"),
  RANGE_OVERLAP_CONFLICT(178, "RangeOverlapConflict"),
  WINDOWS_PDH_ERROR(179, "WindowsPdhError"),
  BAD_PERF_COUNTER_PATH(180, "BadPerfCounterPath"),
  AMBIGUOUS_INDEX_KEY_PATTERN(181, "AmbiguousIndexKeyPattern"),
  INVALID_VIEW_DEFINITION(182, "InvalidViewDefinition"),
  CLIENT_METADATA_MISSING_FIELD(183, "ClientMetadataMissingField"),
  CLIENT_METADATA_APP_NAME_TOO_LARGE(184, "ClientMetadataAppNameTooLarge"),
  CLIENT_METADATA_DOCUMENT_TOO_LARGE(185, "ClientMetadataDocumentTooLarge"),
  CLIENT_METADATA_CANNOT_BE_MUTATED(186, "ClientMetadataCannotBeMutated"),
  LINEARIZABLE_READ_CONCERN_ERROR(187, "LinearizableReadConcernError"),
  INCOMPATIBLE_SERVER_VERSION(188, "IncompatibleServerVersion"),
  PRIMARY_STEPPED_DOWN(189, "PrimarySteppedDown"),
  MASTER_SLAVE_CONNECTION_FAILURE(190, "MasterSlaveConnectionFailure"),
  FAIL_POINT_ENABLED(192, "FailPointEnabled"),
  BALANCER_INTERRUPTED(194, "BalancerInterrupted"),
  VIEW_PIPELINE_MAX_SIZE_EXCEEDED(195, "ViewPipelineMaxSizeExceeded"),
  INVALID_INDEX_SPECIFICATION_OPTION(197, "InvalidIndexSpecificationOption"),
  REPLICA_SET_MONITOR_REMOVED(199, "ReplicaSetMonitorRemoved"),
  CHUNK_RANGE_CLEANUP_PENDING(200, "ChunkRangeCleanupPending"),
  CANNOT_BUILD_INDEX_KEYS(201, "CannotBuildIndexKeys"),
  NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT(202, "NetworkInterfaceExceededTimeLimit"),
  SHARDING_STATE_NOT_INITIALIZED(203, "ShardingStateNotInitialized"),
  TIME_PROOF_MISMATCH(204, "TimeProofMismatch"),
  CLUSTER_TIME_FAILS_RATE_LIMITER(205, "ClusterTimeFailsRateLimiter"),
  NO_SUCH_SESSION(206, "NoSuchSession"),
  INVALID_UUID(207, "InvalidUUID"),
  TOO_MANY_LOCKS(208, "TooManyLocks"),
  STALE_CLUSTER_TIME(209, "StaleClusterTime"),
  CANNOT_VERIFY_AND_SIGN_LOGICAL_TIME(210, "CannotVerifyAndSignLogicalTime"),
  KEY_NOT_FOUND(211, "KeyNotFound"),
  INCOMPATIBLE_ROLLBACK_ALGORITHM(212, "IncompatibleRollbackAlgorithm"),
  DUPLICATE_SESSION(213, "DuplicateSession"),
  AUTHENTICATION_RESTRICTION_UNMET(214, "AuthenticationRestrictionUnmet"),
  DATABASE_DROP_PENDING(215, "DatabaseDropPending"),
  ELECTION_IN_PROGRESS(216, "ElectionInProgress"),
  INCOMPLETE_TRANSACTION_HISTORY(217, "IncompleteTransactionHistory"),
  UPDATE_OPERATION_FAILED(218, "UpdateOperationFailed"),
  FTDC_PATH_NOT_SET(219, "FTDCPathNotSet"),
  FTDC_PATH_ALREADY_SET(220, "FTDCPathAlreadySet"),
  INDEX_MODIFIED(221, "IndexModified"),
  CLOSE_CHANGE_STREAM(222, "CloseChangeStream"),
  ILLEGAL_OP_MSG_FLAG(223, "IllegalOpMsgFlag"),
  QUERY_FEATURE_NOT_ALLOWED(224, "QueryFeatureNotAllowed"),
  TRANSACTION_TOO_OLD(225, "TransactionTooOld"),
  ATOMICITY_FAILURE(226, "AtomicityFailure"),
  CANNOT_IMPLICITLY_CREATE_COLLECTION(227, "CannotImplicitlyCreateCollection"),
  SESSION_TRANSFER_INCOMPLETE(228, "SessionTransferIncomplete"),
  MUST_DOWNGRADE(229, "MustDowngrade"),
  DNS_HOST_NOT_FOUND(230, "DNSHostNotFound"),
  DNS_PROTOCOL_ERROR(231, "DNSProtocolError"),
  MAX_SUB_PIPELINE_DEPTH_EXCEEDED(232, "MaxSubPipelineDepthExceeded"),
  TOO_MANY_DOCUMENT_SEQUENCES(233, "TooManyDocumentSequences"),
  RETRY_CHANGE_STREAM(234, "RetryChangeStream"),
  INTERNAL_ERROR_NOT_SUPPORTED(235, "InternalErrorNotSupported"),
  FOR_TESTING_ERROR_EXTRA_INFO(236, "ForTestingErrorExtraInfo"),
  CURSOR_KILLED(237, "CursorKilled"),
  NOT_IMPLEMENTED(238, "NotImplemented"),
  SNAPSHOT_TOO_OLD(239, "SnapshotTooOld"),
  DNS_RECORD_TYPE_MISMATCH(240, "DNSRecordTypeMismatch"),
  CONVERSION_FAILURE(241, "ConversionFailure"),
  CANNOT_CREATE_COLLECTION(242, "CannotCreateCollection"),
  INCOMPATIBLE_WITH_UPGRADED_SERVER(243, "IncompatibleWithUpgradedServer"),
  NOT_YET_AVAILABLE_TRANSACTION_ABORTED(244, "NOT_YET_AVAILABLE_TransactionAborted"),
  BROKEN_PROMISE(245, "BrokenPromise"),
  SNAPSHOT_UNAVAILABLE(246, "SnapshotUnavailable"),
  PRODUCER_CONSUMER_QUEUE_BATCH_TOO_LARGE(247, "ProducerConsumerQueueBatchTooLarge"),
  PRODUCER_CONSUMER_QUEUE_END_CLOSED(248, "ProducerConsumerQueueEndClosed"),
  STALE_DB_VERSION(249, "StaleDbVersion"),
  STALE_CHUNK_HISTORY(250, "StaleChunkHistory"),
  NO_SUCH_TRANSACTION(251, "NoSuchTransaction"),
  REENTRANCY_NOT_ALLOWED(252, "ReentrancyNotAllowed"),
  TRANSACTION_COMMITTED(256, "TransactionCommitted"),
  TRANSACTION_TOO_LARGE(257, "TransactionTooLarge"),
  UNKNOWN_FEATURE_COMPATIBILITY_VERSION(258, "UnknownFeatureCompatibilityVersion"),
  KEYED_EXECUTOR_RETRY(259, "KeyedExecutorRetry"),
  INVALID_RESUME_TOKEN(260, "InvalidResumeToken"),
  TOO_MANY_LOGICAL_SESSIONS(261, "TooManyLogicalSessions"),
  EXCEEDED_TIME_LIMIT(262, "ExceededTimeLimit"),
  OPERATION_NOT_SUPPORTED_IN_TRANSACTION(263, "OperationNotSupportedInTransaction"),
  TOO_MANY_FILES_OPEN(264, "TooManyFilesOpen"),
  ORPHANED_RANGE_CLEAN_UP_FAILED(265, "OrphanedRangeCleanUpFailed"),
  FAIL_POINT_SET_FAILED(266, "FailPointSetFailed"),
  PREPARED_TRANSACTION_IN_PROGRESS(267, "PreparedTransactionInProgress"),
  CANNOT_BACKUP(268, "CannotBackup"),
  DATA_MODIFIED_BY_REPAIR(269, "DataModifiedByRepair"),
  REPAIRED_REPLICA_SET_NODE(270, "RepairedReplicaSetNode"),
  JS_INTERPRETER_FAILURE_WITH_STACK(271, "JSInterpreterFailureWithStack"),
  MIGRATION_CONFLICT(272, "MigrationConflict"),
  PRODUCER_CONSUMER_QUEUE_PRODUCER_QUEUE_DEPTH_EXCEEDED(
      273, "ProducerConsumerQueueProducerQueueDepthExceeded"),
  PRODUCER_CONSUMER_QUEUE_CONSUMED(274, "ProducerConsumerQueueConsumed"),
  EXCHANGE_PASSTHROUGH(275, "ExchangePassthrough"),
  INDEX_BUILD_ABORTED(276, "IndexBuildAborted"),
  ALARM_ALREADY_FULFILLED(277, "AlarmAlreadyFulfilled"),
  UNSATISFIABLE_COMMIT_QUORUM(278, "UnsatisfiableCommitQuorum"),
  CLIENT_DISCONNECT(279, "ClientDisconnect"),
  CHANGE_STREAM_FATAL_ERROR(280, "ChangeStreamFatalError"),
  TRANSACTION_COORDINATOR_STEPPING_DOWN(281, "TransactionCoordinatorSteppingDown"),
  TRANSACTION_COORDINATOR_REACHED_ABORT_DECISION(282, "TransactionCoordinatorReachedAbortDecision"),
  WOULD_CHANGE_OWNING_SHARD(283, "WouldChangeOwningShard"),
  FOR_TESTING_ERROR_EXTRA_INFO_WITH_EXTRA_INFO_IN_NAMESPACE(
      284, "ForTestingErrorExtraInfoWithExtraInfoInNamespace"),
  INDEX_BUILD_ALREADY_IN_PROGRESS(285, "IndexBuildAlreadyInProgress"),
  CHANGE_STREAM_HISTORY_LOST(286, "ChangeStreamHistoryLost"),
  TRANSACTION_COORDINATOR_DEADLINE_TASK_CANCELED(287, "TransactionCoordinatorDeadlineTaskCanceled"),
  CHECKSUM_MISMATCH(288, "ChecksumMismatch"),
  WAIT_FOR_MAJORITY_SERVICE_EARLIER_OP_TIME_AVAILABLE(
      289, "WaitForMajorityServiceEarlierOpTimeAvailable"),
  TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS(290, "TransactionExceededLifetimeLimitSeconds"),
  NO_QUERY_EXECUTION_PLANS(291, "NoQueryExecutionPlans"),
  QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED(292, "QueryExceededMemoryLimitNoDiskUseAllowed"),
  INVALID_SEED_LIST(293, "InvalidSeedList"),
  INVALID_TOPOLOGY_TYPE(294, "InvalidTopologyType"),
  INVALID_HEART_BEAT_FREQUENCY(295, "InvalidHeartBeatFrequency"),
  TOPOLOGY_SET_NAME_REQUIRED(296, "TopologySetNameRequired"),
  HIERARCHICAL_ACQUISITION_LEVEL_VIOLATION(297, "HierarchicalAcquisitionLevelViolation"),
  INVALID_SERVER_TYPE(298, "InvalidServerType"),
  OCSP_CERTIFICATE_STATUS_REVOKED(299, "OCSPCertificateStatusRevoked"),
  RANGE_DELETION_ABANDONED_BECAUSE_COLLECTION_WITH_UUID_DOES_NOT_EXIST(
      300, "RangeDeletionAbandonedBecauseCollectionWithUUIDDoesNotExist"),
  DATA_CORRUPTION_DETECTED(301, "DataCorruptionDetected"),
  OCSP_CERTIFICATE_STATUS_UNKNOWN(302, "OCSPCertificateStatusUnknown"),
  SPLIT_HORIZON_CHANGE(303, "SplitHorizonChange"),
  READ_THROUGH_CACHE_LOOKUP_CANCELED(306, "ReadThroughCacheLookupCanceled"),
  RANGE_DELETION_ABANDONED_BECAUSE_TASK_DOCUMENT_DOES_NOT_EXIST(
      307, "RangeDeletionAbandonedBecauseTaskDocumentDoesNotExist"),
  CURRENT_CONFIG_NOT_COMMITTED_YET(308, "CurrentConfigNotCommittedYet"),
  EXHAUST_COMMAND_FINISHED(309, "ExhaustCommandFinished"),
  PERIODIC_JOB_IS_STOPPED(310, "PeriodicJobIsStopped"),
  TRANSACTION_COORDINATOR_CANCELED(311, "TransactionCoordinatorCanceled"),
  OPERATION_IS_KILLED_AND_DELISTED(312, "OperationIsKilledAndDelisted"),
  RESUMABLE_RANGE_DELETER_DISABLED(313, "ResumableRangeDeleterDisabled"),
  OBJECT_IS_BUSY(314, "ObjectIsBusy"),
  TOO_STALE_TO_SYNC_FROM_SOURCE(315, "TooStaleToSyncFromSource"),
  QUERY_TRIAL_RUN_COMPLETED(316, "QueryTrialRunCompleted"),
  CONNECTION_POOL_EXPIRED(317, "ConnectionPoolExpired"),
  FOR_TESTING_OPTIONAL_ERROR_EXTRA_INFO(318, "ForTestingOptionalErrorExtraInfo"),
  MOVE_PRIMARY_IN_PROGRESS(319, "MovePrimaryInProgress"),
  TENANT_MIGRATION_CONFLICT(320, "TenantMigrationConflict"),
  TENANT_MIGRATION_COMMITTED(321, "TenantMigrationCommitted"),
  API_VERSION_ERROR(322, "APIVersionError"),
  API_STRICT_ERROR(323, "APIStrictError"),
  API_DEPRECATION_ERROR(324, "APIDeprecationError"),
  TENANT_MIGRATION_ABORTED(325, "TenantMigrationAborted"),
  OPLOG_QUERY_MIN_TS_MISSING(326, "OplogQueryMinTsMissing"),
  NO_SUCH_TENANT_MIGRATION(327, "NoSuchTenantMigration"),
  TENANT_MIGRATION_ACCESS_BLOCKER_SHUTTING_DOWN(328, "TenantMigrationAccessBlockerShuttingDown"),
  TENANT_MIGRATION_IN_PROGRESS(329, "TenantMigrationInProgress"),
  SKIP_COMMAND_EXECUTION(330, "SkipCommandExecution"),
  FAILED_TO_RUN_WITH_REPLY_BUILDER(331, "FailedToRunWithReplyBuilder"),
  CANNOT_DOWNGRADE(332, "CannotDowngrade"),
  SERVICE_EXECUTOR_IN_SHUTDOWN(333, "ServiceExecutorInShutdown"),
  MECHANISM_UNAVAILABLE(334, "MechanismUnavailable"),
  TENANT_MIGRATION_FORGOTTEN(335, "TenantMigrationForgotten"),
  TIMESERIES_BUCKET_CLEARED(336, "TimeseriesBucketCleared"),
  AUTHENTICATION_ABANDONED(337, "AuthenticationAbandoned"),
  RESHARD_COLLECTION_IN_PROGRESS(338, "ReshardCollectionInProgress"),
  NO_SUCH_RESHARD_COLLECTION(339, "NoSuchReshardCollection"),
  RESHARD_COLLECTION_COMMITTED(340, "ReshardCollectionCommitted"),
  RESHARD_COLLECTION_ABORTED(341, "ReshardCollectionAborted"),
  RESHARDING_CRITICAL_SECTION_TIMEOUT(342, "ReshardingCriticalSectionTimeout"),
  SHARD_CANNOT_REFRESH_DUE_TO_LOCKS_HELD(343, "ShardCannotRefreshDueToLocksHeld"),
  AUDITING_NOT_ENABLED(344, "AuditingNotEnabled"),
  RUNTIME_AUDIT_CONFIGURATION_NOT_ENABLED(345, "RuntimeAuditConfigurationNotEnabled"),
  CHANGE_STREAM_INVALIDATED(346, "ChangeStreamInvalidated"),
  API_MISMATCH_ERROR(347, "APIMismatchError"),
  CHANGE_STREAM_TOPOLOGY_CHANGE(348, "ChangeStreamTopologyChange"),
  KEY_PATTERN_SHORTER_THAN_BOUND(349, "KeyPatternShorterThanBound"),
  RESHARD_COLLECTION_TRUNCATED_ERROR(350, "ReshardCollectionTruncatedError"),
  CHANGE_STREAM_START_AFTER_INVALIDATE(351, "ChangeStreamStartAfterInvalidate"),
  UNSUPPORTED_OP_QUERY_COMMAND(352, "UnsupportedOpQueryCommand"),
  NON_RETRYABLE_TENANT_MIGRATION_CONFLICT(353, "NonRetryableTenantMigrationConflict"),
  LOAD_BALANCER_SUPPORT_MISMATCH(354, "LoadBalancerSupportMismatch"),
  INTERRUPTED_DUE_TO_STORAGE_CHANGE(355, "InterruptedDueToStorageChange"),
  TXN_RETRY_COUNTER_TOO_OLD(356, "TxnRetryCounterTooOld"),
  INVALID_BSON_TYPE(357, "InvalidBSONType"),
  INTERNAL_TRANSACTION_NOT_SUPPORTED(358, "InternalTransactionNotSupported"),
  CANNOT_CONVERT_INDEX_TO_UNIQUE(359, "CannotConvertIndexToUnique"),
  PLACEMENT_VERSION_REFRESH_CANCELED(360, "PlacementVersionRefreshCanceled"),
  COLLECTION_UUID_MISMATCH(361, "CollectionUUIDMismatch"),
  FUTURE_ALREADY_RETRIEVED(362, "FutureAlreadyRetrieved"),
  RETRYABLE_TRANSACTION_IN_PROGRESS(363, "RetryableTransactionInProgress"),
  INVALID_BSON_COLUMN(364, "InvalidBSONColumn"),
  TEMPORARILY_UNAVAILABLE(365, "TemporarilyUnavailable"),
  WOULD_CHANGE_OWNING_SHARD_DELETED_NO_DOCUMENT(366, "WouldChangeOwningShardDeletedNoDocument"),
  FLE_COMPACTION_PLACEHOLDER(367, "FLECompactionPlaceholder"),
  FLE_TRANSACTION_ABORT(369, "FLETransactionAbort"),
  CANNOT_DROP_SHARD_KEY_INDEX(370, "CannotDropShardKeyIndex"),
  USER_WRITES_BLOCKED(371, "UserWritesBlocked"),
  CLOSE_CONNECTION_FOR_SHUTDOWN_COMMAND(372, "CloseConnectionForShutdownCommand"),
  INTERNAL_TRANSACTIONS_EXHAUSTIVE_FIND_HAS_MORE(373, "InternalTransactionsExhaustiveFindHasMore"),
  TRANSACTION_API_MUST_RETRY_TRANSACTION(374, "TransactionAPIMustRetryTransaction"),
  TRANSACTION_API_MUST_RETRY_COMMIT(375, "TransactionAPIMustRetryCommit"),
  CHANGE_STREAM_NOT_ENABLED(376, "ChangeStreamNotEnabled"),
  FLE_MAX_TAG_LIMIT_EXCEEDED(377, "FLEMaxTagLimitExceeded"),
  NON_CONFORMANT_BSON(378, "NonConformantBSON"),
  DATABASE_METADATA_REFRESH_CANCELED(379, "DatabaseMetadataRefreshCanceled"),
  REQUEST_ALREADY_FULFILLED(380, "RequestAlreadyFulfilled"),
  RESHARDING_COORDINATOR_SERVICE_CONFLICTING_OPERATION_IN_PROGRESS(
      381, "ReshardingCoordinatorServiceConflictingOperationInProgress"),
  REMOTE_COMMAND_EXECUTION_ERROR(382, "RemoteCommandExecutionError"),
  COLLECTION_IS_EMPTY_LOCALLY(383, "CollectionIsEmptyLocally"),
  CONNECTION_ERROR(384, "ConnectionError"),
  CONFLICTING_SERVERLESS_OPERATION(385, "ConflictingServerlessOperation"),
  DUPLICATE_KEY_ID(386, "DuplicateKeyId"),
  ENCOUNTERED_FLE_PAYLOAD_WHILE_APPLYING_HMAC(387, "EncounteredFLEPayloadWhileApplyingHmac"),
  TRANSACTION_TOO_LARGE_FOR_CACHE(388, "TransactionTooLargeForCache"),
  LIBMONGOCRYPT_ERROR(389, "LibmongocryptError"),
  INVALID_SIGNATURE(390, "InvalidSignature"),
  REAUTHENTICATION_REQUIRED(391, "ReauthenticationRequired"),
  INVALID_JWT(392, "InvalidJWT"),
  INVALID_TENANT_ID(393, "InvalidTenantId"),
  TRUNCATED_SERIALIZATION(395, "TruncatedSerialization"),
  INDEX_INFORMATION_TOO_LARGE(396, "IndexInformationTooLarge"),
  STREAM_TERMINATED(398, "StreamTerminated"),
  CANNOT_UPGRADE(400, "CannotUpgrade"),
  RESUME_TENANT_CHANGE_STREAM(401, "ResumeTenantChangeStream"),
  RESOURCE_EXHAUSTED(402, "ResourceExhausted"),
  UNSUPPORTED_SHARDING_EVENT_NOTIFICATION(403, "UnsupportedShardingEventNotification"),
  LDAP_ROLE_ACQUISITION_ERROR(404, "LDAPRoleAcquisitionError"),
  CANNOT_CREATE_CHUNK_DISTRIBUTION(405, "CannotCreateChunkDistribution"),
  MIGRATION_BLOCKING_OPERATION_COORDINATOR_CLEANING_UP(
      406, "MigrationBlockingOperationCoordinatorCleaningUp"),
  POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT(
      407, "PooledConnectionAcquisitionExceededTimeLimit"),
  CANNOT_INSERT_TIMESERIES_BUCKETS_WITH_MIXED_SCHEMA(
      408, "CannotInsertTimeseriesBucketsWithMixedSchema"),
  TIMESERIES_BUCKET_COMPRESSION_FAILED(409, "TimeseriesBucketCompressionFailed"),
  TIMESERIES_BUCKET_FROZEN(410, "TimeseriesBucketFrozen"),
  QUERY_REJECTED_BY_SETTINGS(411, "QueryRejectedBySettings"),
  UPDATES_STILL_PENDING(412, "UpdatesStillPending"),
  TRANSACTION_PARTICIPANT_FAILED_UNYIELD(413, "TransactionParticipantFailedUnyield"),
  ADD_OR_REMOVE_SHARD_IN_PROGRESS(414, "AddOrRemoveShardInProgress"),
  INDEX_IS_EMPTY(426, "IndexIsEmpty"),
  DB_CHECK_SECONDARY_BATCH_TIMEOUT(427, "DbCheckSecondaryBatchTimeout"),
  DB_CHECK_ATTEMPT_ON_CLUSTERED_COLLECTION_ID_INDEX(
      428, "DbCheckAttemptOnClusteredCollectionIdIndex"),
  DB_CHECK_INCONSISTENT_HASH(429, "DbCheckInconsistentHash"),
  INDEX_KEY_ORDER_VIOLATION(430, "IndexKeyOrderViolation"),
  RATE_LIMIT_EXCEEDED(449, "RateLimitExceeded"),
  INGRESS_REQUEST_RATE_LIMIT_EXCEEDED(462, "IngressRequestRateLimitExceeded"),
  OP_CTX_KILLED_ON_MARK_KILL_OPS_EXEMPT(483, "OpCtxKilledOnMarkKillOpsExempt"),
  SEARCH_REQUEST_REJECTED_DUE_TO_OVERLOAD(489, "SearchRequestRejectedDueToOverload"),
  INVALID_BSON_FROM_JAVA_SCRIPT(513, "InvalidBSONFromJavaScript"),
  SOCKET_EXCEPTION(9001, "SocketException"),
  CANNOT_GROW_DOCUMENT_IN_CAPPED_NAMESPACE(10003, "CannotGrowDocumentInCappedNamespace"),
  LEGACY_NOT_PRIMARY(10058, "LegacyNotPrimary"),
  NOT_WRITABLE_PRIMARY(10107, "NotWritablePrimary"),
  BSON_OBJECT_TOO_LARGE(10334, "BSONObjectTooLarge"),
  DUPLICATE_KEY(11000, "DuplicateKey"),
  INTERRUPTED_AT_SHUTDOWN(11600, "InterruptedAtShutdown"),
  INTERRUPTED(11601, "Interrupted"),
  INTERRUPTED_DUE_TO_REPL_STATE_CHANGE(11602, "InterruptedDueToReplStateChange"),
  BACKGROUND_OPERATION_IN_PROGRESS_FOR_DATABASE(12586, "BackgroundOperationInProgressForDatabase"),
  BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE(
      12587, "BackgroundOperationInProgressForNamespace"),
  MERGE_STAGE_NO_MATCHING_DOCUMENT(13113, "MergeStageNoMatchingDocument"),
  DATABASE_DIFFER_CASE(13297, "DatabaseDifferCase"),
  STALE_CONFIG(13388, "StaleConfig"),
  NOT_PRIMARY_NO_SECONDARY_OK(13435, "NotPrimaryNoSecondaryOk"),
  NOT_PRIMARY_OR_SECONDARY(13436, "NotPrimaryOrSecondary"),
  OUT_OF_DISK_SPACE(14031, "OutOfDiskSpace"),
  NAMESPACE_CANNOT_BE_SHARDED(28769, "NamespaceCannotBeSharded"),
  SEARCH_NOT_ENABLED(31082, "SearchNotEnabled"),
  IDL_DUPLICATE_FIELD(40413, "IDLDuplicateField"),
  IDL_FAILED_TO_PARSE(40414, "IDLFailedToParse"),
  IDL_UNKNOWN_FIELD(40415, "IDLUnknownField"),
  CLIENT_MARKED_KILLED(46841, "ClientMarkedKilled"),
  NOT_A_RETRYABLE_WRITE_COMMAND(50768, "NotARetryableWriteCommand"),
  BACKUP_CURSOR_OPEN_CONFLICT_WITH_CHECKPOINT(50915, "BackupCursorOpenConflictWithCheckpoint"),
  CONFIG_SERVER_UNREACHABLE(56846, "ConfigServerUnreachable"),
  RETRYABLE_INTERNAL_TRANSACTION_NOT_SUPPORTED(57986, "RetryableInternalTransactionNotSupported"),
  RETRIABLE_REMOTE_COMMAND_FAILURE(91331, "RetriableRemoteCommandFailure"),
  ILLEGAL_CHANGE_TO_EXPECTED_SHARD_VERSION(640570, "IllegalChangeToExpectedShardVersion"),
  ILLEGAL_CHANGE_TO_EXPECTED_DATABASE_VERSION(640571, "IllegalChangeToExpectedDatabaseVersion"),
  IDL_UNKNOWN_FIELD_POSSIBLE_MONGOCRYPTD(4662500, "IDLUnknownFieldPossibleMongocryptd"),
  READ_THROUGH_CACHE_TIME_MONOTONICITY_VIOLATION(
      10171600, "ReadThroughCacheTimeMonotonicityViolation"),

  // Numbers without a name of their own in MongoDB.

  /** An update that is no pipeline has constants. */
  CONSTANTS_WITHOUT_PIPELINE(51198, "Location51198"),
  /** A clustered index is not declared to be unique. */
  CLUSTERED_INDEX_NOT_UNIQUE(5979700, "Location5979700"),
  /** A client declares how it uses a version of the API, but not which. */
  API_VERSION_REQUIRED(4886600, "Location4886600"),
  /** Clients have to declare a version of the API, and one does not. */
  API_VERSION_MISSING(498870, "Location498870"),
  /** A change of the feature compatibility version is not confirmed. */
  FEATURE_COMPATIBILITY_NOT_CONFIRMED(7369100, "Location7369100"),
  /** There is no such feature compatibility version. */
  FEATURE_COMPATIBILITY_VERSION_INVALID(4926900, "Location4926900"),
  /** A request does not say which database it is for. */
  DATABASE_MISSING(40571, "Location40571"),
  /** A legacy query names its database twice. */
  DATABASE_IN_LEGACY_QUERY(40621, "Location40621"),
  /** {@code presplitHashedZones} where the collection, its zones or its key do not allow it. */
  PRESPLIT_NOT_SUPPORTED(31387, "Location31387"),
  /** A zone that begins at MinKey or MaxKey in front of the hashed field. */
  PRESPLIT_ZONE_WITHOUT_PREFIX(31388, "Location31388"),
  /** A zone that begins in the middle of the hashes. */
  PRESPLIT_ZONE_WITHIN_HASHES(31389, "Location31389"),
  /** A zone whose ends have the same fields in front of the hash. */
  PRESPLIT_ZONE_OF_ONE_PREFIX(31390, "Location31390"),
  /** A zone that begins with a value behind the hashed field. */
  PRESPLIT_ZONE_WITH_SUFFIX(31391, "Location31391"),
  /** Zones that do not cover all hashes of a key that begins with the hash. */
  PRESPLIT_ZONE_NOT_WHOLE(31412, "Location31412"),
  /** A zone without shards. */
  ZONE_WITHOUT_SHARD(50973, "Location50973"),
  /** An operation to kill on a shard is not named as shard:number. */
  KILL_OP_FORMAT(28625, "Location28625"),
  /** A killOp that names no operation. */
  KILL_OP_WITHOUT_OP(50759, "Location50759"),
  /** A killOp whose operation is neither a number nor a string. */
  KILL_OP_TYPE(50760, "Location50760"),
  /** The counter of a topology version is negative. */
  TOPOLOGY_COUNTER_NEGATIVE(31372, "Location31372"),
  /** The counter of a topology version is ahead of the server's. */
  TOPOLOGY_COUNTER_AHEAD(31382, "Location31382"),
  /** A message has two bodies. */
  OP_MSG_BODY_TWICE(40430, "Location40430"),
  /** A message has two document sequences of one name. */
  OP_MSG_SEQUENCE_TWICE(40431, "Location40431"),
  /** A section of a message is of no known kind. */
  OP_MSG_SECTION_KIND_UNKNOWN(40432, "Location40432"),
  /** A field is given in the body and as a document sequence. */
  OP_MSG_FIELD_IN_BODY_AND_SEQUENCE(40433, "Location40433"),
  /** A message has no body. */
  OP_MSG_BODY_MISSING(40587, "Location40587"),
  /** min and max are given without the index they are meant for. */
  HINT_REQUIRED_FOR_MIN_MAX(51173, "Location51173"),
  /** The fields of min or max are not those of the hinted index. */
  HINT_DOES_NOT_FIT_MIN_MAX(51174, "Location51174"),
  /** Nothing of the hinted index is from min on and before max. */
  MIN_NOT_BEFORE_MAX(51175, "Location51175"),
  /** A hello that waits for a change needs both of its arguments. */
  AWAITABLE_HELLO_ARGUMENTS(31368, "Location31368"),
  /** A hello cannot wait for a negative time. */
  AWAITABLE_HELLO_MAX_TIME(31373, "Location31373"),
  /** The argument of $match is not a document. */
  MATCH_STAGE_NOT_OBJECT(15959, "Location15959"),
  /** The argument of $skip is not a number that can be used. */
  SKIP_STAGE_NOT_NUMBER(5107200, "Location5107200"),
  /** The argument of $limit is not a number that can be used. */
  LIMIT_STAGE_NOT_NUMBER(5107201, "Location5107201"),
  /** The argument of $limit is zero. */
  LIMIT_STAGE_NOT_POSITIVE(15958, "Location15958"),
  /** The argument of $sort is not a document. */
  SORT_STAGE_NOT_OBJECT(15973, "Location15973"),
  /** The argument of $sort names no key. */
  SORT_STAGE_EMPTY(15976, "Location15976"),
  /** The argument of $project is not a document. */
  PROJECT_STAGE_NOT_OBJECT(15969, "Location15969"),
  /** The argument of $project names no field. */
  PROJECT_STAGE_EMPTY(51272, "Location51272"),
  /** The argument of $unset is neither a name nor an array. */
  UNSET_STAGE_TYPE(31002, "Location31002"),
  /** The array of $unset names no field. */
  UNSET_STAGE_EMPTY(31119, "Location31119"),
  /** The array of $unset has something else than names. */
  UNSET_STAGE_NOT_STRING(31120, "Location31120"),
  /** The argument of $count cannot be the name of a field. */
  COUNT_STAGE_NAME(40156, "Location40156"),
  /** The argument of $count is empty. */
  COUNT_STAGE_NAME_EMPTY(40157, "Location40157"),
  /** The argument of $count is a path. */
  COUNT_STAGE_NAME_DOLLAR(40158, "Location40158"),
  /** The argument of $count has a null byte in it. */
  COUNT_STAGE_NAME_NULL(40159, "Location40159"),
  /** The argument of $count has a dot in it. */
  COUNT_STAGE_NAME_DOT(40160, "Location40160"),
  /** The argument of $group is not a document. */
  GROUP_STAGE_NOT_OBJECT(15947, "Location15947"),
  // Stages that write.
  /** The argument of $out is neither a string nor an object. */
  OUT_STAGE_TYPE(16990, "Location16990"),
  /** $out into a capped collection. */
  OUT_STAGE_CAPPED(17152, "Location17152"),
  /** $out into a collection of the server's own. */
  OUT_STAGE_SPECIAL_COLLECTION(17385, "Location17385"),
  /** $out into a database of the server's own. */
  OUT_STAGE_INTERNAL_DATABASE(31321, "Location31321"),
  /** $merge into a collection of the server's own. */
  MERGE_STAGE_SPECIAL_COLLECTION(31319, "Location31319"),
  /** $merge into a database of the server's own. */
  MERGE_STAGE_INTERNAL_DATABASE(31320, "Location31320"),
  /** A path twice in the on of $merge. */
  MERGE_ON_DUPLICATE(31465, "Location31465"),
  /** A document that $merge gets has no value for its on, where the index is sparse. */
  MERGE_KEY_NULL(51132, "Location51132"),
  /** An element of the on of $merge is no string. */
  MERGE_ON_ELEMENT_TYPE(51134, "Location51134"),
  /** The into of $merge is neither a string nor an object. */
  MERGE_INTO_TYPE(51178, "Location51178"),
  /** Modes of $merge that do not go together. */
  MERGE_MODES(51181, "Location51181"),
  /** No unique index for the on of $merge. */
  MERGE_ON_WITHOUT_INDEX(51183, "Location51183"),
  /** A document that $merge gets has an array for its on. */
  MERGE_KEY_ARRAY(51185, "Location51185"),
  /** The on of $merge is neither a string nor an array. */
  MERGE_ON_TYPE(51186, "Location51186"),
  /** The on of $merge is empty. */
  MERGE_ON_EMPTY(51187, "Location51187"),
  /** The whenMatched of $merge is neither a string nor an array. */
  MERGE_WHEN_MATCHED_TYPE(51191, "Location51191"),
  /** The let of $merge without a pipeline. */
  MERGE_LET_WITHOUT_PIPELINE(51199, "Location51199"),
  /** The let of $merge says something else about $$new. */
  MERGE_LET_NEW(51273, "Location51273"),
  /** The into of $merge is an empty string. */
  MERGE_INTO_EMPTY(5786800, "Location5786800"),
  /** The into of $merge names no collection. */
  MERGE_INTO_WITHOUT_COLLECTION(5786801, "Location5786801"),

  /** The argument of $group has no _id. */
  GROUP_STAGE_WITHOUT_ID(15955, "Location15955"),
  /** A field of $group is not an accumulator. */
  GROUP_FIELD_NOT_ACCUMULATOR(40234, "Location40234"),
  /** The argument of $group has more than one _id. */
  GROUP_STAGE_IDS(15948, "Location15948"),
  /** The _id of $group looks like a list of fields to be included. */
  GROUP_STAGE_ID_INCLUSION(17390, "Location17390"),
  /** A field of $group has a dot in its name. */
  GROUP_FIELD_WITH_DOT(40235, "Location40235"),
  /** A field of $group is called like an operator. */
  GROUP_FIELD_OPERATOR_NAME(40236, "Location40236"),
  /** An accumulator has more than one argument. */
  GROUP_ACCUMULATOR_NOT_UNARY(40237, "Location40237"),
  /** A field of $group has more than one accumulator. */
  GROUP_FIELD_ACCUMULATORS(40238, "Location40238"),
  /** There is no such accumulator. */
  GROUP_ACCUMULATOR_UNKNOWN(15952, "Location15952"),
  /** The argument of $sortByCount is a document, but no expression. */
  SORT_BY_COUNT_NOT_EXPRESSION(40147, "Location40147"),
  /** The argument of $sortByCount is a string, but no path. */
  SORT_BY_COUNT_NOT_PATH(40148, "Location40148"),
  /** The argument of $sortByCount is neither a string nor a document. */
  SORT_BY_COUNT_TYPE(40149, "Location40149"),
  /** A boundary of $bucket is computed. */
  BUCKET_BOUNDARY_NOT_CONSTANT(40191, "Location40191"),
  /** $bucket has fewer than two boundaries. */
  BUCKET_BOUNDARY_COUNT(40192, "Location40192"),
  /** The boundaries of $bucket have different types. */
  BUCKET_BOUNDARY_TYPES(40193, "Location40193"),
  /** The boundaries of $bucket are not in order. */
  BUCKET_BOUNDARY_ORDER(40194, "Location40194"),
  /** The default of $bucket is computed. */
  BUCKET_DEFAULT_NOT_CONSTANT(40195, "Location40195"),
  /** The output of $bucket is no document. */
  BUCKET_OUTPUT_TYPE(40196, "Location40196"),
  /** $bucket has an argument that does not exist. */
  BUCKET_UNKNOWN(40197, "Location40197"),
  /** $bucket has no groupBy or no boundaries. */
  BUCKET_INCOMPLETE(40198, "Location40198"),
  /** The default of $bucket lies between its boundaries. */
  BUCKET_DEFAULT_INSIDE(40199, "Location40199"),
  /** The boundaries of $bucket are no array. */
  BUCKET_BOUNDARIES_TYPE(40200, "Location40200"),
  /** The argument of $bucket is no document. */
  BUCKET_NOT_OBJECT(40201, "Location40201"),
  /** The groupBy of $bucket is no expression. */
  BUCKET_GROUP_BY(40202, "Location40202"),
  /** The groupBy of $bucketAuto is no expression. */
  BUCKET_AUTO_GROUP_BY(40239, "Location40239"),
  /** The argument of $bucketAuto is no document. */
  BUCKET_AUTO_NOT_OBJECT(40240, "Location40240"),
  /** The number of buckets is none. */
  BUCKET_AUTO_COUNT_TYPE(40241, "Location40241"),
  /** The number of buckets is not whole or too large. */
  BUCKET_AUTO_COUNT_NOT_INT(40242, "Location40242"),
  /** The number of buckets is not positive. */
  BUCKET_AUTO_COUNT_RANGE(40243, "Location40243"),
  /** The output of $bucketAuto is no document. */
  BUCKET_AUTO_OUTPUT_TYPE(40244, "Location40244"),
  /** $bucketAuto has an argument that does not exist. */
  BUCKET_AUTO_UNKNOWN(40245, "Location40245"),
  /** $bucketAuto has no groupBy or no buckets. */
  BUCKET_AUTO_INCOMPLETE(40246, "Location40246"),
  /** There is no such granularity. */
  GRANULARITY_UNKNOWN(40257, "Location40257"),
  /** A value that is to be rounded is no number. */
  GRANULARITY_VALUE_TYPE(40258, "Location40258"),
  /** A value that is to be rounded is NaN. */
  GRANULARITY_VALUE_NAN(40259, "Location40259"),
  /** A value that is to be rounded is negative. */
  GRANULARITY_VALUE_NEGATIVE(40260, "Location40260"),
  /** The granularity is no string. */
  GRANULARITY_TYPE(40261, "Location40261"),
  /** An accumulator of $bucketAuto refers to the key of a group. */
  BUCKET_AUTO_INITIALIZER(4544714, "Location4544714"),
  /** The argument of $percentile as an accumulator is no document. */
  PERCENTILE_ACCUMULATOR_NOT_OBJECT(7429703, "Location7429703"),
  /** The argument of $topN or one of its relatives is no document. */
  TOP_N_NOT_OBJECT(5788001, "Location5788001"),
  /** $topN or one of its relatives has an argument that does not exist. */
  TOP_N_UNKNOWN(5788002, "Location5788002"),
  /** $topN has no n. */
  TOP_N_WITHOUT_N(5788003, "Location5788003"),
  /** $topN or one of its relatives has no output. */
  TOP_N_WITHOUT_OUTPUT(5788004, "Location5788004"),
  /** $topN or one of its relatives has no sortBy. */
  TOP_N_WITHOUT_SORT_BY(5788005, "Location5788005"),
  /** A function of $accumulator is computed. */
  ACCUMULATOR_NOT_CONSTANT(4544701, "Location4544701"),
  /** A function of $accumulator is neither a string nor code. */
  ACCUMULATOR_NOT_CODE(4544702, "Location4544702"),
  /** The argument of $accumulator is no document. */
  ACCUMULATOR_NOT_OBJECT(4544703, "Location4544703"),
  /** The language of $accumulator is no string. */
  ACCUMULATOR_LANG_TYPE(4544704, "Location4544704"),
  /** The language of $accumulator is not JavaScript. */
  ACCUMULATOR_LANG(4544705, "Location4544705"),
  /** $accumulator has an argument that does not exist. */
  ACCUMULATOR_UNKNOWN(4544706, "Location4544706"),
  /** $accumulator has no init. */
  ACCUMULATOR_WITHOUT_INIT(4544707, "Location4544707"),
  /** $accumulator has no accumulate. */
  ACCUMULATOR_WITHOUT_ACCUMULATE(4544708, "Location4544708"),
  /** $accumulator has no merge. */
  ACCUMULATOR_WITHOUT_MERGE(4544709, "Location4544709"),
  /** $accumulator has no accumulateArgs. */
  ACCUMULATOR_WITHOUT_ARGS(4544710, "Location4544710"),
  /** The initArgs of $accumulator are no array. */
  ACCUMULATOR_INIT_ARGS_TYPE(4544711, "Location4544711"),
  /** The accumulateArgs of $accumulator are no array. */
  ACCUMULATOR_ARGS_TYPE(4544712, "Location4544712"),
  /** A pipeline stage has not exactly one field. */
  PIPELINE_STAGE_FIELDS(40323, "Location40323"),
  /** A change stream is opened on a node that is not in a replica set. */
  CHANGE_STREAM_ON_STANDALONE(40573, "Location40573"),
  /** The argument of $changeStream is no document. */
  CHANGE_STREAM_NOT_OBJECT(50808, "Location50808"),
  /** $changeStream has both resumeAfter and startAfter. */
  CHANGE_STREAM_TWO_TOKENS(50865, "Location50865"),
  /** $changeStream has both a token and a time to begin at. */
  CHANGE_STREAM_TWO_STARTS(40674, "Location40674"),
  /** A resume token has no string as its _data. */
  RESUME_TOKEN_DATA(40647, "Location40647"),
  /** The _typeBits of a resume token are not binary. */
  RESUME_TOKEN_TYPE_BITS(40648, "Location40648"),
  /** The _data of a resume token is empty. */
  RESUME_TOKEN_EMPTY(40649, "Location40649"),
  /** A resume token is of a version that is not known. */
  RESUME_TOKEN_VERSION(50795, "Location50795"),
  /** A role is to be created that exists. */
  ROLE_EXISTS(51002, "Location51002"),
  /** A user is to be created that exists. */
  USER_EXISTS(51003, "Location51003"),
  /** A resume token is neither of an event nor a high-water mark. */
  RESUME_TOKEN_KIND(51057, "Location51057"),
  /** The bytes of a resume token are not those of one. */
  RESUME_TOKEN_MALFORMED(50811, "Location50811"),
  /** The argument of $changeStreamSplitLargeEvent is not an empty document. */
  SPLIT_LARGE_EVENT_NOT_EMPTY(7182800, "Location7182800"),
  /** $changeStreamSplitLargeEvent stands before another stage. */
  SPLIT_LARGE_EVENT_NOT_LAST(7182802, "Location7182802"),
  /** A field of an event is too large for a fragment. */
  SPLIT_EVENT_TOO_LARGE(7182500, "Location7182500"),
  /** An event has nothing but its _id. */
  SPLIT_EVENT_WITHOUT_FIELDS(7182502, "Location7182502"),
  /** A stage that cannot be a part of $facet. */
  STAGE_NOT_IN_FACET(40600, "Location40600"),
  /** A stage that writes stands before another one. */
  STAGE_MUST_BE_LAST(40601, "Location40601"),
  /** A stage that makes documents stands behind another one. */
  STAGE_MUST_BE_FIRST(40602, "Location40602"),
  // Stages that unwind, sample, redact and join.
  /** The argument of $unwind is neither a path nor a document. */
  UNWIND_STAGE_ARGUMENT(15981, "Location15981"),
  /** The path of $unwind is no string. */
  UNWIND_STAGE_PATH_NOT_STRING(28808, "Location28808"),
  /** The preserveNullAndEmptyArrays of $unwind is no boolean. */
  UNWIND_STAGE_PRESERVE_NOT_BOOL(28809, "Location28809"),
  /** The includeArrayIndex of $unwind cannot be a name. */
  UNWIND_STAGE_INDEX_NOT_STRING(28810, "Location28810"),
  /** $unwind has an option that does not exist. */
  UNWIND_STAGE_UNKNOWN(28811, "Location28811"),
  /** $unwind has no path. */
  UNWIND_STAGE_WITHOUT_PATH(28812, "Location28812"),
  /** The path of $unwind has no dollar sign. */
  UNWIND_STAGE_PATH_WITHOUT_DOLLAR(28818, "Location28818"),
  /** The includeArrayIndex of $unwind has a dollar sign. */
  UNWIND_STAGE_INDEX_DOLLAR(28822, "Location28822"),
  /** The argument of $sample is no document. */
  SAMPLE_STAGE_NOT_OBJECT(28745, "Location28745"),
  /** The size of $sample is no number. */
  SAMPLE_STAGE_SIZE_NOT_NUMBER(28746, "Location28746"),
  /** The size of $sample is negative. */
  SAMPLE_STAGE_SIZE_NEGATIVE(28747, "Location28747"),
  /** $sample has an option that does not exist. */
  SAMPLE_STAGE_UNKNOWN(28748, "Location28748"),
  /** $sample has no size. */
  SAMPLE_STAGE_WITHOUT_SIZE(28749, "Location28749"),
  /** The expression of $redact gave something that does not say what to do. */
  REDACT_STAGE_RESULT(17053, "Location17053"),
  /** A stage that may not be in the pipeline of a $lookup. */
  STAGE_NOT_IN_LOOKUP(51047, "Location51047"),
  /** A stage that may not be in the pipeline of a $unionWith. */
  STAGE_NOT_IN_UNION(31441, "Location31441"),
  /** What a $lookup found for a document is too large. */
  LOOKUP_STAGE_TOO_LARGE(4568, "Location4568"),
  /** A $graphLookup needs more memory than it may have. */
  GRAPH_LOOKUP_STAGE_MEMORY(40099, "Location40099"),
  /** The maxDepth of $graphLookup is no number. */
  GRAPH_LOOKUP_STAGE_DEPTH_NOT_NUMBER(40100, "Location40100"),
  /** The maxDepth of $graphLookup is negative. */
  GRAPH_LOOKUP_STAGE_DEPTH_NEGATIVE(40101, "Location40101"),
  /** The maxDepth of $graphLookup is not whole. */
  GRAPH_LOOKUP_STAGE_DEPTH_NOT_WHOLE(40102, "Location40102"),
  /** An argument of $graphLookup is no string. */
  GRAPH_LOOKUP_STAGE_NOT_STRING(40103, "Location40103"),
  /** $graphLookup has an argument that does not exist. */
  GRAPH_LOOKUP_STAGE_UNKNOWN(40104, "Location40104"),
  /** $graphLookup lacks an argument. */
  GRAPH_LOOKUP_STAGE_MISSING(40105, "Location40105"),
  /** The restrictSearchWithMatch of $graphLookup is no document. */
  GRAPH_LOOKUP_STAGE_FILTER_NOT_OBJECT(40185, "Location40185"),
  /** A document that $graphLookup found has no _id. */
  GRAPH_LOOKUP_STAGE_WITHOUT_ID(40271, "Location40271"),
  /** The argument of $facet is no document, or an empty one. */
  FACET_STAGE_ARGUMENT(40169, "Location40169"),
  /** A field of $facet is no pipeline. */
  FACET_STAGE_NOT_ARRAY(40170, "Location40170"),
  /** A pipeline of $facet has something in it that is no stage. */
  FACET_STAGE_NOT_STAGES(40171, "Location40171"),
  /** What the pipelines of a $facet found is too large for one document. */
  FACET_STAGE_TOO_LARGE(4031700, "Location4031700"),
  /** The expression of $documents gave no array. */
  DOCUMENTS_STAGE_NOT_ARRAY(5858203, "Location5858203"),
  // Stages that report on the server.
  /** The argument of $collStats is no document. */
  COLL_STATS_STAGE_NOT_OBJECT(5447000, "Location5447000"),
  /** The argument of $indexStats is no empty document. */
  INDEX_STATS_STAGE_NOT_EMPTY(28803, "Location28803"),
  /** The argument of $listCatalog is no empty document. */
  LIST_CATALOG_STAGE_NOT_EMPTY(6200600, "Location6200600"),
  /** $listClusterCatalog stands in a pipeline over a collection. */
  LIST_CLUSTER_CATALOG_STAGE_ON_COLLECTION(9621301, "Location9621301"),
  /** The argument of $listClusterCatalog is no document. */
  LIST_CLUSTER_CATALOG_STAGE_NOT_OBJECT(9621302, "Location9621302"),
  /** The argument of $shardedDataDistribution is not an empty document. */
  DATA_DISTRIBUTION_STAGE_NOT_EMPTY(6789100, "Location6789100"),
  /** $shardedDataDistribution was sent to a node that is no router. */
  DATA_DISTRIBUTION_STAGE_NOT_ON_ROUTER(6789101, "Location6789101"),
  /** The argument of $querySettings is no document. */
  QUERY_SETTINGS_STAGE_NOT_OBJECT(7746801, "Location7746801"),
  /** A numeric part of an indexed path is both an array position and a field name. */
  INDEX_KEY_FIELD_AMBIGUOUS(16746, "Location16746"),
  /** A hashed index is to be unique. */
  HASHED_INDEX_UNIQUE(16764, "Location16764"),
  /** An index has several hashed fields. */
  SEVERAL_HASHED_FIELDS(31303, "Location31303"),
  /** The clustered option of an index is false. */
  CLUSTERED_NOT_TRUE(6492800, "Location6492800"),
  /** An index has several wildcards. */
  SEVERAL_WILDCARDS(7246201, "Location7246201"),
  /** A wildcard and another field of an index overlap. */
  WILDCARD_OVERLAP(7246204, "Location7246204"),
  /** The projection of a wildcard and another field of an index overlap. */
  WILDCARD_PROJECTION_OVERLAP(7246208, "Location7246208"),
  /** The projection of a wildcard does not leave out the other fields of an index. */
  WILDCARD_PROJECTION_NOT_EXCLUDING(7246209, "Location7246209"),
  /** A 2d index has a field before the place. */
  GEO_FIELD_NOT_FIRST(16801, "Location16801"),
  /** A 2d index has two places. */
  SEVERAL_GEO_FIELDS(16800, "Location16800"),
  /** The coarsest level of a 2dsphere index is negative. */
  GEO_COARSEST_LEVEL_NEGATIVE(16747, "Location16747"),
  /** The finest level of a 2dsphere index is beyond the smallest cells. */
  GEO_FINEST_LEVEL_TOO_LARGE(16748, "Location16748"),
  /** The finest level of a 2dsphere index is above its coarsest. */
  GEO_LEVELS_CROSSED(16749, "Location16749"),
  /** A document has something at the field of a 2dsphere index that is no place. */
  GEO_KEYS_NOT_EXTRACTED(16755, "Location16755"),
  /** A document has something in an array of places that is no place. */
  GEO_LOCATION_EXPECTED(16804, "Location16804"),
  /** A document has a single number at the field of a 2d index. */
  GEO_FIELD_ONE_ELEMENT(13068, "Location13068"),
  /** A document has something else than numbers at the field of a 2d index. */
  GEO_FIELD_NOT_NUMERIC(13026, "Location13026"),
  /** A document has a point beyond the bounds of a 2d index. */
  GEO_POINT_OUT_OF_BOUNDS(13027, "Location13027"),
  /** A query has a point beyond the bounds of a 2d index. */
  GEO_CENTER_OUT_OF_BOUNDS(16433, "Location16433"),
  /** A $near has something beside it that is none of its arguments. */
  NEAR_ARGUMENT_INVALID(34413, "Location34413"),
  /** The $minDistance of a legacy $near is no number. */
  NEAR_MIN_DISTANCE_NOT_NUMBER(16893, "Location16893"),
  /** The $minDistance of a legacy $near is negative. */
  NEAR_MIN_DISTANCE_NEGATIVE(16894, "Location16894"),
  /** The $maxDistance of a legacy $near is no number. */
  NEAR_MAX_DISTANCE_NOT_NUMBER(16895, "Location16895"),
  /** The $maxDistance of a legacy $near is negative. */
  NEAR_MAX_DISTANCE_NEGATIVE(16896, "Location16896"),
  /** The distance in the array of a legacy $near is negative. */
  NEAR_POINT_DISTANCE_NEGATIVE(18522, "Location18522"),
  /** A $near stands where no index can answer it. */
  NEAR_NOT_ALLOWED(5626500, "Location5626500"),
  /** $geoNear has a collation of its own. */
  GEO_NEAR_STAGE_COLLATION(40227, "Location40227"),
  /** $geoNear has a limit. */
  GEO_NEAR_STAGE_LIMIT(50858, "Location50858"),
  /** $geoNear has a num. */
  GEO_NEAR_STAGE_NUM(50857, "Location50857"),
  /** $geoNear has a start. */
  GEO_NEAR_STAGE_START(50856, "Location50856"),
  /** $geoNear has no point to start from. */
  GEO_NEAR_STAGE_WITHOUT_NEAR(5860400, "Location5860400"),
  /** The point of $geoNear is neither a document nor an array. */
  GEO_NEAR_STAGE_NEAR_TYPE(5860401, "Location5860401"),
  /** The distanceField of $geoNear is no string. */
  GEO_NEAR_STAGE_DISTANCE_FIELD(16606, "Location16606"),
  /** The includeLocs of $geoNear is no string. */
  GEO_NEAR_STAGE_INCLUDE_LOCS(16607, "Location16607"),
  /** A document has an array where an index has a hash. */
  HASHED_INDEX_ON_ARRAY(16766, "Location16766"),
  /** A document has an array in a regular field of a compound wildcard index. */
  COMPOUND_WILDCARD_ON_ARRAY(7246301, "Location7246301"),
  /** The values of a distinct do not fit into one reply. */
  DISTINCT_TOO_BIG(17217, "Location17217"),
  /** The key of a distinct has a NUL in it. */
  DISTINCT_KEY_WITH_NUL(31032, "Location31032"),
  /** A findAndModify is sent again as something else than the removal it was. */
  RETRY_OF_FIND_AND_REMOVE(40606, "Location40606"),
  /** A findAndModify is sent again as something else than the upsert it was. */
  RETRY_OF_FIND_AND_UPSERT(40608, "Location40608"),
  /** A findAndModify is sent again as something else than the update it was. */
  RETRY_OF_FIND_AND_UPDATE(40609, "Location40609"),
  /** A cursor is continued in another session than the one that opened it. */
  CURSOR_SESSION_MISMATCH(50738, "Location50738"),
  /** A cursor that was opened outside of transactions is continued in one. */
  CURSOR_NOT_OF_TRANSACTION(50739, "Location50739"),
  /** A cursor that was opened in a transaction is continued outside of it. */
  CURSOR_OF_TRANSACTION(50740, "Location50740"),
  /** A cursor that was opened in a transaction is continued in another one. */
  CURSOR_OF_OTHER_TRANSACTION(50741, "Location50741"),
  /** An aggregation stage of this name does not exist. */
  UNRECOGNIZED_PIPELINE_STAGE(40324, "Location40324"),
  /** Positional projection and query do not fit. */
  OUT_OF_RANGE_POSITIONAL(51246, "Location51246"),
  /** Resulting document after update is larger than the limit. */
  UPDATED_DOCUMENT_TOO_LARGE(17419, "Location17419"),
  /** Document to upsert is larger than the limit. */
  UPSERT_DOCUMENT_TOO_LARGE(17420, "Location17420"),
  /** A field path is the empty string. */
  FIELD_PATH_EMPTY(40352, "Location40352"),
  /** A field path ends with a dot. */
  FIELD_PATH_ENDS_WITH_DOT(40353, "Location40353"),
  /** A field path has an empty part. */
  FIELD_PATH_EMPTY_NAME(15998, "Location15998"),
  /** A part of a field path begins with a dollar sign. */
  FIELD_PATH_DOLLAR_NAME(16410, "Location16410"),
  /** A field path has more parts than documents may nest. */
  FIELD_PATH_TOO_LONG(5729100, "Location5729100"),
  // Expressions, by number.
  /** An argument is no object, where only objects can be meant. */
  EXPECTED_OBJECT(10065, "Location10065"),
  /** A value that an expression builds grows beyond all bounds. */
  BUFFER_TOO_LARGE(13548, "Location13548"),
  /** An expression has another number of fields than one. */
  EXPRESSION_FIELDS(15983, "Location15983"),
  /** A value is no number that a long could be made of. */
  LONG_COERCION(16004, "Location16004"),
  /** A value is no date. */
  DATE_COERCION(16006, "Location16006"),
  /** A value has no text. */
  STRING_COERCION(16007, "Location16007"),
  /** An expression has another number of arguments than it takes. */
  EXPRESSION_ARITY(16020, "Location16020"),
  /** The start of $substrBytes is no number. */
  SUBSTR_START_TYPE(16034, "Location16034"),
  /** The length of $substrBytes is no number. */
  SUBSTR_LENGTH_TYPE(16035, "Location16035"),
  /** A field is there twice in an object expression. */
  EXPRESSION_OBJECT_DUPLICATE(16406, "Location16406"),
  /** A field's name in an expression has a dot in it. */
  FIELD_PATH_DOT_IN_NAME(16412, "Location16412"),
  /** The expression $mod by zero. */
  MOD_BY_ZERO(16610, "Location16610"),
  /** The expression $mod is applied to something that is no number. */
  MOD_TYPE(16611, "Location16611"),
  /** $add is given two dates. */
  ADD_TWO_DATES(16612, "Location16612"),
  /** An argument of $concat is no string. */
  CONCAT_NOT_STRING(16702, "Location16702"),
  /** A field path is nothing but a dollar sign. */
  EXPRESSION_PATH_DOLLAR(16872, "Location16872"),
  /** $let has an argument that is no object. */
  LET_NOT_OBJECT(16874, "Location16874"),
  /** $let has an argument that does not exist. */
  LET_UNKNOWN(16875, "Location16875"),
  /** $let binds no variables. */
  LET_WITHOUT_VARS(16876, "Location16876"),
  /** $let has no expression. */
  LET_WITHOUT_IN(16877, "Location16877"),
  /** $map has an argument that is no object. */
  MAP_NOT_OBJECT(16878, "Location16878"),
  /** $map has an argument that does not exist. */
  MAP_UNKNOWN(16879, "Location16879"),
  /** $map has no input. */
  MAP_WITHOUT_INPUT(16880, "Location16880"),
  /** $map has no expression. */
  MAP_WITHOUT_IN(16882, "Location16882"),
  /** The input of $map is no array. */
  MAP_INPUT_NOT_ARRAY(16883, "Location16883"),
  /** $allElementsTrue is applied to something that is no array. */
  ALL_ELEMENTS_TRUE_NOT_ARRAY(17040, "Location17040"),
  /** $anyElementTrue is applied to something that is no array. */
  ANY_ELEMENT_TRUE_NOT_ARRAY(17041, "Location17041"),
  /** The second argument of $setIsSubset is no array. */
  SET_IS_SUBSET_SECOND(17042, "Location17042"),
  /** An argument of $setUnion is no array. */
  SET_UNION_NOT_ARRAY(17043, "Location17043"),
  /** An argument of $setEquals is no array. */
  SET_EQUALS_NOT_ARRAY(17044, "Location17044"),
  /** $setEquals has fewer than two arguments. */
  SET_EQUALS_ARITY(17045, "Location17045"),
  /** The first argument of $setIsSubset is no array. */
  SET_IS_SUBSET_FIRST(17046, "Location17046"),
  /** An argument of $setIntersection is no array. */
  SET_INTERSECTION_NOT_ARRAY(17047, "Location17047"),
  /** The first argument of $setDifference is no array. */
  SET_DIFFERENCE_FIRST(17048, "Location17048"),
  /** The second argument of $setDifference is no array. */
  SET_DIFFERENCE_SECOND(17049, "Location17049"),
  /** $cond has no if. */
  COND_WITHOUT_IF(17080, "Location17080"),
  /** $cond has no then. */
  COND_WITHOUT_THEN(17081, "Location17081"),
  /** $cond has no else. */
  COND_WITHOUT_ELSE(17082, "Location17082"),
  /** $cond has an argument that does not exist. */
  COND_UNKNOWN(17083, "Location17083"),
  /** $size is applied to something that is no array. */
  SIZE_NOT_ARRAY(17124, "Location17124"),
  /** An expression uses a variable that does not exist. */
  EXPRESSION_VARIABLE_UNDEFINED(17276, "Location17276"),
  /** The format of $dateToString is no string. */
  DATE_TO_STRING_FORMAT_TYPE(18533, "Location18533"),
  /** $dateToString has an argument that does not exist. */
  DATE_TO_STRING_UNKNOWN(18534, "Location18534"),
  /** A date format ends with a percent sign. */
  DATE_FORMAT_END(18535, "Location18535"),
  /** A date format has a specifier that does not exist. */
  DATE_FORMAT_SPECIFIER(18536, "Location18536"),
  /** A date's year cannot be written with four digits. */
  DATE_FORMAT_YEAR(18537, "Location18537"),
  /** $dateToString has no date. */
  DATE_TO_STRING_WITHOUT_DATE(18628, "Location18628"),
  /** $dateToString has an argument that is no object. */
  DATE_TO_STRING_NOT_OBJECT(18629, "Location18629"),
  /** $filter has an argument that is no object. */
  FILTER_NOT_OBJECT(28646, "Location28646"),
  /** $filter has an argument that does not exist. */
  FILTER_UNKNOWN(28647, "Location28647"),
  /** $filter has no input. */
  FILTER_WITHOUT_INPUT(28648, "Location28648"),
  /** $filter has no condition. */
  FILTER_WITHOUT_COND(28650, "Location28650"),
  /** The input of $filter is no array. */
  FILTER_INPUT_NOT_ARRAY(28651, "Location28651"),
  /** $substrBytes starts inside a character. */
  SUBSTR_START_INSIDE(28656, "Location28656"),
  /** $substrBytes ends inside a character. */
  SUBSTR_END_INSIDE(28657, "Location28657"),
  /** An argument of $concatArrays is no array. */
  CONCAT_ARRAYS_NOT_ARRAY(28664, "Location28664"),
  /** $abs of a number whose opposite does not fit a long. */
  ABS_OVERFLOW(28680, "Location28680"),
  /** $arrayElemAt, $first or $last is applied to something that is no array. */
  ARRAY_ELEM_AT_NOT_ARRAY(28689, "Location28689"),
  /** The index of $arrayElemAt is no number. */
  ARRAY_ELEM_AT_INDEX_TYPE(28690, "Location28690"),
  /** The index of $arrayElemAt does not fit an int. */
  ARRAY_ELEM_AT_INDEX_RANGE(28691, "Location28691"),
  /** $sqrt of a negative number. */
  SQRT_NEGATIVE(28714, "Location28714"),
  /** The second argument of $slice is no number. */
  SLICE_SECOND_TYPE(28725, "Location28725"),
  /** The second argument of $slice does not fit an int. */
  SLICE_SECOND_RANGE(28726, "Location28726"),
  /** The third argument of $slice is no number. */
  SLICE_THIRD_TYPE(28727, "Location28727"),
  /** The third argument of $slice does not fit an int. */
  SLICE_THIRD_RANGE(28728, "Location28728"),
  /** The third argument of $slice is not positive. */
  SLICE_THIRD_NOT_POSITIVE(28729, "Location28729"),
  /** The argument of $log is no number. */
  LOG_ARGUMENT_TYPE(28756, "Location28756"),
  /** The base of $log is no number. */
  LOG_BASE_TYPE(28757, "Location28757"),
  /** The argument of $log is not positive. */
  LOG_ARGUMENT_NOT_POSITIVE(28758, "Location28758"),
  /** The base of $log is not positive, or 1. */
  LOG_BASE_ILLEGAL(28759, "Location28759"),
  /** The argument of $log10 is not positive. */
  LOG10_NOT_POSITIVE(28761, "Location28761"),
  /** The base of $pow is no number. */
  POW_BASE_TYPE(28762, "Location28762"),
  /** The exponent of $pow is no number. */
  POW_EXPONENT_TYPE(28763, "Location28763"),
  /** $pow of zero with a negative exponent. */
  POW_ZERO_NEGATIVE(28764, "Location28764"),
  /** A function of numbers is applied to something else. */
  NUMERIC_ARGUMENT(28765, "Location28765"),
  /** The argument of $ln is not positive. */
  LN_NOT_POSITIVE(28766, "Location28766"),
  /** $regexFind or the like has no input. */
  REGEX_WITHOUT_INPUT(31022, "Location31022"),
  /** $regexFind or the like has no pattern. */
  REGEX_WITHOUT_REGEX(31023, "Location31023"),
  /** $regexFind or the like has an argument that does not exist. */
  REGEX_UNKNOWN(31024, "Location31024"),
  /** A part of $dateFromParts is out of bounds. */
  DATE_FROM_PARTS_RANGE(31034, "Location31034"),
  /** The isoWeekYear of $dateFromParts is out of bounds. */
  DATE_FROM_PARTS_ISO_YEAR_RANGE(31095, "Location31095"),
  /** $function has an argument that is no object. */
  FUNCTION_NOT_OBJECT(31260, "Location31260"),
  /** $function has no body. */
  FUNCTION_WITHOUT_BODY(31261, "Location31261"),
  /** The body of $function is neither string nor code. */
  FUNCTION_BODY_TYPE(31262, "Location31262"),
  /** $function has no arguments. */
  FUNCTION_WITHOUT_ARGS(31263, "Location31263"),
  /** The arguments of $function are no array. */
  FUNCTION_ARGS_TYPE(31266, "Location31266"),
  /** A $project has a positional operator. */
  PROJECTION_POSITIONAL_IN_STAGE(31324, "Location31324"),
  /** $bsonSize is applied to something that is no object. */
  BSON_SIZE_TYPE(31393, "Location31393"),
  /** $function names no language. */
  FUNCTION_WITHOUT_LANG(31418, "Location31418"),
  /** $function names another language than JavaScript. */
  FUNCTION_LANG(31419, "Location31419"),
  /** $reverseArray is applied to something that is no array. */
  REVERSE_ARRAY_NOT_ARRAY(34435, "Location34435"),
  /** The start of $range is no number. */
  RANGE_START_TYPE(34443, "Location34443"),
  /** The start of $range does not fit an int. */
  RANGE_START_RANGE(34444, "Location34444"),
  /** The end of $range is no number. */
  RANGE_END_TYPE(34445, "Location34445"),
  /** The end of $range does not fit an int. */
  RANGE_END_RANGE(34446, "Location34446"),
  /** The step of $range is no number. */
  RANGE_STEP_TYPE(34447, "Location34447"),
  /** The step of $range does not fit an int. */
  RANGE_STEP_RANGE(34448, "Location34448"),
  /** The step of $range is zero. */
  RANGE_STEP_ZERO(34449, "Location34449"),
  /** The start of $substrCP is no number. */
  SUBSTR_CP_START_TYPE(34450, "Location34450"),
  /** The start of $substrCP does not fit an int. */
  SUBSTR_CP_START_RANGE(34451, "Location34451"),
  /** The length of $substrCP is no number. */
  SUBSTR_CP_LENGTH_TYPE(34452, "Location34452"),
  /** The length of $substrCP does not fit an int. */
  SUBSTR_CP_LENGTH_RANGE(34453, "Location34453"),
  /** The length of $substrCP is negative. */
  SUBSTR_CP_LENGTH_NEGATIVE(34454, "Location34454"),
  /** The start of $substrCP is negative. */
  SUBSTR_CP_START_NEGATIVE(34455, "Location34455"),
  /** $zip has an argument that is no object. */
  ZIP_NOT_OBJECT(34460, "Location34460"),
  /** The inputs of $zip are no array. */
  ZIP_INPUTS_NOT_ARRAY(34461, "Location34461"),
  /** The defaults of $zip are no array. */
  ZIP_DEFAULTS_NOT_ARRAY(34462, "Location34462"),
  /** The useLongestLength of $zip is no boolean. */
  ZIP_LONGEST_NOT_BOOLEAN(34463, "Location34463"),
  /** $zip has an argument that does not exist. */
  ZIP_UNKNOWN(34464, "Location34464"),
  /** $zip has no inputs. */
  ZIP_WITHOUT_INPUTS(34465, "Location34465"),
  /** $zip has defaults it has no use for. */
  ZIP_DEFAULTS_WITHOUT_LONGEST(34466, "Location34466"),
  /** $zip has another number of defaults than of inputs. */
  ZIP_DEFAULTS_LENGTH(34467, "Location34467"),
  /** An input of $zip is no array. */
  ZIP_INPUT_NOT_ARRAY(34468, "Location34468"),
  /** $strLenCP is applied to something that is no string. */
  STR_LEN_CP_TYPE(34471, "Location34471"),
  /** $strLenBytes is applied to something that is no string. */
  STR_LEN_BYTES_TYPE(34473, "Location34473"),
  /** $switch has an argument that is no object. */
  SWITCH_NOT_OBJECT(40060, "Location40060"),
  /** The branches of $switch are no array. */
  SWITCH_BRANCHES_NOT_ARRAY(40061, "Location40061"),
  /** A branch of $switch is no object. */
  SWITCH_BRANCH_NOT_OBJECT(40062, "Location40062"),
  /** A branch of $switch has an argument that does not exist. */
  SWITCH_BRANCH_UNKNOWN(40063, "Location40063"),
  /** A branch of $switch has no case. */
  SWITCH_BRANCH_WITHOUT_CASE(40064, "Location40064"),
  /** A branch of $switch has no then. */
  SWITCH_BRANCH_WITHOUT_THEN(40065, "Location40065"),
  /** No branch of $switch applies, and there is no default. */
  SWITCH_NO_MATCH(40066, "Location40066"),
  /** $switch has an argument that does not exist. */
  SWITCH_UNKNOWN(40067, "Location40067"),
  /** $switch has no branch. */
  SWITCH_WITHOUT_BRANCH(40068, "Location40068"),
  /** $reduce has an argument that is no object. */
  REDUCE_NOT_OBJECT(40075, "Location40075"),
  /** $reduce has an argument that does not exist. */
  REDUCE_UNKNOWN(40076, "Location40076"),
  /** $reduce has no input. */
  REDUCE_WITHOUT_INPUT(40077, "Location40077"),
  /** $reduce has no initial value. */
  REDUCE_WITHOUT_INITIAL(40078, "Location40078"),
  /** $reduce has no expression. */
  REDUCE_WITHOUT_IN(40079, "Location40079"),
  /** The input of $reduce is no array. */
  REDUCE_INPUT_NOT_ARRAY(40080, "Location40080"),
  /** The second argument of the expression $in is no array. */
  IN_NOT_ARRAY(40081, "Location40081"),
  /** The first argument of $split is no string. */
  SPLIT_INPUT_TYPE(40085, "Location40085"),
  /** The second argument of $split is no string. */
  SPLIT_SEPARATOR_TYPE(40086, "Location40086"),
  /** The separator of $split is empty. */
  SPLIT_SEPARATOR_EMPTY(40087, "Location40087"),
  /** The first argument of $indexOfArray is no array. */
  INDEX_OF_ARRAY_NOT_ARRAY(40090, "Location40090"),
  /** The first argument of $indexOfBytes is no string. */
  INDEX_OF_BYTES_INPUT_TYPE(40091, "Location40091"),
  /** The second argument of $indexOfBytes is no string. */
  INDEX_OF_BYTES_TOKEN_TYPE(40092, "Location40092"),
  /** The first argument of $indexOfCP is no string. */
  INDEX_OF_CP_INPUT_TYPE(40093, "Location40093"),
  /** The second argument of $indexOfCP is no string. */
  INDEX_OF_CP_TOKEN_TYPE(40094, "Location40094"),
  /** An index for $indexOfArray and the like is not whole. */
  INDEX_OF_NOT_INTEGER(40096, "Location40096"),
  /** An index for $indexOfArray and the like is negative. */
  INDEX_OF_NEGATIVE(40097, "Location40097"),
  /** $addFields sets a path twice. */
  ADD_FIELDS_CONFLICT(40176, "Location40176"),
  /** An expression of $addFields has several fields. */
  ADD_FIELDS_EXPRESSION_FIELDS(40181, "Location40181"),
  /** $addFields has a dotted name in a sub object. */
  ADD_FIELDS_DOTTED_BELOW(40183, "Location40183"),
  /** $replaceRoot yields no document. */
  REPLACE_ROOT_RESULT(40228, "Location40228"),
  /** $replaceRoot has an argument that is no object. */
  REPLACE_ROOT_NOT_OBJECT(40229, "Location40229"),
  /** $addFields has an argument that is no object. */
  ADD_FIELDS_NOT_OBJECT(40272, "Location40272"),
  /** $arrayToObject is applied to something that is no array. */
  ARRAY_TO_OBJECT_NOT_ARRAY(40386, "Location40386"),
  /** $objectToArray is applied to something that is no object. */
  OBJECT_TO_ARRAY_NOT_OBJECT(40390, "Location40390"),
  /** $arrayToObject finds something else among objects. */
  ARRAY_TO_OBJECT_MIXED_OBJECTS(40391, "Location40391"),
  /** $arrayToObject finds another number of keys than two. */
  ARRAY_TO_OBJECT_KEY_COUNT(40392, "Location40392"),
  /** $arrayToObject finds other keys than k and v. */
  ARRAY_TO_OBJECT_KEYS(40393, "Location40393"),
  /** $arrayToObject finds a k that is no string. */
  ARRAY_TO_OBJECT_KEY_TYPE(40394, "Location40394"),
  /** $arrayToObject finds a pair whose first element is no string. */
  ARRAY_TO_OBJECT_PAIR_KEY(40395, "Location40395"),
  /** $arrayToObject finds something else among arrays. */
  ARRAY_TO_OBJECT_MIXED_ARRAYS(40396, "Location40396"),
  /** $arrayToObject finds an array that is no pair. */
  ARRAY_TO_OBJECT_PAIR(40397, "Location40397"),
  /** $arrayToObject finds neither objects nor arrays. */
  ARRAY_TO_OBJECT_FORMAT(40398, "Location40398"),
  /** $mergeObjects is applied to something that is no object. */
  MERGE_OBJECTS_NOT_OBJECT(40400, "Location40400"),
  /** A time zone does not exist. */
  TIME_ZONE_UNKNOWN(40485, "Location40485"),
  /** $dateFromParts has a year and ISO parts. */
  DATE_FROM_PARTS_ISO_MIXED(40489, "Location40489"),
  /** A part of $dateFromParts is not whole. */
  DATE_FROM_PARTS_TYPE(40515, "Location40515"),
  /** $dateFromParts has no year. */
  DATE_FROM_PARTS_WITHOUT_YEAR(40516, "Location40516"),
  /** A time zone is no string. */
  TIME_ZONE_TYPE(40517, "Location40517"),
  /** $dateFromParts has an argument that does not exist. */
  DATE_FROM_PARTS_UNKNOWN(40518, "Location40518"),
  /** $dateFromParts has an argument that is no object. */
  DATE_FROM_PARTS_NOT_OBJECT(40519, "Location40519"),
  /** $dateToParts has an argument that does not exist. */
  DATE_TO_PARTS_UNKNOWN(40520, "Location40520"),
  /** The iso8601 of $dateToParts is no boolean. */
  DATE_TO_PARTS_ISO_TYPE(40521, "Location40521"),
  /** $dateToParts has no date. */
  DATE_TO_PARTS_WITHOUT_DATE(40522, "Location40522"),
  /** The year of $dateFromParts is out of bounds. */
  DATE_FROM_PARTS_YEAR_RANGE(40523, "Location40523"),
  /** $dateToParts has an argument that is no object. */
  DATE_TO_PARTS_NOT_OBJECT(40524, "Location40524"),
  /** $dateFromParts has an isoWeekYear and natural parts. */
  DATE_FROM_PARTS_MIXED(40525, "Location40525"),
  /** The time zone of $year or the like is no string. */
  DATE_PART_TIME_ZONE_TYPE(40533, "Location40533"),
  /** $year or the like has an argument that does not exist. */
  DATE_PART_UNKNOWN(40535, "Location40535"),
  /** $year or the like has another number of arguments than one. */
  DATE_PART_ARITY(40536, "Location40536"),
  /** $year or the like has no date. */
  DATE_PART_WITHOUT_DATE(40539, "Location40539"),
  /** $dateFromString has an argument that is no object. */
  DATE_FROM_STRING_NOT_OBJECT(40540, "Location40540"),
  /** $dateFromString has an argument that does not exist. */
  DATE_FROM_STRING_UNKNOWN(40541, "Location40541"),
  /** $dateFromString has no string. */
  DATE_FROM_STRING_WITHOUT_STRING(40542, "Location40542"),
  /** The format of $dateFromString is no string. */
  DATE_FROM_STRING_FORMAT_TYPE(40684, "Location40684"),
  /** $trim or the like has an argument that does not exist. */
  TRIM_UNKNOWN(50694, "Location50694"),
  /** $trim or the like has no input. */
  TRIM_WITHOUT_INPUT(50695, "Location50695"),
  /** $trim or the like has an argument that is no object. */
  TRIM_NOT_OBJECT(50696, "Location50696"),
  /** The input of $trim or the like is no string. */
  TRIM_INPUT_TYPE(50699, "Location50699"),
  /** The chars of $trim or the like are no string. */
  TRIM_CHARS_TYPE(50700, "Location50700"),
  /** $toInt or the like has another number of arguments than one. */
  CONVERT_ARITY(50723, "Location50723"),
  /** The start of $substrBytes is negative. */
  SUBSTR_START_NEGATIVE(50752, "Location50752"),
  /** A trigonometric function is not defined for its argument. */
  TRIGONOMETRY_RANGE(50989, "Location50989"),
  /** The first argument of $atan2 is no number. */
  ATAN2_FIRST_TYPE(51044, "Location51044"),
  /** The second argument of $atan2 is no number. */
  ATAN2_SECOND_TYPE(51045, "Location51045"),
  /** A rounded number does not fit a long. */
  ROUND_OVERFLOW(51080, "Location51080"),
  /** $round or $trunc is applied to something that is no number. */
  ROUND_TYPE(51081, "Location51081"),
  /** The precision of $round or $trunc is not whole. */
  ROUND_PRECISION_TYPE(51082, "Location51082"),
  /** The precision of $round or $trunc is out of bounds. */
  ROUND_PRECISION_RANGE(51083, "Location51083"),
  /** $regexFind or the like has an argument that is no object. */
  REGEX_NOT_OBJECT(51103, "Location51103"),
  /** The input of $regexFind or the like is no string. */
  REGEX_INPUT_TYPE(51104, "Location51104"),
  /** The pattern of $regexFind or the like is neither string nor regex. */
  REGEX_REGEX_TYPE(51105, "Location51105"),
  /** The options of $regexFind or the like are no string. */
  REGEX_OPTIONS_TYPE(51106, "Location51106"),
  /** $regexFind or the like has options in two places. */
  REGEX_OPTIONS_TWICE(51107, "Location51107"),
  /** The pattern of $regexFind or the like has a null byte. */
  REGEX_NULL_BYTE(51109, "Location51109"),
  /** The options of $regexFind or the like have a null byte. */
  REGEX_OPTIONS_NULL_BYTE(51110, "Location51110"),
  /** The pattern of $regexFind or the like does not compile. */
  REGEX_EXPRESSION_INVALID(51111, "Location51111"),
  /** A variable of the system has no value here. */
  EXPRESSION_VARIABLE_UNAVAILABLE(51144, "Location51144"),
  /** $binarySize is applied to something that is neither string nor binary. */
  BINARY_SIZE_TYPE(51276, "Location51276"),
  /** The replacement of $replaceOne or $replaceAll is no string. */
  REPLACE_REPLACEMENT_TYPE(51744, "Location51744"),
  /** The find of $replaceOne or $replaceAll is no string. */
  REPLACE_FIND_TYPE(51745, "Location51745"),
  /** The input of $replaceOne or $replaceAll is no string. */
  REPLACE_INPUT_TYPE(51746, "Location51746"),
  /** $replaceOne or $replaceAll has no replacement. */
  REPLACE_WITHOUT_REPLACEMENT(51747, "Location51747"),
  /** $replaceOne or $replaceAll has nothing to find. */
  REPLACE_WITHOUT_FIND(51748, "Location51748"),
  /** $replaceOne or $replaceAll has no input. */
  REPLACE_WITHOUT_INPUT(51749, "Location51749"),
  /** $replaceOne or $replaceAll has an argument that does not exist. */
  REPLACE_UNKNOWN(51750, "Location51750"),
  /** $replaceOne or $replaceAll has an argument that is no object. */
  REPLACE_NOT_OBJECT(51751, "Location51751"),
  /** The limit of $filter does not fit an int. */
  FILTER_LIMIT_NOT_INTEGER(327391, "Location327391"),
  /** The limit of $filter is not positive. */
  FILTER_LIMIT_NOT_POSITIVE(327392, "Location327392"),
  /** $ifNull has fewer than two arguments. */
  IF_NULL_ARITY(1257300, "Location1257300"),
  /** $sortArray has an argument that is no object. */
  SORT_ARRAY_NOT_OBJECT(2942500, "Location2942500"),
  /** $sortArray has an argument that does not exist. */
  SORT_ARRAY_UNKNOWN(2942501, "Location2942501"),
  /** $sortArray has no input. */
  SORT_ARRAY_WITHOUT_INPUT(2942502, "Location2942502"),
  /** $sortArray has no order. */
  SORT_ARRAY_WITHOUT_SORT_BY(2942503, "Location2942503"),
  /** The input of $sortArray is no array. */
  SORT_ARRAY_INPUT_NOT_ARRAY(2942504, "Location2942504"),
  /** The sortBy of $sortArray is a number that is no direction. */
  SORT_ARRAY_DIRECTION(2942506, "Location2942506"),
  /** The sortBy of $sortArray is neither number nor object. */
  SORT_ARRAY_ORDER_TYPE(2942507, "Location2942507"),
  /** $rand has an argument. */
  RAND_ARGUMENT(3040501, "Location3040501"),
  /** $getField has an argument that does not exist. */
  GET_FIELD_UNKNOWN(3041701, "Location3041701"),
  /** $getField names no field. */
  GET_FIELD_WITHOUT_FIELD(3041702, "Location3041702"),
  /** $getField has no input. */
  GET_FIELD_WITHOUT_INPUT(3041703, "Location3041703"),
  /** The name that $getField computes is no string. */
  GET_FIELD_NOT_STRING(3041704, "Location3041704"),
  /** $setField has an argument that is no object. */
  SET_FIELD_NOT_OBJECT(4161100, "Location4161100"),
  /** $setField has an argument that does not exist. */
  SET_FIELD_UNKNOWN(4161101, "Location4161101"),
  /** $setField names no field. */
  SET_FIELD_WITHOUT_FIELD(4161102, "Location4161102"),
  /** $setField has no value. */
  SET_FIELD_WITHOUT_VALUE(4161103, "Location4161103"),
  /** The input of $setField is no object. */
  SET_FIELD_INPUT_NOT_OBJECT(4161105, "Location4161105"),
  /** The field of $setField is computed. */
  SET_FIELD_NOT_CONSTANT(4161106, "Location4161106"),
  /** The field of $setField is no string. */
  SET_FIELD_NOT_STRING(4161107, "Location4161107"),
  /** The field of $setField is a path. */
  SET_FIELD_PATH(4161108, "Location4161108"),
  /** $setField has no input. */
  SET_FIELD_WITHOUT_INPUT(4161109, "Location4161109"),
  /** The format of $convert is no string. */
  CONVERT_FORMAT_TYPE(4341106, "Location4341106"),
  /** The subtype of $convert is not whole. */
  CONVERT_SUBTYPE_TYPE(4341107, "Location4341107"),
  /** $convert of a binary has no format. */
  CONVERT_FORMAT_MISSING(4341115, "Location4341115"),
  /** The format of $convert does not exist. */
  CONVERT_FORMAT_UNKNOWN(4341125, "Location4341125"),
  /** A variable of a command depends on a document. */
  LET_NEEDS_DOCUMENT(4890500, "Location4890500"),
  /** $arrayToObject finds a key with a null byte. */
  ARRAY_TO_OBJECT_KEY_NULL(4940400, "Location4940400"),
  /** $dateDiff has an argument that is no object. */
  DATE_DIFF_NOT_OBJECT(5166301, "Location5166301"),
  /** $dateDiff has an argument that does not exist. */
  DATE_DIFF_UNKNOWN(5166302, "Location5166302"),
  /** $dateDiff has no start. */
  DATE_DIFF_WITHOUT_START(5166303, "Location5166303"),
  /** $dateDiff has no end. */
  DATE_DIFF_WITHOUT_END(5166304, "Location5166304"),
  /** $dateDiff has no unit. */
  DATE_DIFF_WITHOUT_UNIT(5166305, "Location5166305"),
  /** A date of $dateDiff is none. */
  DATE_DIFF_DATE_TYPE(5166307, "Location5166307"),
  /** The result of $dateDiff does not fit a long. */
  DATE_DIFF_OVERFLOW(5166308, "Location5166308"),
  /** $dateAdd or $dateSubtract has an argument that is no object. */
  DATE_ADD_NOT_OBJECT(5166400, "Location5166400"),
  /** $dateAdd or $dateSubtract has an argument that does not exist. */
  DATE_ADD_UNKNOWN(5166401, "Location5166401"),
  /** $dateAdd or $dateSubtract lacks an argument. */
  DATE_ADD_INCOMPLETE(5166402, "Location5166402"),
  /** The start of $dateAdd or $dateSubtract is no date. */
  DATE_ADD_START_TYPE(5166403, "Location5166403"),
  /** The unit of $dateAdd or $dateSubtract is no string. */
  DATE_ADD_UNIT_TYPE(5166404, "Location5166404"),
  /** The amount of $dateAdd or $dateSubtract is not whole. */
  DATE_ADD_AMOUNT_TYPE(5166405, "Location5166405"),
  /** The result of $dateAdd or $dateSubtract is no date any more. */
  DATE_ADD_OVERFLOW(5166406, "Location5166406"),
  /** The bins of $dateTrunc are too large. */
  DATE_TRUNC_OVERFLOW(5439002, "Location5439002"),
  /** The bins of $dateTrunc are of too many days or larger units. */
  DATE_TRUNC_BIN_SIZE(5439006, "Location5439006"),
  /** $dateTrunc has an argument that is no object. */
  DATE_TRUNC_NOT_OBJECT(5439007, "Location5439007"),
  /** $dateTrunc has an argument that does not exist. */
  DATE_TRUNC_UNKNOWN(5439008, "Location5439008"),
  /** $dateTrunc has no date. */
  DATE_TRUNC_WITHOUT_DATE(5439009, "Location5439009"),
  /** $dateTrunc has no unit. */
  DATE_TRUNC_WITHOUT_UNIT(5439010, "Location5439010"),
  /** The date of $dateTrunc is none. */
  DATE_TRUNC_DATE_TYPE(5439012, "Location5439012"),
  /** A unit of time is no string. */
  TIME_UNIT_TYPE(5439013, "Location5439013"),
  /** A unit of time does not exist. */
  TIME_UNIT_UNKNOWN(5439014, "Location5439014"),
  /** A day of the week is no string. */
  START_OF_WEEK_TYPE(5439015, "Location5439015"),
  /** A day of the week does not exist. */
  START_OF_WEEK_UNKNOWN(5439016, "Location5439016"),
  /** The bin size of $dateTrunc is not whole. */
  DATE_TRUNC_BIN_TYPE(5439017, "Location5439017"),
  /** The bin size of $dateTrunc is not positive. */
  DATE_TRUNC_BIN_RANGE(5439018, "Location5439018"),
  /** The expression $mod by a decimal zero. */
  MOD_BY_DECIMAL_ZERO(5733415, "Location5733415"),

  // What $setWindowFields, $densify and $fill complain about.

  /** The sort of $linearFill is not by one field. */
  LINEAR_FILL_SORT(605001, "Location605001"),
  /** The first end of a window is behind the second. */
  WINDOW_BOUNDS_REVERSED(5339900, "Location5339900"),
  /** A window counts documents that have no order. */
  WINDOW_DOCUMENTS_UNSORTED(5339901, "Location5339901"),
  /** A window is a range and the sort not by one field. */
  WINDOW_RANGE_SORT(5339902, "Location5339902"),
  /** A rank has an argument beside its own. */
  RANK_OTHER_ARGUMENTS(5371601, "Location5371601"),
  /** The sort of a rank is not by one field. */
  RANK_SORT(5371602, "Location5371602"),
  /** A rank has an argument. */
  RANK_ARGUMENT(5371603, "Location5371603"),
  /** Windows need more memory than they may have. */
  WINDOW_MEMORY(5414201, "Location5414201"),
  /** A point of $integral is none. */
  INTEGRAL_INPUT(5423900, "Location5423900"),
  /** $integral has a unit and is not over dates. */
  INTEGRAL_NOT_DATE(5423901, "Location5423901"),
  /** $integral has no unit and is over dates. */
  INTEGRAL_WITHOUT_UNIT(5423902, "Location5423902"),
  /** A window is a range of dates without a unit. */
  WINDOW_RANGE_WITHOUT_UNIT(5429413, "Location5429413"),
  /** A window is a range of something that has no distances. */
  WINDOW_RANGE_NOT_NUMBER(5429414, "Location5429414"),
  /** A window is a range with a unit over something else than dates. */
  WINDOW_RANGE_NOT_DATE(5429513, "Location5429513"),
  /** The unit of $derivative or $integral has no fixed length. */
  WINDOW_UNIT_TOO_LARGE(5490710, "Location5490710"),
  /** $derivative has a unit and is not over dates. */
  DERIVATIVE_NOT_DATE(5624900, "Location5624900"),
  /** $derivative has no unit and is over dates. */
  DERIVATIVE_WITHOUT_UNIT(5624901, "Location5624901"),
  /** $derivative is over something else than numbers. */
  DERIVATIVE_NOT_NUMBER(5624902, "Location5624902"),
  /** The input of $derivative is null. */
  DERIVATIVE_NULL(5624903, "Location5624903"),
  /** Windows need files and must not have them. */
  WINDOW_WITHOUT_DISK(5643011, "Location5643011"),
  /** A partition of $densify has the field in it, or is in it. */
  DENSIFY_PARTITION_AROUND_FIELD(5733306, "Location5733306"),
  /** $densify would generate a field inside an array. */
  DENSIFY_IN_ARRAY(5733307, "Location5733307"),
  /** $densify would put a document in the place of another value. */
  DENSIFY_OVERWRITES(5733308, "Location5733308"),
  /** The step of $densify is not positive. */
  DENSIFY_STEP(5733401, "Location5733401"),
  /** The bounds of $densify do not ascend. */
  DENSIFY_BOUNDS_ORDER(5733402, "Location5733402"),
  /** The bounds of $densify are not two. */
  DENSIFY_BOUNDS_COUNT(5733403, "Location5733403"),
  /** The bounds of $densify are of a type that makes no sense. */
  DENSIFY_BOUNDS_TYPE(5733404, "Location5733404"),
  /** The bounds of $densify are a date and something else. */
  DENSIFY_BOUNDS_DATE(5733405, "Location5733405"),
  /** The bounds of $densify are a number and something else. */
  DENSIFY_BOUNDS_NUMBER(5733406, "Location5733406"),
  /** $densify is bound by partitions that it does not have. */
  DENSIFY_WITHOUT_PARTITIONS(5733408, "Location5733408"),
  /** The bounds of $densify are numbers with a unit. */
  DENSIFY_NUMBERS_WITH_UNIT(5733409, "Location5733409"),
  /** The bounds of $densify are dates without a unit. */
  DENSIFY_DATES_WITHOUT_UNIT(5733410, "Location5733410"),
  /** A field of $densify is a date and there is no unit, or the other way round. */
  DENSIFY_FIELD_UNIT(6053600, "Location6053600"),
  /** A field of $densify is neither number nor date. */
  DENSIFY_FIELD_TYPE(5733201, "Location5733201"),
  /** The bounds and the step of $densify have different types. */
  DENSIFY_TYPES_DIFFER(5876900, "Location5876900"),
  /** $densify would generate too many documents. */
  DENSIFY_TOO_MANY(5897900, "Location5897900"),
  /** The bounds of $densify are neither numbers nor dates. */
  DENSIFY_BOUNDS_ELEMENTS(5946800, "Location5946800"),
  /** The bounds of $densify are an unknown word. */
  DENSIFY_BOUNDS_WORD(5946802, "Location5946802"),
  /** $densify has more partitions than memory. */
  DENSIFY_MEMORY(6007200, "Location6007200"),
  /** $linearFill meets a sort value twice. */
  LINEAR_FILL_REPEATED(6050106, "Location6050106"),
  /** An output of $fill is no object. */
  FILL_OUTPUT_NOT_OBJECT(6050200, "Location6050200"),
  /** An output of $fill has a value and a method. */
  FILL_VALUE_AND_METHOD(6050201, "Location6050201"),
  /** A method of $fill does not exist. */
  FILL_METHOD(6050202, "Location6050202"),
  /** $fill has no outputs. */
  FILL_WITHOUT_OUTPUT(6050203, "Location6050203"),
  /** $fill has two kinds of partitions. */
  FILL_TWO_PARTITIONS(6050204, "Location6050204"),
  /** Of two outputs of $setWindowFields one is inside the other. */
  WINDOW_OUTPUT_CONFLICT(6307900, "Location6307900"),
  /** The step of $densify over dates is not whole. */
  DENSIFY_STEP_NOT_WHOLE(6586400, "Location6586400"),
  /** A window is a range and the sort is by what was computed. */
  WINDOW_RANGE_SORT_EXPRESSION(8947400, "Location8947400"),
  /** A window is a range and the sort descends. */
  WINDOW_RANGE_SORT_DESCENDING(8947401, "Location8947401"),
  /** $densify is partitioned by the field itself. */
  DENSIFY_PARTITION_IS_FIELD(8993000, "Location8993000"),

  /** $tsSecond is applied to something that is no timestamp. */
  TS_SECOND_TYPE(5687301, "Location5687301"),
  /** $tsIncrement is applied to something that is no timestamp. */
  TS_INCREMENT_TYPE(5687302, "Location5687302"),
  /** $firstN or $lastN has an argument that is no object. */
  FIRST_N_NOT_OBJECT(5787801, "Location5787801"),
  /** $minN or $maxN has an argument that is no object. */
  MIN_N_NOT_OBJECT(5787900, "Location5787900"),
  /** $firstN or the like has an argument that does not exist. */
  FIRST_N_UNKNOWN(5787901, "Location5787901"),
  /** The n of $firstN or the like is no number. */
  FIRST_N_NOT_NUMBER(5787902, "Location5787902"),
  /** The n of $firstN or the like is not whole. */
  FIRST_N_NOT_INTEGER(5787903, "Location5787903"),
  /** $firstN or the like has no n. */
  FIRST_N_WITHOUT_N(5787906, "Location5787906"),
  /** $firstN or the like has no input. */
  FIRST_N_WITHOUT_INPUT(5787907, "Location5787907"),
  /** The n of $firstN or the like is not positive. */
  FIRST_N_NOT_POSITIVE(5787908, "Location5787908"),
  /** The input of $firstN or the like is no array. */
  FIRST_N_INPUT_NOT_ARRAY(5788200, "Location5788200"),
  /** The amount of $dateAdd is out of bounds. */
  DATE_ADD_AMOUNT_RANGE(5976500, "Location5976500"),
  /** The amount of $dateSubtract has no opposite. */
  DATE_SUBTRACT_OVERFLOW(6045000, "Location6045000"),
  /** $median has an argument that is no object. */
  MEDIAN_ACCUMULATOR_NOT_OBJECT(7436100, "Location7436100"),
  /** The argument of $median as an expression is no document. */
  MEDIAN_NOT_OBJECT(7436201, "Location7436201"),
  /** $percentile has an argument that is no object. */
  PERCENTILE_NOT_OBJECT(7436200, "Location7436200"),
  /** The p of $percentile depends on a document. */
  PERCENTILE_NOT_CONSTANT(7750300, "Location7750300"),
  /** The p of $percentile is no array, or an empty one. */
  PERCENTILE_NOT_ARRAY(7750301, "Location7750301"),
  /** The p of $percentile has an element that is no number. */
  PERCENTILE_NOT_NUMBER(7750302, "Location7750302"),
  /** The p of $percentile has an element out of bounds. */
  PERCENTILE_RANGE(7750303, "Location7750303"),
  /** $options first, and then a $regex literal with flags of its own. */
  REGEX_FLAGS_AND_OPTIONS(51074, "Location51074"),
  /** A $regex literal with flags, and then $options. */
  REGEX_OPTIONS_AND_FLAGS(51075, "Location51075"),
  /** A regular expression does not compile. */
  REGEX_INVALID(51091, "Location51091"),
  /** A flag of a regular expression does not exist. */
  REGEX_FLAG_INVALID(51108, "Location51108"),
  /** A regular expression needs too many steps or too much stack. */
  REGEX_MATCH_ABORTED(51156, "Location51156"),
  /** A sort order is neither a number nor a document. */
  SORT_KEY_ILLEGAL(15974, "Location15974"),
  /** A sort order is a number other than 1 and -1. */
  SORT_ORDER_ILLEGAL(15975, "Location15975"),
  /** A sort order is an expression other than $meta. */
  SORT_EXPRESSION_ILLEGAL(17312, "Location17312"),
  /** No sort by metadata of this name. */
  SORT_META_ILLEGAL(31138, "Location31138"),
  /** A sort by the score of a search server. */
  SORT_META_SEARCH_SCORE(31218, "Location31218"),
  /** A sort by the highlights of a search server. */
  SORT_META_SEARCH_HIGHLIGHTS(31219, "Location31219"),
  /** A field occurs twice in a sort. */
  SORT_KEY_DUPLICATE(7472500, "Location7472500"),
  /** A sort or an index has more than 32 fields. */
  TOO_MANY_COMPOUND_KEYS(13103, "Location13103"),
  /** A projected path leads into a path that is projected itself. */
  PROJECTION_PATH_COLLISION_BELOW(31249, "Location31249"),
  /** A path is projected twice, or contains one that is. */
  PROJECTION_PATH_COLLISION(31250, "Location31250"),
  /** An exclusion computes a field. */
  PROJECTION_EXPRESSION_IN_EXCLUSION(31252, "Location31252"),
  /** A projection names an expression that does not exist. */
  PROJECTION_UNKNOWN_EXPRESSION(31325, "Location31325"),
  /** An exclusion includes a field. */
  PROJECTION_INCLUSION_IN_EXCLUSION(31253, "Location31253"),
  /** An inclusion excludes a field. */
  PROJECTION_EXCLUSION_IN_INCLUSION(31254, "Location31254"),
  /** $elemMatch follows a positional projection. */
  PROJECTION_POSITIONAL_THEN_ELEM_MATCH(31255, "Location31255"),
  /** A positional projection follows $elemMatch. */
  PROJECTION_ELEM_MATCH_THEN_POSITIONAL(31256, "Location31256"),
  /** A positional projection has a document as its value. */
  PROJECTION_POSITIONAL_WITH_DOCUMENT(31271, "Location31271"),
  /** The argument of a projected $elemMatch is no document. */
  PROJECTION_ELEM_MATCH_ARGUMENT(31274, "Location31274"),
  /** A projected $elemMatch is on a dotted path. */
  PROJECTION_ELEM_MATCH_NESTED(31275, "Location31275"),
  /** Two positional projections. */
  PROJECTION_POSITIONAL_TWICE(31276, "Location31276"),
  /** A positional projection has a literal as its value. */
  PROJECTION_POSITIONAL_WITH_LITERAL(31308, "Location31308"),
  /** An exclusion sets a field to a literal. */
  PROJECTION_LITERAL_IN_EXCLUSION(31310, "Location31310"),
  /** A positional operator stands inside a path. */
  PROJECTION_POSITIONAL_INSIDE_PATH(31394, "Location31394"),
  /** A positional projection excludes. */
  PROJECTION_POSITIONAL_EXCLUSION(31395, "Location31395"),
  /** A positional projection has no query to go by. */
  PROJECTION_POSITIONAL_WITHOUT_QUERY(51050, "Location51050"),
  /** The matched position is not in the projected array. */
  PROJECTION_POSITIONAL_MISMATCH(51247, "Location51247"),
  /** A projection has an empty document as a field's value. */
  PROJECTION_EMPTY_DOCUMENT(51270, "Location51270"),
  /** A positional projection names no field. */
  PROJECTION_POSITIONAL_WITHOUT_FIELD(5392900, "Location5392900"),
  /** $slice has a wrong number of arguments. */
  SLICE_ARGUMENT_COUNT(28667, "Location28667"),
  /** $slice is applied to something that is no array. */
  SLICE_ARGUMENT_NOT_ARRAY(28724, "Location28724"),
  /** A document says its language by something that is no string. */
  LANGUAGE_OVERRIDE_TYPE(17261, "Location17261"),
  /** A document says that it is in a language that there is no text search for. */
  LANGUAGE_OVERRIDE_UNSUPPORTED(17262, "Location17262"),
  /** A $match with $text is not the first stage. */
  TEXT_MATCH_NOT_FIRST(17313, "Location17313"),
  /** The score of a text search, or a distance, is asked for where there is none. */
  METADATA_NOT_AVAILABLE(40218, "Location40218"),
  /** The argument of $meta is no string. */
  META_ARGUMENT_TYPE(17307, "Location17307"),
  /** No metadata of this name. */
  META_ARGUMENT_UNKNOWN(17308, "Location17308"),
  /** The plans of a collection that does not exist are asked for. */
  PLAN_CACHE_STATS_NO_COLLECTION(50933, "Location50933"),
  /** $where with a scope of variables. */
  WHERE_CODE_WITH_SCOPE(4649201, "Location4649201"),
  /** A second login of a connection, as another user. */
  LOGIN_AS_ANOTHER_USER(5626701, "Location5626701"),
  /** $where on a server that runs no JavaScript. */
  WHERE_WITHOUT_SCRIPTING(6108304, "Location6108304"),
  /** The plans of all hosts are asked for where there is one. */
  PLAN_CACHE_STATS_ALL_HOSTS(4503200, "Location4503200"),
  /** applyOps with a condition. */
  APPLY_OPS_PRECONDITION(6711600, "Location6711600"),
  /** applyOps that makes each update an upsert. */
  APPLY_OPS_ALWAYS_UPSERT(6711601, "Location6711601"),
  /** The oplog of a replica set is dropped. */
  DROP_OF_LIVE_OPLOG(5255000, "Location5255000");

  private final int code;
  private final String codeName;

  ErrorCode(int code, String codeName) {
    this.code = code;
    this.codeName = codeName;
  }

  public int code() {
    return code;
  }

  public String codeName() {
    return codeName;
  }

  /** The code with this number, or {@link #UNKNOWN_ERROR}. */
  public static ErrorCode ofNumber(int number) {
    for (ErrorCode each : values()) {
      if (each.code == number) {
        return each;
      }
    }
    return UNKNOWN_ERROR;
  }

  /** Whether the operation was ended from outside, whatever it was at. */
  public boolean isInterruption() {
    return switch (this) {
      case MAX_TIME_MS_EXPIRED,
          CURSOR_KILLED,
          CLIENT_DISCONNECT,
          INTERRUPTED,
          INTERRUPTED_AT_SHUTDOWN,
          INTERRUPTED_DUE_TO_REPL_STATE_CHANGE ->
          true;
      default -> false;
    };
  }

  /**
   * Whether a number tells that a member is not, or no longer, what the client takes it for: the
   * client then looks for the primary anew.
   */
  public static boolean isStateChange(int code) {
    return code == NOT_WRITABLE_PRIMARY.code
        || code == NOT_PRIMARY_NO_SECONDARY_OK.code
        || code == NOT_PRIMARY_OR_SECONDARY.code
        || code == PRIMARY_STEPPED_DOWN.code
        || code == INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.code
        || code == INTERRUPTED_AT_SHUTDOWN.code
        || code == SHUTDOWN_IN_PROGRESS.code;
  }
}
