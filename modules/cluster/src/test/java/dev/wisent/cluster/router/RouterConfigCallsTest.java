package dev.wisent.cluster.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.BatchedFinds;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RouterConfigCallsTest {
  @Test
  void allAnalyzersAreReadHoweverManyThereAre() {
    List<RawDocument> stored =
        IntStream.range(0, 1_500)
            .mapToObj(i -> new BsonBuilder().appendString("_id", "d.c" + i).toDocument())
            .toList();
    var finds = new BatchedFinds(101, command -> stored);
    var config = new RouterConfigCalls(finds, Clock.system());
    assertThat(config.analyzers(OperationContext.internal(Clock.system()))).isEqualTo(stored);
    assertThat(finds.killed()).isZero();
  }
}
