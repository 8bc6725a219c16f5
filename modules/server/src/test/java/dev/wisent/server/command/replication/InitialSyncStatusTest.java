package dev.wisent.server.command.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.SetStatus.InitialSync;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.SyncReport.Attempt;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** How an initial sync is told of. */
class InitialSyncStatusTest {
  @Test
  void whileItLastsThereIsAnEstimate() {
    var report =
        new SyncReport(1000, 0, 400, 100, 1, List.of(new Attempt(70, "gone", "0-abcdefabcdef")));
    assertThat(status(report, Map.of("0-abcdefabcdef", "a:1"), 3000))
        .isEqualTo(
            BsonDocument.parse(
                """
                {initialSyncStatus: {
                  method: 'fileCopyBased',
                  failedInitialSyncAttempts: {$numberLong: '1'},
                  initialSyncStart: {$date: {$numberLong: '1000'}},
                  totalInitialSyncElapsedMillis: {$numberLong: '2000'},
                  initialSyncAttempts: [
                    {durationMillis: {$numberLong: '70'}, status: 'gone', syncSource: 'a:1'}],
                  approxTotalDataSize: {$numberLong: '400'},
                  approxTotalBytesCopied: {$numberLong: '100'},
                  remainingInitialSyncEstimatedMillis: {$numberLong: '6000'}}}
                """));
  }

  @Test
  void beforeAnythingIsCopiedThereIsNone() {
    assertThat(status(new SyncReport(1000, 0, 400, 0, 0, List.of()), Map.of(), 900))
        .isEqualTo(
            BsonDocument.parse(
                """
                {initialSyncStatus: {
                  method: 'fileCopyBased',
                  failedInitialSyncAttempts: {$numberLong: '0'},
                  initialSyncStart: {$date: {$numberLong: '1000'}},
                  totalInitialSyncElapsedMillis: {$numberLong: '0'},
                  initialSyncAttempts: [],
                  approxTotalDataSize: {$numberLong: '400'},
                  approxTotalBytesCopied: {$numberLong: '0'}}}
                """));
  }

  @Test
  void afterwardsItHasAnEnd() {
    var report =
        new SyncReport(1000, 1500, 400, 400, 0, List.of(new Attempt(500, "OK", "7-abcdefabcdef")));
    assertThat(status(report, Map.of(), 9000))
        .isEqualTo(
            BsonDocument.parse(
                """
                {initialSyncStatus: {
                  method: 'fileCopyBased',
                  failedInitialSyncAttempts: {$numberLong: '0'},
                  initialSyncStart: {$date: {$numberLong: '1000'}},
                  initialSyncEnd: {$date: {$numberLong: '1500'}},
                  totalInitialSyncElapsedMillis: {$numberLong: '500'},
                  initialSyncAttempts: [
                    {durationMillis: {$numberLong: '500'}, status: 'OK', syncSource: ''}],
                  approxTotalDataSize: {$numberLong: '400'},
                  approxTotalBytesCopied: {$numberLong: '400'},
                  remainingInitialSyncEstimatedMillis: {$numberLong: '0'}}}
                """));
  }

  private static BsonDocument status(SyncReport report, Map<String, String> sources, long now) {
    var out = new BsonBuilder();
    InitialSyncStatus.append(out, new InitialSync(report, sources), now);
    return out.toDocument().toBsonDocument();
  }
}
