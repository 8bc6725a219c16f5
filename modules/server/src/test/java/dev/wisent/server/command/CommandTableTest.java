package dev.wisent.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import dev.wisent.server.privilege.Privilege;
import dev.wisent.server.privilege.Resource;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The columns of the command table; MongoDB 8.0's where both have the command. */
class CommandTableTest {
  @TempDir Path directory;
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, new FakeReplicaSet(3));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void everyRowSaysWhereItsCommandExistsAndWhatItTakes() {
    for (NodeRole role : NodeRole.values()) {
      assertThat(server.commands(role))
          .allSatisfy(
              row -> {
                assertThat(row.help()).as(row.name()).isNotBlank();
                assertThat(row.scope()).as(row.name()).hasNoNullFieldsOrProperties();
                assertThat(row.scope().roles()).as(row.name()).contains(role);
              });
    }
  }

  @Test
  void aRouterHasWhatNeedsNoStoreOfItsOwn() {
    assertThat(names(NodeRole.CONFIG_SERVER, row -> true))
        .isEqualTo(names(NodeRole.DATA_NODE, row -> true));
    assertThat(names(NodeRole.DATA_NODE, row -> true))
        .containsAll(names(NodeRole.ROUTER, row -> true));
    assertThat(names(NodeRole.DATA_NODE, row -> !row.scope().roles().contains(NodeRole.ROUTER)))
        .containsExactly(
            "_passClusterTime",
            "_wisentReplSetJoin",
            "applyOps",
            "autoCompact",
            "cleanupOrphaned",
            "cloneCollectionAsCapped",
            "dbCheck",
            "dbHash",
            "reIndex",
            "replSetAbortPrimaryCatchUp",
            "replSetFreeze",
            "replSetGetConfig",
            "replSetGetRBID",
            "replSetHeartbeat",
            "replSetInitiate",
            "replSetMaintenance",
            "replSetReconfig",
            "replSetRequestVotes",
            "replSetResizeOplog",
            "replSetStepDown",
            "replSetStepUp",
            "replSetSyncFrom",
            "replSetUpdatePosition",
            "top");
  }

  @Test
  void transactionsConsistOfTheseCommands() {
    assertThat(inTransaction(TransactionUse.STARTS))
        .containsExactly(
            "aggregate",
            "bulkWrite",
            "create",
            "createIndexes",
            "delete",
            "distinct",
            "find",
            "findAndModify",
            "insert",
            "update");
    assertThat(inTransaction(TransactionUse.CONTINUES)).containsExactly("getMore", "killCursors");
    assertThat(inTransaction(TransactionUse.ENDS))
        .containsExactly("abortTransaction", "commitTransaction");
  }

  private Set<String> inTransaction(TransactionUse use) {
    return names(NodeRole.DATA_NODE, row -> row.scope().transaction() == use);
  }

  @Test
  void theseCommandsRunBeforeALogin() {
    assertThat(names(NodeRole.DATA_NODE, row -> !row.scope().privilege().requiresLogin()))
        .containsExactly(
            "authenticate",
            "buildInfo",
            "configureFailPoint",
            "connectionStatus",
            "getLastError",
            "hello",
            "isMaster",
            "listCommands",
            "logout",
            "ping",
            "saslContinue",
            "saslStart",
            "whatsmyuri");
  }

  @Test
  void privilegesNameAResourceAndActions() {
    assertThat(privilege("find")).isEqualTo("collection: find");
    assertThat(privilege("update"))
        .isEqualTo("collection: update (bypassDocumentValidation, insert if asked)");
    assertThat(privilege("killOp")).isEqualTo("cluster: killop, or own");
    assertThat(privilege("explain")).isEqualTo("as the inner command");
    assertThat(privilege("hello")).isEqualTo("none");
    assertThatThrownBy(Privilege::onCluster).isInstanceOf(IllegalArgumentException.class);
  }

  private String privilege(String name) {
    return server.commands(NodeRole.DATA_NODE).stream()
        .filter(row -> row.isCalled(name))
        .map(row -> row.scope().privilege().toString())
        .collect(Collectors.joining());
  }

  @Test
  void commandsOnTheClusterAndOnDatabasesDoNotNeedACollection() {
    assertThat(
            names(
                NodeRole.DATA_NODE, row -> row.scope().privilege().resource() == Resource.DATABASE))
        .contains("dbStats", "dropDatabase", "listCollections", "profile")
        .doesNotContain("find", "serverStatus");
  }

  @Test
  void listCommandsTellsWhatTheTableSays() {
    BsonDocument listed = server.run("{listCommands: 1}").getDocument("commands");
    assertThat(listed.keySet()).isEqualTo(names(NodeRole.DATA_NODE, row -> true));
    assertThat(listed.getDocument("find"))
        .isEqualTo(
            BsonDocument.parse(
                "{help: 'query documents', requiresAuth: true, secondaryOk: false,"
                    + " adminOnly: false, secondaryOverrideOk: true, apiVersions: ['1'],"
                    + " deprecatedApiVersions: []}"));
    assertThat(listed.getDocument("hello"))
        .isEqualTo(
            BsonDocument.parse(
                "{help: 'what the server is', requiresAuth: false, secondaryOk: true,"
                    + " adminOnly: false, apiVersions: ['1'], deprecatedApiVersions: []}"));
    assertThat(listed.getDocument("renameCollection"))
        .isEqualTo(
            BsonDocument.parse(
                "{help: 'rename a collection', requiresAuth: true, secondaryOk: false,"
                    + " adminOnly: true, apiVersions: [], deprecatedApiVersions: []}"));
  }

  @Test
  void versionsOfTheApi() {
    assertThat(ApiVersions.V1.names()).isEqualTo(List.of("1"));
    assertThat(ApiVersions.NO_API.names()).isEmpty();
    assertThat(new ApiVersions(1, 2).contains("2")).isTrue();
    assertThat(ApiVersions.V1.contains("2")).isFalse();
  }

  private Set<String> names(NodeRole role, Predicate<CommandSpec> which) {
    return server.commands(role).stream()
        .filter(which)
        .map(CommandSpec::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
