package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What commands for zones need in the metadata, where they have no action of their own. */
class ClusterRulesTest {
  private static final Grant SHARDS = on("shards", Action.FIND, Action.UPDATE);
  private static final Grant TAGS = on("tags", Action.FIND);

  private static Grant on(String collection, Action... actions) {
    return new Grant(new Collections("config", collection), Set.of(actions));
  }

  private static boolean allows(AccessRule rule, Grant... grants) {
    CommandRequest request = CommandRequest.implied(RawDocument.parse("{x: 'shard0'}"), "admin");
    return rule.allows(request, Principal.withoutLogin(GrantedPrivileges.of(List.of(grants))));
  }

  @Test
  void theMetadataDecides() {
    assertThat(allows(ClusterRules::addShardToZone, SHARDS)).isTrue();
    assertThat(allows(ClusterRules::addShardToZone, TAGS)).isFalse();
    assertThat(allows(ClusterRules::removeShardFromZone, SHARDS)).isFalse();
    assertThat(allows(ClusterRules::removeShardFromZone, SHARDS, TAGS)).isTrue();
    assertThat(allows(ClusterRules::zoneRange, SHARDS, TAGS)).isFalse();
    assertThat(
            allows(
                ClusterRules::zoneRange,
                SHARDS,
                on("tags", Action.FIND, Action.UPDATE, Action.REMOVE)))
        .isTrue();
  }

  @Test
  void theActionOnTheClusterIsEnough() {
    var sharding = new Grant(new Cluster(), Set.of(Action.ENABLE_SHARDING));
    assertThat(allows(ClusterRules::addShardToZone, sharding)).isTrue();
    assertThat(allows(ClusterRules::removeShardFromZone, sharding)).isTrue();
    assertThat(allows(ClusterRules::zoneRange, sharding)).isTrue();
  }
}
