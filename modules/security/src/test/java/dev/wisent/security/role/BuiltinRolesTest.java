package dev.wisent.security.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.PrivilegeDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltinRolesTest {
  /** Facts of MongoDB's manual: whether a role has an action on a resource. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read@shop           | {db: 'shop', collection: ''}            | find                        | true
          read@shop           | {db: 'shop', collection: 'system.js'}   | find                        | true
          read@shop           | {db: 'shop', collection: ''}            | insert                      | false
          read@shop           | {db: 'other', collection: ''}           | find                        | false
          readWrite@shop      | {db: 'shop', collection: ''}            | createIndex                 | true
          readWrite@shop      | {db: 'shop', collection: ''}            | collMod                     | false
          readWrite@shop      | {db: 'shop', collection: ''}            | dropDatabase                | false
          dbAdmin@shop        | {db: 'shop', collection: ''}            | dropDatabase                | true
          dbAdmin@shop        | {db: 'shop', collection: ''}            | find                        | false
          dbAdmin@shop        | {db: 'shop', collection: 'system.profile'} | find                     | true
          dbOwner@shop        | {db: 'shop', collection: ''}            | grantRole                   | true
          dbOwner@shop        | {db: 'shop', collection: ''}            | insert                      | true
          dbOwner@shop        | {cluster: true}                         | listDatabases               | false
          userAdmin@shop      | {db: 'shop', collection: ''}            | createUser                  | true
          userAdmin@shop      | {db: 'shop', collection: ''}            | find                        | false
          enableSharding@admin | {db: '', collection: ''}               | enableSharding              | true
          readAnyDatabase@admin | {db: '', collection: ''}              | find                        | true
          readAnyDatabase@admin | {cluster: true}                       | listDatabases               | true
          readAnyDatabase@admin | {db: 'config', collection: ''}        | find                        | false
          readWriteAnyDatabase@admin | {db: '', collection: 'system.js'} | insert                     | true
          readWriteAnyDatabase@admin | {system_buckets: ''}             | insert                      | true
          userAdminAnyDatabase@admin | {db: 'admin', collection: 'system.users'} | find               | true
          userAdminAnyDatabase@admin | {db: 'config', collection: ''}   | createUser                  | true
          dbAdminAnyDatabase@admin | {db: '', collection: ''}           | reIndex                     | true
          clusterMonitor@admin | {cluster: true}                        | serverStatus                | true
          clusterMonitor@admin | {cluster: true}                        | shutdown                    | false
          clusterMonitor@admin | {db: 'local', collection: ''}          | find                        | true
          hostManager@admin   | {cluster: true}                         | shutdown                    | true
          hostManager@admin   | {cluster: true}                         | rotateCertificates          | true
          hostManager@admin   | {cluster: true}                         | addShard                    | false
          clusterManager@admin | {cluster: true}                        | addShard                    | true
          clusterManager@admin | {cluster: true}                        | replSetConfigure            | true
          clusterManager@admin | {db: 'config', collection: ''}         | update                      | true
          clusterAdmin@admin  | {db: '', collection: ''}                | dropDatabase                | true
          clusterAdmin@admin  | {cluster: true}                         | shutdown                    | true
          clusterAdmin@admin  | {db: '', collection: ''}                | find                        | false
          backup@admin        | {db: '', collection: ''}                | find                        | true
          backup@admin        | {db: 'config', collection: 'settings'}  | insert                      | true
          backup@admin        | {db: '', collection: ''}                | insert                      | false
          restore@admin       | {db: '', collection: ''}                | insert                      | true
          restore@admin       | {db: '', collection: ''}                | find                        | false
          restore@admin       | {db: '', collection: 'system.users'}    | remove                      | true
          directShardOperations@admin | {cluster: true}                 | issueDirectShardOperations  | true
          root@admin          | {anyResource: true}                     | validate                    | true
          root@admin          | {anyResource: true}                     | find                        | false
          root@admin          | {cluster: true}                         | applyOps                    | true
          root@admin          | {db: '', collection: ''}                | createUser                  | true
          root@admin          | {cluster: true}                         | internal                    | false
          __system@admin      | {anyResource: true}                     | internal                    | true
          __system@admin      | {anyResource: true}                     | find                        | true
          """)
  void hasTheActionsOfTheManual(String role, String resource, String action, boolean expected) {
    String[] parts = role.split("@", -1);
    RoleDefinition definition = BuiltinRoles.find(new RoleName(parts[0], parts[1])).orElseThrow();
    var privilege = RawDocument.parse("{resource: " + resource + ", actions: ['find']}");
    Grant asked = PrivilegeDocument.parse("privilege", privilege, new ArrayList<>());
    boolean actual =
        definition.grants().stream()
            .filter(grant -> grant.resource().equals(asked.resource()))
            .anyMatch(grant -> grant.actions().contains(Action.of(action).orElseThrow()));
    assertEquals(expected, actual);
  }

  @Test
  void belongToTheirDatabases() {
    assertEquals(
        List.of("dbAdmin", "dbOwner", "enableSharding", "read", "readWrite", "userAdmin"),
        names("shop"));
    assertEquals(20, names("admin").size());
    assertEquals(List.of(), names("$external"));
    assertTrue(BuiltinRoles.contains(new RoleName("root", "admin")));
    assertFalse(BuiltinRoles.contains(new RoleName("root", "shop")));
    assertFalse(BuiltinRoles.contains(new RoleName("reader", "admin")));
  }

  private static List<String> names(String database) {
    return BuiltinRoles.all(database).stream()
        .map(role -> role.name().role())
        .collect(Collectors.toList());
  }

  @Test
  void writesWhatItReads() {
    for (RoleDefinition role : BuiltinRoles.all("admin")) {
      for (Grant grant : role.grants()) {
        var out = new BsonBuilder();
        PrivilegeDocument.write(grant, out);
        var unknown = new ArrayList<String>();
        assertEquals(grant, PrivilegeDocument.parse("privilege", out.toDocument(), unknown));
        assertEquals(List.of(), unknown);
      }
    }
  }
}
