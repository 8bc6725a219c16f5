package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import dev.wisent.security.user.Identity;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.connection.ActingFor;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import dev.wisent.server.privilege.Principal;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the arguments of commands need, and as whom they run. */
class AccessCheckTest {
  private static final String SESSION =
      "lsid: {id: {$uuid: '11111111-2222-3333-4444-555555555555'}";

  @TempDir Path directory;
  private MemberServer server;
  private CheckedCommands commands;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, new FakeReplicaSet(3));
    commands = new CheckedCommands(server.commands(NodeRole.DATA_NODE));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Grant on(String collection, Action... actions) {
    return new Grant(new Collections("test", collection), Set.of(actions));
  }

  @Test
  void withoutALoginOnlyTheseRun() {
    var client = new ClientConnection(1, "10.0.0.1:1", "10.0.0.2:2", null);
    client.login(new Identity(new UserName("dropped", "test"), "SCRAM-SHA-256"));
    assertThat(commands.refusal(client, "{find: 'c', $db: 'test'}"))
        .endsWith("Command find requires authentication");
    assertThat(commands.refusal(client, "{hello: 1, $db: 'admin'}")).isEqualTo("allowed");
  }

  @Test
  void aRefusalShowsTheCommandWithoutSecrets() {
    ClientConnection client = KnownUsers.connection(commands.users.with("u"));
    assertThat(commands.refusal(client, "{find: 'c', filter: {a: 1}, $db: 'test'}"))
        .endsWith(
            "not authorized on test to execute command"
                + " { find: \"c\", filter: { a: 1 }, $db: \"test\" }");
    assertThat(
            commands.refusal(client, "{createUser: 'x', pwd: 'hunter2', roles: [], $db: 'test'}"))
        .doesNotContain("hunter2");
  }

  @Test
  void aDroppedUserIsOutAtOnce() {
    UserName user = commands.users.with("u", on("c", Action.FIND));
    ClientConnection client = KnownUsers.connection(user);
    assertThat(commands.refusal(client, "{find: 'c', $db: 'test'}")).isEqualTo("allowed");
    commands.users.drop(user);
    assertThat(commands.refusal(client, "{find: 'c', $db: 'test'}"))
        .contains("requires authentication");
  }

  @Test
  void anotherUserOfTheNameHasNotLoggedIn() {
    UserName user = commands.users.withId("u", 1, on("c", Action.FIND));
    var before = new ClientConnection(1, "10.0.0.1:1", "10.0.0.2:2", null);
    before.login(commands.users.identity(user));
    var after = new ClientConnection(2, "10.0.0.1:2", "10.0.0.2:2", null);
    after.login(commands.users.identity(user));
    assertThat(commands.refusal(before, "{find: 'c', $db: 'test'}")).isEqualTo("allowed");
    commands.users.withId("u", 1, on("c", Action.FIND), on("d", Action.FIND));
    assertThat(commands.refusal(before, "{find: 'd', $db: 'test'}")).isEqualTo("allowed");
    commands.users.withId("u", 2, on("c", Action.FIND));
    for (ClientConnection client : List.of(before, after)) {
      assertThat(commands.refusal(client, "{find: 'c', $db: 'test'}"))
          .contains("requires authentication");
      assertThat(client.identity()).isEmpty();
    }
  }

  @Test
  void onlyMembersSayWhoseCommandsTheySend() {
    String find =
        "{find: 'c', $audit: {$impersonatedUser: {user: 'u', db: 'test'},"
            + " $impersonatedRoles: [{role: 'read', db: 'test'}]}, $db: 'test'}";
    UserName user = commands.users.with("u", on("c", Action.FIND));
    ClientConnection client = KnownUsers.connection(user);
    assertThat(commands.refusal(client, find)).contains("not authorized on test");
    assertThat(client.actingFor()).isEmpty();
    ClientConnection member = KnownUsers.connection(UserName.SYSTEM);
    assertThat(commands.refusal(member, find)).isEqualTo("allowed");
    assertThat(member.actingFor())
        .contains(new ActingFor(user, List.of(new RoleName("read", "test"))));
    assertThat(commands.refusal(member, "{find: 'c', $db: 'test'}")).isEqualTo("allowed");
    assertThat(member.actingFor()).isEmpty();
  }

  @Test
  void pipelinesNeedTheNamespacesOfAllStages() {
    UserName user = commands.users.with("u", on("c", Action.FIND), on("d", Action.INSERT));
    for (String stage :
        new String[] {
          "{$lookup: {from: 'secret', localField: 'a', foreignField: 'a', as: 'x'}}",
          "{$lookup: {from: 'c', pipeline: [{$unionWith: 'secret'}], as: 'x'}}",
          "{$unionWith: {coll: 'c', pipeline: [{$lookup: {from: 'secret', pipeline: []}}]}}",
          "{$graphLookup: {from: 'secret'}}",
          "{$facet: {a: [{$lookup: {from: 'secret', pipeline: [], as: 'x'}}]}}",
          "{$out: 'd'}",
          "{$out: {db: 'other', coll: 'c'}}",
          "{$merge: 'd'}",
          "{$merge: {into: 'd', whenMatched: 'replace', whenNotMatched: 'fail'}}",
          "{$_internalSetWindowFields: {}}",
        }) {
      assertThat(commands.allows(user, aggregate("c", stage))).as(stage).isFalse();
    }
    for (String stage :
        new String[] {
          "{$match: {}}",
          "{$lookup: {from: 'c', pipeline: [], as: 'x'}}",
          "{$facet: {a: [{$match: {}}]}}",
          "{$merge: {into: 'd', whenMatched: 'fail', whenNotMatched: 'insert'}}",
        }) {
      assertThat(commands.allows(user, aggregate("c", stage))).as(stage).isTrue();
    }
    assertThat(commands.allows(user, aggregate("secret", "{$match: {}}"))).isFalse();
    assertThat(commands.allows(user, aggregate("c", "{$collStats: {}}"))).isFalse();
    assertThat(commands.allows(user, aggregate("c", "{$changeStream: {}}"))).isFalse();
    assertThat(commands.allows(user, "{explain: " + aggregate("secret", "") + ", $db: 'test'}"))
        .isFalse();
  }

  private static String aggregate(String collection, String stage) {
    return "{aggregate: '" + collection + "', pipeline: [" + stage + "], cursor: {}, $db: 'test'}";
  }

  @Test
  void writesNeedWhatTheyDo() {
    UserName user = commands.users.with("u", on("c", Action.UPDATE, Action.INSERT, Action.FIND));
    UserName updater = commands.users.with("v", on("c", Action.UPDATE));
    String update = "{update: 'c', updates: [{q: {}, u: {}, upsert: %s}], $db: 'test'}";
    assertThat(commands.allows(updater, update.formatted("false"))).isTrue();
    assertThat(commands.allows(updater, update.formatted("true"))).isFalse();
    assertThat(commands.allows(user, update.formatted("true"))).isTrue();
    assertThat(
            commands.allows(
                user,
                "{insert: 'c', documents: [{}], bypassDocumentValidation: true, $db: 'test'}"))
        .isFalse();
    assertThat(commands.allows(user, "{findAndModify: 'c', remove: true, $db: 'test'}")).isFalse();
    assertThat(commands.allows(user, "{findAndModify: 'c', update: {}, $db: 'test'}")).isTrue();
    assertThat(commands.allows(user, "{mapReduce: 'c', out: {inline: 1}, $db: 'test'}")).isTrue();
    assertThat(commands.allows(user, "{mapReduce: 'c', out: 'c', $db: 'test'}")).isFalse();
    assertThat(
            commands.allows(
                user,
                "{bulkWrite: 1, ops: [{insert: 0, document: {}}, {delete: 0, filter: {}}],"
                    + " nsInfo: [{ns: 'test.c'}], $db: 'admin'}"))
        .isFalse();
  }

  @Test
  void applyOpsIsNoWayAroundPrivileges() {
    UserName user =
        commands.users.with(
            "u",
            new Grant(new Cluster(), Set.of(Action.APPLY_OPS)),
            on("c", Action.INSERT, Action.UPDATE));
    String command = "{applyOps: [{op: 'i', ns: '%s', o: {_id: 1}}], $db: 'admin'}";
    assertThat(commands.allows(user, command.formatted("test.c"))).isTrue();
    assertThat(commands.allows(user, command.formatted("admin.system.users"))).isFalse();
    assertThat(
            commands.allows(
                user, "{applyOps: [{op: 'c', ns: 'test.$cmd', o: {drop: 'c'}}], $db: 'admin'}"))
        .isFalse();
  }

  @Test
  void theCollectionsOfUsersAreProtected() {
    UserName users = commands.users.withRole(new RoleName("userAdminAnyDatabase", "admin"));
    UserName writer = commands.users.withRole(new RoleName("readWriteAnyDatabase", "admin"));
    String insert = "{insert: 'system.users', documents: [{}], $db: 'admin'}";
    String find = "{find: 'system.users', $db: 'admin'}";
    assertThat(commands.allows(writer, insert)).isFalse();
    assertThat(commands.allows(writer, find)).isFalse();
    assertThat(commands.allows(users, insert)).isFalse();
    assertThat(commands.allows(users, find)).isTrue();
  }

  @Test
  void argumentsOfOtherNodesAreNotForClients() {
    UserName root = commands.users.withRole(new RoleName("root", "admin"));
    assertThat(commands.allows(root, "{find: 'c', shardVersion: {}, $db: 'test'}")).isFalse();
    assertThat(commands.allows(root, "{find: 'c', runtimeConstants: {}, $db: 'test'}")).isFalse();
    assertThat(commands.allows(root, "{_passClusterTime: 1, $db: 'admin'}")).isFalse();
    assertThat(commands.allows(UserName.SYSTEM, "{find: 'c', shardVersion: {}, $db: 'test'}"))
        .isTrue();
  }

  @Test
  void sessionsBelongToTheirUsers() {
    UserName user = commands.users.with("u", on("c", Action.FIND));
    UserName other = commands.users.with("v", on("c", Action.FIND));
    String find = "{find: 'c', " + SESSION + "}, $db: 'test'}";
    CommandRequest ofUser = commands.run(user, find);
    CommandRequest ofOther = commands.run(other, find);
    assertThat(ofUser.session()).isNotEqualTo(ofOther.session());
    assertThat(ofUser.session().isOf(Principal.digest(user))).isTrue();
    assertThat(ofUser.sessionId().asDocument()).isEqualTo(ofUser.session().document());
    String spoofed = "{find: 'c', " + SESSION + ", uid: " + uid(other) + "}, $db: 'test'}";
    assertThat(commands.allows(other, spoofed)).isTrue();
    assertThat(commands.refusal(KnownUsers.connection(user), spoofed))
        .endsWith("Unauthorized to set user digest in LogicalSessionId");
    assertThat(commands.run(UserName.SYSTEM, spoofed).session()).isEqualTo(ofOther.session());
  }

  /** Nodes of one set differ in this while it is closed step by step, and writes are retried. */
  @Test
  void sessionsAreTheSameOnNodesThatCheckNothing() {
    UserName user = commands.users.with("u", on("c", Action.FIND));
    var open = CheckedCommands.ofOpenNode(server.commands(NodeRole.DATA_NODE));
    String find = "{find: 'c', " + SESSION + "}, $db: 'test'}";
    CommandRequest there = commands.run(user, find);
    CommandRequest here = open.run(user, find);
    assertThat(here.session()).isEqualTo(there.session());
    assertThat(here.sessionId().asDocument()).isEqualTo(there.session().document());
    assertThat(here.principal().isRestricted()).isFalse();
    var stranger = new ClientConnection(1, "10.0.0.1:1", "10.0.0.2:2", null);
    assertThat(open.run(stranger, find).session().hasUser()).isFalse();
    String ofOther = "{find: 'c', " + SESSION + ", uid: " + uid(user) + "}, $db: 'test'}";
    assertThat(open.run(UserName.SYSTEM, find).session().hasUser()).isFalse();
    assertThat(open.run(stranger, ofOther).session()).isEqualTo(there.session());
  }

  private static String uid(UserName user) {
    String digest = Base64.getEncoder().encodeToString(Principal.digest(user));
    return "{$binary: {base64: '" + digest + "', subType: '00'}}";
  }

  @Test
  void usersChangeThemselvesIfTheyMay() {
    var own =
        new Grant(
            new Collections("test", ""),
            Set.of(Action.CHANGE_OWN_PASSWORD, Action.CHANGE_OWN_CUSTOM_DATA));
    UserName user = commands.users.with("u", own);
    assertThat(commands.allows(user, "{updateUser: 'u', pwd: 'x', $db: 'test'}")).isTrue();
    assertThat(commands.allows(user, "{updateUser: 'v', pwd: 'x', $db: 'test'}")).isFalse();
    assertThat(commands.allows(user, "{updateUser: 'u', roles: ['root'], $db: 'test'}")).isFalse();
    assertThat(commands.allows(user, "{usersInfo: 'u', $db: 'test'}")).isTrue();
    assertThat(commands.allows(user, "{usersInfo: 'v', $db: 'test'}")).isFalse();
  }

  @Test
  void renamesMakeNothingReadable() {
    UserName user =
        commands.users.with(
            "u",
            on("", Action.RENAME_COLLECTION_SAME_DB),
            on("open", Action.FIND),
            on("c", Action.FIND, Action.DROP_COLLECTION));
    String rename = "{renameCollection: 'test.%s', to: 'test.%s', $db: 'admin'}";
    assertThat(commands.allows(user, rename.formatted("secret", "open"))).isFalse();
    assertThat(commands.allows(user, rename.formatted("secret", "hidden"))).isTrue();
    assertThat(commands.allows(user, rename.formatted("open", "hidden"))).isTrue();
  }
}
