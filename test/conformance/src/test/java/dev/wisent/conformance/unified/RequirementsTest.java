package dev.wisent.conformance.unified;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequirementsTest {

  private final Requirements requirements =
      new Requirements(
          new ServerInfo(
              List.of(8, 0, 5), "single", BsonDocument.parse("{enableTestCommands: true}")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{runOnRequirements: []}",
        "{runOnRequirements: [{minServerVersion: '8.0'}]}",
        "{runOnRequirements: [{minServerVersion: '8.0.5', maxServerVersion: '8.0.5'}]}",
        "{runOnRequirements: [{maxServerVersion: '8.0.99', topologies: ['single']}]}",
        "{runOnRequirements: [{minServerVersion: '9.0'}, {topologies: ['single', 'sharded']}]}",
        "{runOnRequirements: [{auth: false, serverless: 'forbid', csfle: false}]}",
        "{runOnRequirements: [{serverParameters: {enableTestCommands: true}}]}",
      })
  void met(String fileOrCase) {
    assertThat(requirements.unmet(BsonDocument.parse(fileOrCase))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{skipReason: 'DRIVERS-1'}",
        "{runOnRequirements: [{minServerVersion: '8.1'}]}",
        "{runOnRequirements: [{minServerVersion: '8.0.6'}]}",
        "{runOnRequirements: [{maxServerVersion: '8.0.4'}]}",
        "{runOnRequirements: [{maxServerVersion: '7.99'}, {topologies: ['replicaset']}]}",
        "{runOnRequirements: [{minServerVersion: '4.0', topologies: ['replicaset']}]}",
        "{runOnRequirements: [{auth: true}]}",
        "{runOnRequirements: [{csfle: true}]}",
        "{runOnRequirements: [{somethingNew: 1}]}",
        "{runOnRequirements: [{serverParameters: {enableTestCommands: false}}]}",
        "{runOnRequirements: [{serverParameters: {unknown: 1}}]}",
      })
  void unmet(String fileOrCase) {
    assertThat(requirements.unmet(BsonDocument.parse(fileOrCase))).isPresent();
  }

  @Test
  void versionsWithSuffixAndMissingParts() {
    assertThat(ServerInfo.parseVersion("8.0.5-rc1")).containsExactly(8, 0, 5);
    assertThat(ServerInfo.parseVersion("8")).containsExactly(8, 0, 0);
    assertThat(ServerInfo.parseVersion("4.2.99")).containsExactly(4, 2, 99);
  }
}
