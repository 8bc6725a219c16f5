package dev.wisent.security.role;

import static dev.wisent.security.privilege.Action.ANALYZE;
import static dev.wisent.security.privilege.Action.ANALYZE_SHARD_KEY;
import static dev.wisent.security.privilege.Action.BYPASS_DOCUMENT_VALIDATION;
import static dev.wisent.security.privilege.Action.CHANGE_CUSTOM_DATA;
import static dev.wisent.security.privilege.Action.CHANGE_PASSWORD;
import static dev.wisent.security.privilege.Action.CHANGE_STREAM;
import static dev.wisent.security.privilege.Action.CLEANUP_STRUCTURED_ENCRYPTION_DATA;
import static dev.wisent.security.privilege.Action.CLEAR_JUMBO_FLAG;
import static dev.wisent.security.privilege.Action.COLL_MOD;
import static dev.wisent.security.privilege.Action.COLL_STATS;
import static dev.wisent.security.privilege.Action.COMPACT;
import static dev.wisent.security.privilege.Action.COMPACT_STRUCTURED_ENCRYPTION_DATA;
import static dev.wisent.security.privilege.Action.CONFIGURE_QUERY_ANALYZER;
import static dev.wisent.security.privilege.Action.CONVERT_TO_CAPPED;
import static dev.wisent.security.privilege.Action.CREATE_COLLECTION;
import static dev.wisent.security.privilege.Action.CREATE_INDEX;
import static dev.wisent.security.privilege.Action.CREATE_ROLE;
import static dev.wisent.security.privilege.Action.CREATE_SEARCH_INDEXES;
import static dev.wisent.security.privilege.Action.CREATE_USER;
import static dev.wisent.security.privilege.Action.DB_HASH;
import static dev.wisent.security.privilege.Action.DB_STATS;
import static dev.wisent.security.privilege.Action.DROP_COLLECTION;
import static dev.wisent.security.privilege.Action.DROP_DATABASE;
import static dev.wisent.security.privilege.Action.DROP_INDEX;
import static dev.wisent.security.privilege.Action.DROP_ROLE;
import static dev.wisent.security.privilege.Action.DROP_SEARCH_INDEX;
import static dev.wisent.security.privilege.Action.DROP_USER;
import static dev.wisent.security.privilege.Action.ENABLE_PROFILER;
import static dev.wisent.security.privilege.Action.ENABLE_SHARDING;
import static dev.wisent.security.privilege.Action.FIND;
import static dev.wisent.security.privilege.Action.GET_DATABASE_VERSION;
import static dev.wisent.security.privilege.Action.GET_SHARD_VERSION;
import static dev.wisent.security.privilege.Action.GRANT_ROLE;
import static dev.wisent.security.privilege.Action.INDEX_STATS;
import static dev.wisent.security.privilege.Action.INSERT;
import static dev.wisent.security.privilege.Action.KILL_CURSORS;
import static dev.wisent.security.privilege.Action.LIST_COLLECTIONS;
import static dev.wisent.security.privilege.Action.LIST_INDEXES;
import static dev.wisent.security.privilege.Action.LIST_SEARCH_INDEXES;
import static dev.wisent.security.privilege.Action.MOVE_CHUNK;
import static dev.wisent.security.privilege.Action.MOVE_COLLECTION;
import static dev.wisent.security.privilege.Action.PLAN_CACHE_INDEX_FILTER;
import static dev.wisent.security.privilege.Action.PLAN_CACHE_READ;
import static dev.wisent.security.privilege.Action.PLAN_CACHE_WRITE;
import static dev.wisent.security.privilege.Action.REFINE_COLLECTION_SHARD_KEY;
import static dev.wisent.security.privilege.Action.REMOVE;
import static dev.wisent.security.privilege.Action.RENAME_COLLECTION_SAME_DB;
import static dev.wisent.security.privilege.Action.RESHARD_COLLECTION;
import static dev.wisent.security.privilege.Action.REVOKE_ROLE;
import static dev.wisent.security.privilege.Action.RE_INDEX;
import static dev.wisent.security.privilege.Action.SET_AUTHENTICATION_RESTRICTION;
import static dev.wisent.security.privilege.Action.SPLIT_CHUNK;
import static dev.wisent.security.privilege.Action.SPLIT_VECTOR;
import static dev.wisent.security.privilege.Action.STORAGE_DETAILS;
import static dev.wisent.security.privilege.Action.UNSHARD_COLLECTION;
import static dev.wisent.security.privilege.Action.UPDATE;
import static dev.wisent.security.privilege.Action.UPDATE_SEARCH_INDEX;
import static dev.wisent.security.privilege.Action.VALIDATE;
import static dev.wisent.security.privilege.Action.VIEW_ROLE;
import static dev.wisent.security.privilege.Action.VIEW_USER;

import dev.wisent.security.privilege.Action;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Sets of actions that several built-in roles give, on different resources. */
final class ActionSets {
  /** Of {@code read}. */
  static final Set<Action> READ =
      of(
          CHANGE_STREAM,
          COLL_STATS,
          DB_HASH,
          DB_STATS,
          FIND,
          KILL_CURSORS,
          LIST_COLLECTIONS,
          LIST_INDEXES,
          LIST_SEARCH_INDEXES,
          PLAN_CACHE_READ);

  /** Of {@code readWrite}. */
  static final Set<Action> READ_WRITE =
      and(
          READ,
          CLEANUP_STRUCTURED_ENCRYPTION_DATA,
          COMPACT_STRUCTURED_ENCRYPTION_DATA,
          CONVERT_TO_CAPPED,
          CREATE_COLLECTION,
          CREATE_INDEX,
          CREATE_SEARCH_INDEXES,
          DROP_COLLECTION,
          DROP_INDEX,
          DROP_SEARCH_INDEX,
          INSERT,
          REMOVE,
          RENAME_COLLECTION_SAME_DB,
          UPDATE,
          UPDATE_SEARCH_INDEX);

  /** Of {@code userAdmin}. */
  static final Set<Action> USER_ADMIN =
      of(
          CHANGE_CUSTOM_DATA,
          CHANGE_PASSWORD,
          CREATE_ROLE,
          CREATE_USER,
          DROP_ROLE,
          DROP_USER,
          GRANT_ROLE,
          REVOKE_ROLE,
          SET_AUTHENTICATION_RESTRICTION,
          VIEW_ROLE,
          VIEW_USER);

  /** Of {@code dbAdmin}. */
  static final Set<Action> DB_ADMIN =
      of(
          ANALYZE,
          BYPASS_DOCUMENT_VALIDATION,
          COLL_MOD,
          COLL_STATS,
          COMPACT,
          CONFIGURE_QUERY_ANALYZER,
          CONVERT_TO_CAPPED,
          CREATE_COLLECTION,
          CREATE_INDEX,
          CREATE_SEARCH_INDEXES,
          DB_STATS,
          DROP_COLLECTION,
          DROP_DATABASE,
          DROP_INDEX,
          DROP_SEARCH_INDEX,
          ENABLE_PROFILER,
          LIST_COLLECTIONS,
          LIST_INDEXES,
          LIST_SEARCH_INDEXES,
          PLAN_CACHE_INDEX_FILTER,
          PLAN_CACHE_READ,
          PLAN_CACHE_WRITE,
          RE_INDEX,
          RENAME_COLLECTION_SAME_DB,
          STORAGE_DETAILS,
          UPDATE_SEARCH_INDEX,
          VALIDATE);

  /** Of administrators of a database on its {@code system.profile}. */
  static final Set<Action> PROFILE_ADMIN =
      and(READ, CONVERT_TO_CAPPED, CREATE_COLLECTION, DROP_COLLECTION);

  /** Of {@code clusterMonitor} on collections. */
  static final Set<Action> MONITOR_COLLECTIONS =
      of(COLL_STATS, DB_STATS, GET_DATABASE_VERSION, GET_SHARD_VERSION, INDEX_STATS);

  /** Of {@code clusterManager} on collections. */
  static final Set<Action> MANAGE_COLLECTIONS =
      of(
          ANALYZE_SHARD_KEY,
          CLEAR_JUMBO_FLAG,
          CONFIGURE_QUERY_ANALYZER,
          ENABLE_SHARDING,
          MOVE_CHUNK,
          MOVE_COLLECTION,
          REFINE_COLLECTION_SHARD_KEY,
          RESHARD_COLLECTION,
          SPLIT_CHUNK,
          SPLIT_VECTOR,
          UNSHARD_COLLECTION);

  /** Of {@code restore} on collections. */
  static final Set<Action> RESTORE =
      of(
          BYPASS_DOCUMENT_VALIDATION,
          COLL_MOD,
          CONVERT_TO_CAPPED,
          CREATE_COLLECTION,
          CREATE_INDEX,
          CREATE_SEARCH_INDEXES,
          DROP_COLLECTION,
          INSERT,
          UPDATE_SEARCH_INDEX);

  private ActionSets() {}

  static Set<Action> of(Action... actions) {
    return Collections.unmodifiableSet(EnumSet.copyOf(List.of(actions)));
  }

  static Set<Action> and(Collection<Action> some, Action... more) {
    EnumSet<Action> all = EnumSet.copyOf(some);
    all.addAll(List.of(more));
    return Collections.unmodifiableSet(all);
  }
}
